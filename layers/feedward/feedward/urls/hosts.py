"""Classifies hosts (dotted names, addresses, localhost) and decides when `www.` may be dropped (rules C3, C5)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from feedward.urls.safety import host_of_url

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_DOTTED = re.compile(r"(?:[a-z0-9_-]+\.)+[a-z0-9_-]+\.?").fullmatch
_LABEL = re.compile(r"(?![htps]{1,10}\.?$)[a-z0-9_-]+\.?").fullmatch
_IPV4 = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+").fullmatch
_LONGEST = 255
_ANY_DOT = re.compile(r"[.\u3002\uff0e\uff61]|%2[eE]")
# A bare word with one of these endings is a document: none of them is a top-level domain.
_ENDINGS = "asp aspx atom cfm cgi htm html json jsp opml php php3 phtml rdf rss shtml txt xhtml xml"
_DOCUMENTS = frozenset(_ENDINGS.split())


def is_public_form(hostname: str) -> bool:
    """Return whether a parsed host looks like one on the internet: dotted, an address, or `localhost` (rule C5)."""
    return _DOTTED(hostname) is not None or hostname.startswith("[") or hostname in ("localhost", "localhost.")


def is_single_label(hostname: str) -> bool:
    """Return whether a parsed host is one plain word, as names inside a private network are.

    Words like `http` and `ttps` do not count: they are the rest of a doubled scheme.
    """
    return _LABEL(hostname) is not None


def is_meant(written: str, hostname: str) -> bool:
    """Return whether text that was only guessed to be a host was meant as one.

    `written` is the text, `hostname` the parser's result. `8080` and `3.14` are numbers although they parse as
    addresses; `feed.xml` is a document.
    """
    if hostname.startswith("["):
        return True
    if _IPV4(hostname):
        return len(_ANY_DOT.findall(written.rstrip("."))) == 3
    return is_public_form(hostname) and hostname.rstrip(".").rpartition(".")[2] not in _DOCUMENTS


def is_ip_address(hostname: str) -> bool:
    """Return whether a parsed host is an IP address: it has no names below it."""
    return hostname.startswith("[") or _IPV4(hostname) is not None


def without_www(hostname: str) -> str:
    """Drop leading `www.` labels, but never so that only a public suffix or a single label remains (rule C3)."""
    if len(hostname) > _LONGEST:  # not a valid name, and slow to process
        return hostname
    while hostname.startswith("www.") and _may_stand_alone(hostname[4:].rstrip(".")):
        hostname = hostname[4:]
    return hostname


def registrable_domain(hostname: str) -> str:
    """Return the registrable domain: blog.example.co.uk -> example.co.uk, me.github.io -> me.github.io.

    An address, a single label or a public suffix is its own domain.
    """
    name = hostname.rstrip(".").lower()
    if is_ip_address(name):
        return name
    return _public_suffixes().privatesuffix(name) or name


def domain_of_url(url: str) -> str:
    """Return the registrable domain of a URL's host; empty if it is not http(s)."""
    return registrable_domain(host_of_url(url))


def _may_stand_alone(hostname: str) -> bool:
    return "." in hostname and not hostname.startswith(".") and not _public_suffixes().is_public(hostname)


@lru_cache(maxsize=1)
def _public_suffixes() -> PublicSuffixList:
    """Load the list, private section included, on first use: it takes tens of milliseconds."""
    from feedward.urls.public_suffixes import load_list  # noqa: PLC0415

    return load_list()
