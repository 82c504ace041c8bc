"""Canonicalizes many URLs in parallel within one deadline (rule G5).

Each URL has its own time limit and its own result or error, in input order. No request is in flight when the call
returns: a frozen Lambda environment would resume it in the next call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from feedward.access.caller import Caller, Scope
from feedward.access.ownership import known_to, scope_of
from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import CanonicalResult
from feedward.deadline import Deadline
from feedward.errors import DeadlinePassed
from feedward.feeds.read_feed import FetchedFeed, read_feed
from feedward.model import FetchResult
from feedward.ports import BodyRoom, Clock, Exists, FeedStore, Fetcher
from feedward.services.canonicalize.canonicalization import Read
from feedward.services.canonicalize.canonicalize import canonicalize

if TYPE_CHECKING:  # used in annotations only
    from feedward.ports.quotas import Charges
    from feedward.services.work.memory_budget import MemoryBudget

URL_S: Final = 4.0
BATCH_S: Final = 20.0
THREADS: Final = 25
# Extra time for the store, so that a feed whose proof took all of the URL's time is still stored.
STORE_GRACE_S: Final = 0.5
# With less time even a healthy site would appear not to answer.
WORTH_STARTING_S: Final = 0.25

Result = TypeVar("Result")


def canonicalize_batch(
    urls: Sequence[str],
    run: Callable[[str, Deadline], Result],
    *,
    deadline: Deadline,
    url_s: float = URL_S,
    threads: int = THREADS,
) -> list[Result | Exception]:
    """Call `run(url, its deadline)` for each of `urls`, at most `threads` in parallel.

    Returns one entry for each URL, in order: what `run` returned or raised, or DeadlinePassed for a URL that could not
    start in time. `run` must keep to its deadline. A repeated URL runs once.
    """

    def attempt(url: str) -> Result | Exception:
        if deadline.left_s() < WORTH_STARTING_S:
            return DeadlinePassed("the request ran out of time before this URL was started; send it again")
        try:
            return run(url, deadline.at_most(url_s))
        except Exception as error:  # noqa: BLE001 - one URL's failure is its own entry, never the batch's
            return error

    distinct = list(dict.fromkeys(urls))
    if len(distinct) == 1:
        answers = [attempt(distinct[0])]
    else:
        with ThreadPoolExecutor(max_workers=max(1, min(threads, len(distinct)))) as pool:
            answers = list(pool.map(attempt, distinct))
    answer_to = dict(zip(distinct, answers, strict=True))
    return [answer_to[url] for url in urls]


def canonicalize_urls(
    caller: Caller,
    urls: Sequence[str],
    *,
    fetcher: Fetcher,
    store: FeedStore,
    clock: Clock,
    options: CanonicalizeOptions,
    register: bool,
    deadline: Deadline,
    charges: Charges,
    memory: MemoryBudget | None = None,
) -> list[CanonicalResult | Exception]:
    """Canonicalize `urls` against the feeds in `store`; with `register`, store each feed that is found.

    Returns one entry for each URL, in order, as canonicalize_batch does. Only one entry of a feed has `created`. The
    tenant is charged for URLs that need a request; refused and known ones are free (rule QT3). The URLs share `memory`
    for their documents; one that finds none in time is a MemoryBusy. Raises ScopeMissing if the caller's key may not
    register feeds, QuotaExceeded, TooManyAtOnce, and the errors of the counters.
    """
    if register:
        caller.require(Scope.WRITE)

    def run_one(url: str, until: Deadline, fetcher: Fetcher = fetcher, read: Read = read_feed) -> CanonicalResult:
        bound = store.within(Deadline(until.ends_at + STORE_GRACE_S, until.monotonic))
        found = partial(canonicalize, exists=known(url, bound))
        if register:
            found = _registering(caller.tenant_id, bound, clock.now())
        return found(url, fetcher=fetcher, options=options, deadline=until, read=read)

    known = partial(_known_to, caller.tenant_id)
    run = run_one if memory is None else _within_memory(run_one, memory, fetcher)
    run_all = partial(canonicalize_batch, urls, run, deadline=deadline)
    if caller.key_id is None:
        return _created_once(run_all())
    from feedward.services.canonicalize.charge_urls import charged  # noqa: PLC0415 - nothing is charged without a key

    exists = partial(known, bound=store.within(deadline))
    return _created_once(
        charged(caller, urls, run_all, options=options, exists=exists, deadline=deadline, charges=charges)
    )


def _registering(tenant_id: str | None, bound: FeedStore, now: int) -> partial[CanonicalResult]:
    """Return the canonicalization that stores the feed. Only a call that registers loads it."""
    from feedward.services.canonicalize.register import canonicalize_and_register  # noqa: PLC0415

    return partial(canonicalize_and_register, store=bound, now=now, tenant_id=tenant_id)


def _within_memory(
    run_one: Callable[..., CanonicalResult], memory: MemoryBudget, fetcher: Fetcher
) -> Callable[[str, Deadline], CanonicalResult]:
    """Return `run_one` with the memory that the URLs of a batch share. Its results keep no documents."""

    def run(url: str, until: Deadline) -> CanonicalResult:
        with memory.room(wait_s=min(memory.wait_s, until.left_s())) as room:
            found = run_one(url, until, _InRoom(fetcher, room), partial(_read_within, memory))
            return replace(found, document=None, proof=None)

    return run


@dataclass(frozen=True, slots=True)
class _InRoom:
    """ports.Fetcher of one URL, whose large bodies need a lease."""

    fetcher: Fetcher
    room: BodyRoom

    def fetch(self, url: str, **options: Any) -> FetchResult:
        return self.fetcher.fetch(url, room=self.room, **options)


def _read_within(memory: MemoryBudget, fetch: FetchResult) -> FetchedFeed:
    with memory.parsing(len(fetch.body)):
        return read_feed(fetch)


def _known_to(tenant_id: str | None, url: str, bound: FeedStore) -> Exists:
    """Return the look-up of feeds that the tenant may see, in the scope of the URL."""
    scope = scope_of(tenant_id, url)
    return lambda urls: known_to(tenant_id, bound.find(urls, scope=scope), scope=scope)


def _created_once(outcomes: Sequence[CanonicalResult | Exception]) -> list[CanonicalResult | Exception]:
    """Keep `created` only in the first entry of each feed, since a repeated URL runs once."""
    created: set[str | None] = set()

    def entry(outcome: CanonicalResult | Exception) -> CanonicalResult | Exception:
        if not isinstance(outcome, CanonicalResult) or not outcome.created:
            return outcome
        is_first = outcome.feed_id not in created
        created.add(outcome.feed_id)
        return replace(outcome, created=is_first)

    return [entry(outcome) for outcome in outcomes]
