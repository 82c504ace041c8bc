"""Completes the entries of a chunk: each gets its result, in transactions of as many entries as fit (rule IM3).

If a concurrent write wins, the stores are read again and fewer entries are tried together, in the end one by one: an
entry never stops the others.

Entries that go to the shared directory join the known feed, or seed a new one without a fetch (rule IM8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from feedward.access.caller import SELF_HOSTED
from feedward.errors import BusUnavailable, Conflict, FeedwardError
from feedward.health.seeded_feed import SeededFeed, first_seed_check
from feedward.intake.chunk_results import REPEATED, ChunkPlan, planned
from feedward.intake.entry import Entry
from feedward.intake.job import ENTRIES_IN_A_CHUNK, Chunk, Ended, Import, Result, Target, searches_per_s
from feedward.services.intake.ports import ImportPorts
from feedward.services.subscribe.subscription_events import news_of
from feedward.subscriptions.subscription import Subscription
from feedward.topics.feed_topics import seeded
from feedward.ulid import counted_ulid
from feedward.urls.compare import without_fragment
from feedward.urls.key import url_hash
from feedward.urls.resolve import resolve_url
from feedward.urls.safety import host_of_url
from feedward.urls.secrets import has_token

_ROUNDS: Final = 3 * ENTRIES_IN_A_CHUNK


def end_chunk(found: Import, number: int, *, ports: ImportPorts) -> int:
    """Complete the remaining entries of a chunk, and send the events. Returns how many entries this call completed.

    Raises Conflict if the same entries kept being refused, and the errors of the stores and of the bus.
    """
    chunk = ports.imports.chunk(found.tenant_id, found.import_id, number)
    if chunk is None:
        return 0
    before = len(chunk.results)
    at_most = ENTRIES_IN_A_CHUNK
    for _ in range(_ROUNDS):
        if not chunk.left:
            break
        end = end_seeds if found.target is Target.DIRECTORY else _end_some
        after = end(found, chunk, at_most, ports)
        if after is not None:
            chunk = after
            continue
        seen, chunk = len(chunk.results), _read_again(found, chunk, ports)
        at_most = max(at_most // 4, 1) if len(chunk.results) == seen else at_most
    else:
        raise Conflict("the entries of this chunk kept being refused")
    if not chunk.is_told:
        _tell(found, chunk, ports)
    return len(chunk.results) - before


def _read_again(found: Import, chunk: Chunk, ports: ImportPorts) -> Chunk:
    again = ports.imports.chunk(found.tenant_id, found.import_id, chunk.number)
    if again is None:
        raise Conflict("the chunk was deleted")
    return again


def _end_some(found: Import, chunk: Chunk, at_most: int, ports: ImportPorts) -> Chunk | None:
    """The chunk with the next results, or None if anything has changed meanwhile."""
    left = chunk.left[:at_most]
    hashes = {each.url_hash: _directory_hash(found, each.url, each.url_hash) for each in left if each.url_hash}
    known = ports.imports.known(found.tenant_id, hashes)
    now = ports.clock.now()
    per_s = searches_per_s(ports.searches_at_once)
    plan = planned(found, left, known, shard=chunk.shard, now=now, at_most=at_most, per_s=per_s)
    ends_all = len(plan.ended) == len(chunk.left)
    is_told = ends_all and not chunk.results and not _has_news(plan, now)
    if not ports.imports.end_subscriptions(found, chunk, plan, is_told=is_told):
        return None
    return replace(chunk, results=(*chunk.results, *plan.ended), is_told=is_told)


def _directory_hash(found: Import, url: str, own: str) -> str:
    """The hash of the URL in the directory: a tenant's URL with a token is private to the tenant (rules T1, T4)."""
    if found.tenant_id is None or not has_token(url):
        return own
    return url_hash(resolve_url(url) or url, found.tenant_id)


def _has_news(plan: ChunkPlan, now: int) -> bool:
    return any(_is_news(each, now) for each in (*plan.new.values(), *plan.changed.values()))


def _is_news(subscription: Subscription, now: int) -> bool:
    """True if this import must publish an event of a subscription: its search is due, or it was ready immediately."""
    if subscription.is_pending:
        return subscription.pending_since is not None and subscription.pending_since <= now
    return subscription.pending_since is None and subscription.settled_at == subscription.created_at


def _tell(found: Import, chunk: Chunk, ports: ImportPorts) -> None:
    """Send the events of the chunk. A search that the bus does not accept is requested by the reconcile pass."""
    ours = (Result.PENDING, Result.CREATED, Result.MERGED)
    ids = [each.subscription_id for each in chunk.results if each.result in ours and each.subscription_id]
    now = ports.clock.now()
    news = [each for each in ports.imports.subscriptions(found.tenant_id, ids) if _is_news(each, now)] if ids else []
    _publish([each for each in news if not each.is_pending], ports, is_needed=True)
    _publish([each for each in news if each.is_pending], ports, is_needed=False)
    ports.imports.told(found, chunk)


def _publish(news: list[Subscription], ports: ImportPorts, *, is_needed: bool) -> None:
    if not news:
        return
    try:
        taken = ports.bus.publish([news_of(each) for each in news])
    except FeedwardError:
        if is_needed:
            raise
        return
    if is_needed and len(taken) < len(news):
        raise BusUnavailable("the bus did not accept all events of the import")


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
    host = host_of_url(url)
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
