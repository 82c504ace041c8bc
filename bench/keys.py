"""Microseconds for the comparison key of a URL, compared with common tools for the same purpose."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from url_normalize import url_normalize
from w3lib.url import canonicalize_url

from bench.rounds import paired_seconds
from bench.table import print_table
from feedward.urls.key import key

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpora" / "urls_2000.txt"
CASES = ROOT / "tests" / "cases" / "urls.json"


def urls_to_measure() -> tuple[str, list[str]]:
    """The corpus of 2,000 URLs, or the URLs of the conformance cases without the corpus."""
    if CORPUS.exists():
        return CORPUS.name, CORPUS.read_text().splitlines()
    cases = [case["args"][0] for case in json.loads(CASES.read_text()) if case["op"] == "preset_url"]
    return "the conformance cases (this clone has no corpus)", [url for url in cases if url.startswith("http")]


def each(function: Callable[[str], object], urls: list[str]) -> None:
    for url in urls:
        function(url)


def main() -> None:
    """Print the table of keys."""
    source, urls = urls_to_measure()
    contenders: dict[str, Callable[[str], object]] = {
        "feedward key": key,
        "urllib.parse urlsplit().geturl()": lambda url: urlsplit(url).geturl(),
        "w3lib canonicalize_url": canonicalize_url,
        "url-normalize": url_normalize,
    }
    seconds = paired_seconds({name: partial(each, run, urls) for name, run in contenders.items()}, rounds=7)
    own = seconds["feedward key"]
    rows = [(name, f"{taken / len(urls) * 1e6:.1f}", f"{taken / own:.1f}x") for name, taken in seconds.items()]
    print_table(f"Keys: {len(urls)} URLs of {source}", ("", "us a URL", "time of feedward"), rows)
