"""Addresses as tokens: the host of a text, its parent hosts, the words of a domain, the key of a URL. Pure."""

from __future__ import annotations

import re
from hashlib import blake2b

from feedward.errors import InvalidInput
from feedward.search.analyser import Word, words
from feedward.urls.hosts import registrable_domain
from feedward.urls.key import key
from feedward.urls.resolve import resolve_parsed

_SCHEME = re.compile(r"(?:https?|feed|rss|pcast|itpc|podcast):", re.IGNORECASE)
_HOST = re.compile(r"(?:[\w-]+\.)+(?:[^\W\d_]{2,}|xn--[a-z0-9-]+)\.?|(?:\d{1,3}\.){3}\d{1,3}", re.IGNORECASE)
_OPENING, _CLOSING = "<([{\"'`«“‘„|", ">)]}\"'`»”’“|,;"
_BRACKETS = {")": "(", "]": "["}
_NO_TOKEN = re.compile(r"[^\w.-]")


def without_wrapping(text: str) -> str:
    """Return an address without surrounding brackets, quotes and commas."""
    text = text.lstrip(_OPENING)
    while text and text[-1] in _CLOSING:
        opening = _BRACKETS.get(text[-1])
        if opening and text.count(opening) >= text.count(text[-1]):  # that of `/wiki/Wren_(bird)` or of `[::1]`
            break
        text = text[:-1]
    return text


def looks_like_url(text: str) -> bool:
    """Return whether a word of a query starts like a URL."""
    return _SCHEME.match(text) is not None


def host_of(text: str) -> str:
    """Return the host in a word of a query, alone or in a URL, without `www.`; empty if there is none."""
    start = text if looks_like_url(text) else re.split(r"[/?#:]", text, maxsplit=1)[0]
    if not looks_like_url(text) and not _HOST.fullmatch(start):
        return ""
    parsed = resolve_parsed(text[:2048])
    return plain_host(parsed.hostname) if parsed is not None else ""


def plain_host(host: str) -> str:
    """Return a host in its form for comparison: lower case, without `www.` and the root dot."""
    return host.lower().rstrip(".").removeprefix("www.")


def host_tokens(host: str) -> list[str]:
    """Return a token for the host itself, and one for each parent host, down to two labels."""
    labels = _NO_TOKEN.sub("_", plain_host(host)).split(".")
    above = [".".join(labels[at:]) for at in range(1, len(labels) - 1)]
    return [f"h:{'.'.join(labels)}", *(f"hh:{name}" for name in above)] if labels != [""] else []


def url_token(url: str) -> str:
    """Return the token of a URL, the same for all its spellings; empty for other text."""
    try:
        return f"u:{short_hash(key(url))}"
    except InvalidInput:
        return ""


def domain_words(host: str) -> tuple[list[Word], str]:
    """Return the words of a domain without `www` and its public suffix, and its own label as one word."""
    host = plain_host(host)
    registrable = registrable_domain(host)
    label = words(_readable(registrable.partition(".")[0]))
    below = [_readable(part) for part in host.removesuffix(registrable).split(".") if part]
    found = [each for part in below for each in words(part)]
    return [*found, *label], "".join(each.folded for each in label)


def short_hash(text: str) -> str:
    """Return 10 characters for a text of any length."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=5).hexdigest()


def _readable(label: str) -> str:
    """Return a label in Unicode: `xn--mnchen-3ya` becomes München."""
    try:
        return label[4:].encode().decode("punycode") if label.startswith("xn--") else label
    except UnicodeError:
        return label
