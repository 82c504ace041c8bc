"""Candidates for tests: made by hand, or out of a site of the cases as a finder would make them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from feedward.discovery.candidate import Candidate, Kind, Lead, Source, ValidationStatus
from feedward.discovery.kinds import intent_of
from feedward.discovery.requested_part import Asked
from feedward.feeds.parse import parse_feed
from feedward.model import Feed, FeedFormat, Item, Outcome
from feedward.urls.resolve import resolve_url

SITE = "https://example.com/"
NOW = 1_786_000_000

CASES = json.loads((Path(__file__).parents[2] / "cases" / "discovery.json").read_text())
SITES = {case["args"][0]["id"]: case for case in CASES if case["op"] == "discover"}


def asked(
    url: str = SITE, *, page_url: str | None = None, intent: Kind | None = None, language: str | None = None
) -> Asked:
    """The request, with the intent that the URL implies unless the caller names another."""
    return Asked(url=url, page_url=page_url or url, intent=intent or intent_of(url), language=language)


def items(count: int = 3, *, site: str = SITE, newest: int = NOW) -> tuple[Item, ...]:
    """Posts of a site, one a day."""
    return tuple(
        Item(id=f"{site}p{n}", url=f"{site}p{n}", title=f"Post {n}", published_at=newest - n * 86400)
        for n in range(count)
    )


def feed(
    *,
    title: str | None = "Example",
    site_url: str | None = SITE,
    self_url: str | None = None,
    posts: Sequence[Item] | None = None,
    format: FeedFormat = FeedFormat.RSS,  # noqa: A002 - the model's word
    language: str | None = None,
    description: str | None = None,
) -> Feed:
    """A parsed feed of the example site."""
    return Feed(
        format=format,
        title=title,
        site_url=site_url,
        self_url=self_url,
        items=tuple(items() if posts is None else posts),
        language=language,
        description=description,
    )


def lead(url: str, source: Source = Source.LINK, position: int = 0, **more: Any) -> Lead:
    return Lead(url=url, source=source, position=position, **more)


def valid(url: str, document: Feed | None = None, *leads: Lead, final_url: str | None = None, **more: Any) -> Candidate:
    """A candidate that is a feed. `more` is for its one lead, where none is given."""
    document = document or feed()
    return Candidate(
        url=url,
        leads=leads or (lead(url, **more),),
        status=ValidationStatus.VALID,
        outcome=Outcome.OK,
        http_status=200,
        final_url=final_url or url,
        feed=document,
        format=document.format,
        title=document.title,
        description=document.description,
        site_url=document.site_url,
        language=document.language,
        item_count=len(document.items),
        items=document.items[:3],
        newest_item_at=max(filter(None, map(_date, document.items)), default=None),
    )


def _date(item: Item) -> int | None:
    return item.published_at or item.updated_at


def invalid(url: str, *leads: Lead, outcome: Outcome = Outcome.NOT_FOUND, **more: Any) -> Candidate:
    """A candidate that was tried and is no feed."""
    return Candidate(
        url=url,
        leads=leads or (lead(url, **more),),
        status=ValidationStatus.INVALID,
        final_url=url,
        outcome=outcome,
        http_status=404,
        detail="not found",
    )


def untested(url: str, *leads: Lead, **more: Any) -> Candidate:
    return Candidate(url=url, leads=leads or (lead(url, **more),), status=ValidationStatus.UNTESTED)


# --- sites of the cases ---------------------------------------------------------------------------


def of_site(site: Mapping[str, Any], feeds: Sequence[str]) -> list[Candidate]:
    """The candidates that a finder makes of `feeds`, whose pages are in the site: by link, by anchor, else by guess."""
    pages = site["pages"]
    typed = _landing(pages, site["input_url"])
    named = _leads(typed, pages.get(typed, {}).get("body", ""))
    found = []
    for url in feeds:
        document = parse_feed(pages[url]["body"].encode(pages[url].get("encoding", "utf-8")), url=url)
        assert isinstance(document, Feed), (url, document)
        source = Source.DIRECT if url == typed else Source.GUESS_ROOT
        leads = [each for each in named if _landing(pages, each.url) == url] or [lead(url, source)]
        found.append(valid(leads[0].url, document, *leads, final_url=url))
    return found


def asked_of(site: Mapping[str, Any]) -> Asked:
    """The view of a site's input."""
    return replace(asked(site["input_url"]), page_url=_landing(site["pages"], site["input_url"]))


def _landing(pages: Mapping[str, Any], url: str) -> str:
    for _ in range(5):
        page = pages.get(url, {})
        if not 300 <= page.get("status", 0) < 400:
            break
        url = resolve_url(page["headers"]["location"], url) or url
    return url


def _leads(page_url: str, html: str) -> list[Lead]:
    nodes = LexborHTMLParser(html).css("link[href], a[href]") if "<" in html else []
    leads: list[Lead] = []
    for node in nodes:
        url = resolve_url(node.attributes["href"] or "", page_url)
        rel, is_link = (node.attributes.get("rel") or "").lower(), node.tag == "link"
        if url and (not is_link or rel in ("alternate", "feed")) and (node.attributes.get("type") or "") != "text/html":
            source = Source.LINK if is_link else Source.ANCHOR
            position = sum(each.source is source for each in leads)
            leads.append(lead(url, source, position, title=node.attributes.get("title")))
    return leads
