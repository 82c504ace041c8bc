"""Ends entries that go to the shared directory: a feed that is known is joined, a new one is seeded, without a fetch
(rule IM8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from feedward.access.caller import SELF_HOSTED
from feedward.health.seeded import SeededFeed, first_seed_check
from feedward.intake.entry import Entry
from feedward.intake.job import Chunk, Ended, Import, Result
from feedward.intake.plan import REPEATED
from feedward.services.intake.ports import ImportPorts
from feedward.topics.feed_topics import seeded
from feedward.ulid import counted_ulid
from feedward.urls.compare import without_fragment
from feedward.urls.parse import parse_url
from feedward.urls.resolve import resolve_url
from feedward.urls.secrets import has_token

_FEEDS_AT_ONCE: Final = 16
_PRIVATE: Final = "this address has a private token, so it cannot be in the shared directory"


def end_seeds(found: Import, chunk: Chunk, at_most: int, ports: ImportPorts) -> Chunk | None:
    """The chunk with the next results, or None if anything has changed meanwhile."""
    left = chunk.left[: min(at_most, _FEEDS_AT_ONCE)]
    known = ports.store.owners([url for each in left if (url := _url(each))])
    _approve(left, known, ports)
    now = ports.clock.now()
    feeds: list[SeededFeed] = []
    ended = [_ended(found, each, known.get(_url(each)), feeds, now) for each in left]
    is_told = len(ended) == len(chunk.left)
    if not ports.imports.end_seeds(found, chunk, ended, feeds, is_told=is_told):
        return None
    return replace(chunk, results=(*chunk.results, *ended), is_told=is_told)


def _approve(entries: Sequence[Entry], known: Mapping[str, str], ports: ImportPorts) -> None:
    """Approve the categories of seeds whose feeds exist already (rule TP4)."""
    from feedward.services.directory.decide_topics import approve_seeded  # noqa: PLC0415 - new feeds do without

    named = {feed_id: each.category for each in entries if each.category and (feed_id := known.get(_url(each)))}
    feeds = ports.feed_reader.feeds(list(named), tenant_id=None) if named else {}
    for feed_id, feed in feeds.items():
        category = named[feed_id]
        if category and seeded(feed.topics, category) != feed.topics:
            approve_seeded(SELF_HOSTED, feed_id, category, ports=ports)


def _ended(found: Import, entry: Entry, feed_id: str | None, feeds: list[SeededFeed], now: int) -> Ended:
    if entry.problem is not None:
        return Ended(result=Result.INVALID, reason=entry.problem)
    if has_token(entry.url):
        return Ended(result=Result.INVALID, reason=_PRIVATE)
    if entry.repeats is not None:
        return Ended(result=Result.JOINED, reason=REPEATED.format(entry.repeats))
    if feed_id is not None:
        return Ended(result=Result.JOINED, feed_id=feed_id)
    feed = _seeded(found, entry, now)
    feeds.append(feed)
    return Ended(result=Result.CREATED, feed_id=feed.feed_id)


def _seeded(found: Import, entry: Entry, now: int) -> SeededFeed:
    url = _url(entry)
    parsed = parse_url(url)
    host = parsed.hostname if parsed else ""
    return SeededFeed(
        feed_id=counted_ulid(found.created_at, entry.number, "seed", found.import_id),
        url=url,
        url_hash=entry.url_hash,
        host=host,
        now=now,
        first_check_at=first_seed_check(host, entry.number, now),
        title=entry.title,
        description=entry.description,
        site_url=entry.site_url,
        language=entry.language,
        category=entry.category,
    )


def _url(entry: Entry) -> str:
    """The address in its form for the fetch; empty if it cannot be fetched."""
    return without_fragment(resolve_url(entry.url) or "") if entry.url_hash else ""
