"""Package registries: PyPI, crates.io, RubyGems, Packagist. Each has a feed of one package's releases."""

from __future__ import annotations

import re
from collections.abc import Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.platforms.rule import Platform, Proposal
from feedward.discovery.url_patterns import origin_of, segments
from feedward.urls.parse import Url

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,100}[A-Za-z0-9])?").fullmatch


def _pypi(url: Url) -> Sequence[Proposal]:
    return _pypi_at(f"https://{url.hostname.removeprefix('www.').removesuffix('.')}", segments(url))


def _old_pypi(url: Url) -> Sequence[Proposal]:
    return _pypi_at("https://pypi.org", segments(url))


def _pypi_at(root: str, path: list[str]) -> Sequence[Proposal]:
    match path:
        case []:
            return (
                Proposal(url=f"{root}/rss/updates.xml", what="releases"),
                Proposal(url=f"{root}/rss/packages.xml", kind=Kind.SECTION, what="new packages"),
            )
        case ["project" | "p" | "pypi" | "simple", name, *_] if _NAME(name):
            return (Proposal(url=f"{root}/rss/project/{name}/releases.xml", what="releases"),)
    return ()


def _crates(url: Url) -> Sequence[Proposal]:
    match segments(url):
        case []:
            return (
                Proposal(url="https://static.crates.io/rss/updates.xml", what="releases"),
                Proposal(url="https://static.crates.io/rss/crates.xml", kind=Kind.SECTION, what="new crates"),
            )
        case ["crates", name, *_] if re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
            return (Proposal(url=f"https://static.crates.io/rss/crates/{name}.xml", what="releases"),)
    return ()


def _rubygems(url: Url) -> Sequence[Proposal]:
    match segments(url):
        case ["gems", name] | ["gems", name, "versions", *_] if _NAME(name) and not name.endswith(".atom"):
            if segments(url)[-1].endswith(".atom"):
                return ()
            return (Proposal(url=f"{origin_of(url)}/gems/{name}/versions.atom", what="versions"),)
    return ()


def _packagist(url: Url) -> Sequence[Proposal]:
    match segments(url):
        case ["packages", vendor, name] if _NAME(vendor) and _NAME(name):
            return (Proposal(url=f"https://packagist.org/feeds/package.{vendor}/{name}.rss", what="releases"),)
        case ["packages", vendor] if _NAME(vendor):
            return (Proposal(url=f"https://packagist.org/feeds/vendor.{vendor}.rss", what="releases of the vendor"),)
    return ()


RULES: tuple[Platform, ...] = (
    Platform(name="pypi", hosts=("pypi.org", "test.pypi.org"), feeds=_pypi),
    Platform(name="pypi", hosts=("pypi.python.org",), feeds=_old_pypi),
    Platform(name="crates.io", hosts=("crates.io",), feeds=_crates),
    Platform(name="rubygems", hosts=("rubygems.org",), feeds=_rubygems),
    Platform(name="packagist", hosts=("packagist.org",), feeds=_packagist),
)
