"""The hub and the topic of a feed's subscription (rules W1 to W4). Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from feedward.model import Feed
from feedward.pages.link_header import parse_link_header
from feedward.push.push_record import HUBS_AT_MOST
from feedward.urls.key import key_or_text
from feedward.urls.parse import join_url, parse_http_url
from feedward.urls.safety import Refusal, admit_url, host_of, refuse_userinfo
from feedward.urls.secrets import has_token

_HTTP: Final = "http://"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The hubs that a response names, best first, and its self link. All are URLs that may be requested."""

    hubs: tuple[str, ...] = ()
    self_url: str | None = None


def named(feed: Feed | None, headers: Mapping[str, str], url: str) -> Named:
    """Return the hubs and the self link of a response from `url`: those of its Link header, else those of its document.

    Header names are in lower case.
    """
    links = list(_header_links(headers.get("link"), url))
    hubs = [target for rel, target in links if rel == "hub"]
    own = [target for rel, target in links if rel == "self"]
    if not hubs and feed is not None:
        hubs = list(_absolute(feed.hub_urls, url))
    if not own and feed is not None and feed.self_url:
        own = list(_absolute((feed.self_url,), url))
    return Named(hubs=usable_hubs(hubs), self_url=own[0] if own else None)


def header_hubs(link: str, url: str) -> tuple[str, ...]:
    """Return the hubs in the Link header of a response from `url`."""
    return tuple(dict.fromkeys(target for rel, target in _header_links(link, url) if rel == "hub"))


def usable_hubs(hubs: Iterable[str], own_hosts: Collection[str] = ()) -> tuple[str, ...]:
    """Return the first three distinct hubs that may be requested over https: the secret is never sent in clear text."""
    admitted = (_over_https(hub) for hub in hubs)
    kept = dict.fromkeys(hub for hub in admitted if hub is not None and may_be_named(hub, own_hosts))
    return tuple(kept)[:HUBS_AT_MOST]


def topics(url: str, self_url: str | None, proven: Collection[str] = (), own_hosts: Collection[str] = ()) -> list[str]:
    """Return the topics to request, best first: the self link as written if it is the feed's own URL, then the URL.

    `proven` are other spellings of the feed's URL. A URL with a token is never a topic: the hub would get the token.
    """
    own = {key_or_text(each) for each in (url, *proven)}
    is_own = self_url is not None and key_or_text(self_url) in own
    candidates = [self_url, url] if is_own and self_url is not None else [url]
    return [each for each in dict.fromkeys(candidates) if may_be_named(each, own_hosts) and not has_token(each)]


def may_be_named(url: str, own_hosts: Collection[str] = ()) -> bool:
    """Return whether a hub or topic is public, as far as its URL shows, and not this deployment's own."""
    if refuse_userinfo(url) is not None:
        return False
    admitted = admit_url(url)
    return not isinstance(admitted, Refusal) and host_of(admitted) not in own_hosts


def _over_https(url: str) -> str | None:
    """Return the URL for requests to the hub, without a fragment, so that each hub has one URL."""
    parsed = parse_http_url(url)
    if parsed is None:
        return None
    asked = parsed.href.partition("#")[0]
    if not asked.startswith(_HTTP):
        return asked
    return None if parsed.port else f"https://{asked.removeprefix(_HTTP)}"


def _header_links(header: str | None, url: str) -> Iterator[tuple[str, str]]:
    """Yield the hubs and self links of a Link header, whose context is the response itself."""
    for link in parse_link_header(header or ""):
        if "anchor" in link.parameters:
            continue
        relations = link.parameters.get("rel", "").lower().split()
        for rel in ("hub", "self"):
            if rel in relations:
                yield from ((rel, target) for target in _absolute((link.target,), url))


def _absolute(references: Iterable[str], url: str) -> Iterator[str]:
    base = parse_http_url(url)
    for reference in references:
        joined = join_url(base, reference) if base else None
        if parse_http_url(reference) is not None:
            yield reference  # as written, since a hub compares topics byte by byte
        elif joined is not None and parse_http_url(joined.href) is not None:
            yield joined.href
