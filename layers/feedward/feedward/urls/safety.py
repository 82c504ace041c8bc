"""Decides which URLs may be fetched, from the URL alone, before any DNS lookup (rules U1 to U7).

The decision is based on the parsed URL. The raw text is checked only for faults that the parser tolerates: control
characters, white space, backslashes, missing slashes and userinfo. The parsed URL is the one that is fetched (rule U4).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address

from feedward.model import Outcome
from feedward.urls.parse import Url, parse_http_url, parse_url

_REFUSED_V4 = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",  # a cloud's host agent, on a public address
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_ALLOWED_V6 = IPv6Network("2000::/3")
_REFUSED_V6 = tuple(
    IPv6Network(block)
    for block in (
        "2001::/23",  # Teredo, ORCHID, benchmarking and other protocol assignments
        "2001:db8::/32",
        "2002::/16",  # 6to4
        "3fff::/20",
    )
)


def is_public_address(text: str) -> bool:
    """Return whether `text` is an address of the public internet. An address with a zone id is not."""
    if "%" in text:
        return False
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _REFUSED_V4)
    return address in _ALLOWED_V6 and not any(address in block for block in _REFUSED_V6)


MAX_URL_CHARS = 2048
MAX_HOST_CHARS = 253
MAX_LABEL_CHARS = 63
DEFAULT_PORTS = {"http:": 80, "https:": 443}

# Special-use names (RFC 6761, 6762, 7686, 8375, 9476) and what private networks commonly use as a top-level domain.
LOCAL_SUFFIXES = frozenset(
    {
        *("localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan"),
        *("home.arpa", "onion", "i2p", "test", "invalid", "alt"),
    }
)
METADATA_NAMES = frozenset({"metadata.google.internal", "metadata.goog", "metadata.tencentyun.com"})

_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\]")
_AUTHORITY = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//([^/?#]*)", re.IGNORECASE)
_LABEL = re.compile(r"[a-z0-9_-]+")
_IPV4 = re.compile(r"[0-9]+(?:\.[0-9]+){3}")
_FEED_SCHEME = re.compile(r"(?:feed|rss|pcast|itpc|podcast):", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a URL is not fetched: `blocked` (policy), `bad_url` (no usable URL) or, for a redirect, one of its outcomes.

    `detail` is for people. It names the rule, never the address.
    """

    outcome: Outcome
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlPolicy:
    """The configurable part of the policy: the ports that a URL may have, default ports included (rule U5)."""

    ports: frozenset[int] = frozenset({80, 443, 8000, 8080, 8443})


DEFAULT_POLICY = UrlPolicy()


def admit_url(text: str, policy: UrlPolicy = DEFAULT_POLICY) -> Url | Refusal:
    """Return the parsed URL if `text` may be fetched, else the refusal (rules U1 to U7, A1, A2)."""
    if len(text) > MAX_URL_CHARS:
        return _bad(f"longer than {MAX_URL_CHARS} characters")
    if has_forbidden_characters(text):
        return _bad("has a space, a control character or a backslash")
    url = parse_url(text)
    if url is None:
        return _bad("does not parse")
    return _refuse_parsed(text, url, policy) or url


def refuse_url(text: str, policy: UrlPolicy = DEFAULT_POLICY) -> Refusal | None:
    """Return why `text` may not be fetched, or None if it may."""
    admitted = admit_url(text, policy)
    return admitted if isinstance(admitted, Refusal) else None


def without_feed_scheme(text: str) -> str:
    """`feed:https://x` -> `https://x`, `rss://x` -> `https://x`. The result is checked like any other URL."""
    match = _FEED_SCHEME.match(text)
    if match is None:
        return text
    rest = text[match.end() :]
    return f"https:{rest}" if rest.startswith("//") else rest


def has_forbidden_characters(text: str) -> bool:
    """Return whether `text` has characters that are ambiguous or could break a request line (rule U2)."""
    return _FORBIDDEN.search(text) is not None


def authority_of(text: str) -> str | None:
    """Raw text between `//` and the path of an absolute or scheme-relative reference; None without `//`."""
    match = _AUTHORITY.match(text)
    return match[1] if match else None


def refuse_userinfo(text: str) -> Refusal | None:
    """Refuse input with an `@` before the host, also with empty or obscured userinfo that the parser tolerates."""
    authority = authority_of(without_feed_scheme(text.strip())) or ""
    return _blocked("has userinfo") if "@" in authority else None


def host_of(url: Url) -> str:
    """Return the host for lookups and comparison, without brackets and trailing dot."""
    return url.hostname.removeprefix("[").removesuffix("]").removesuffix(".")


def host_of_url(url: str) -> str:
    """Return the host of a URL, as cooldowns, queues and feeds name it; empty if the URL is not http(s)."""
    parsed = parse_http_url(url)
    return host_of(parsed) if parsed else ""


def port_of(url: Url) -> int:
    """Return the port to connect to, by default that of the scheme."""
    return int(url.port) if url.port else DEFAULT_PORTS[url.protocol]


def is_literal_address(url: Url) -> bool:
    """Return whether the host is an IP address. The parser normalizes every spelling of an IPv4 address (rule U3)."""
    return url.hostname.startswith("[") or _IPV4.fullmatch(host_of(url)) is not None


def request_url(url: Url) -> str:
    """Return the serialization without fragment, which is requested, recorded and compared in redirect chains."""
    return url.href.partition("#")[0]


def _refuse_parsed(text: str, url: Url, policy: UrlPolicy) -> Refusal | None:
    if url.protocol not in DEFAULT_PORTS:
        return _blocked("the scheme is neither http nor https")
    authority = authority_of(text)
    if not authority:
        return _bad("has no // and host after the scheme")
    if "@" in authority or url.has_credentials():
        return _blocked("has userinfo")
    return _refuse_host(url) or _refuse_port(url, policy) or _refuse_length(url)


def _refuse_host(url: Url) -> Refusal | None:
    host = host_of(url)
    if is_literal_address(url):
        return None if is_public_address(host) else _blocked("the host is a private or reserved address")
    labels = host.split(".")
    if len(host) > MAX_HOST_CHARS or any(len(label) > MAX_LABEL_CHARS for label in labels):
        return _bad("the host name is too long")
    if not all(map(_LABEL.fullmatch, labels)):
        return _bad("the host is not a domain name")
    return _blocked("the host is a local or special-use name") if _is_local(labels) else None


def _is_local(labels: list[str]) -> bool:
    suffixes = {".".join(labels[start:]) for start in range(len(labels))}
    return len(labels) == 1 or not LOCAL_SUFFIXES.isdisjoint(suffixes) or not METADATA_NAMES.isdisjoint(suffixes)


def _refuse_port(url: Url, policy: UrlPolicy) -> Refusal | None:
    return None if port_of(url) in policy.ports else _blocked("the port is not one that feeds are served on")


def _refuse_length(url: Url) -> Refusal | None:
    return _bad(f"longer than {MAX_URL_CHARS} characters when written out") if len(url.href) > MAX_URL_CHARS else None


def _bad(detail: str) -> Refusal:
    return Refusal(outcome=Outcome.BAD_URL, detail=f"URL refused: {detail}")


def _blocked(detail: str) -> Refusal:
    return Refusal(outcome=Outcome.BLOCKED, detail=f"URL refused: {detail}")
