"""Any URL to its feeds: candidates found in stages, validated, scored, one of them chosen (rules D1 to D5).

Each stage of rule D6 is a function of the search. The search ends when a feed settles it, when nothing more
can be asked, or when its time or its budget of requests is used up: then it answers what it knows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.discovery.candidate import Kind
from feedward.discovery.result import Discovery
from feedward.ports import Fetcher
from feedward.services.discover.answer import answer
from feedward.services.discover.limits import ANSWER_LIMITS, JOB_LIMITS, Limits
from feedward.services.discover.named import try_named, try_next_best
from feedward.services.discover.search import Search
from feedward.services.discover.shared_fetches import SharedFetches
from feedward.services.discover.stages import ask_input, follow_refresh, take_input
from feedward.urls.safety import DEFAULT_POLICY, UrlPolicy

__all__ = ["ANSWER_LIMITS", "JOB_LIMITS", "Limits", "discover"]


def discover(
    url: str,
    *,
    fetcher: Fetcher,
    limits: Limits = ANSWER_LIMITS,
    intent: Kind | None = None,
    rsshub_base: str | None = None,
    policy: UrlPolicy = DEFAULT_POLICY,
    deadline: Deadline = NO_DEADLINE,
    now: Callable[[], float] = time.time,
) -> Discovery:
    """Find the feeds of whatever page `url` is, as a person typed it.

    `intent` is the kind of feed that is wanted; None: as the URL says. `rsshub_base` is the RSSHub to ask in the end,
    None: none. `fetcher` may be the SharedFetches of a longer run: its budget and what it knows are used then. Ends
    within the time of `limits` and by the `deadline`, whichever is sooner, with nothing in flight. Raises nothing for
    what a server, a name or a URL does.
    """
    search = Search(
        url,
        fetches=_shared(fetcher, limits),
        limits=limits,
        intent=intent,
        rsshub_base=rsshub_base,
        policy=policy,
        deadline=deadline.at_most(limits.answer_s),
        now=now,
    )
    return answer(search, finished=_run(search))


def _stages(search: Search) -> Iterator[Callable[[Search], None]]:
    """The stages in their order. A search that ends before anything has to be guessed loads nothing for guesses."""
    yield from (ask_input, follow_refresh, try_named, try_next_best)
    if search.is_over:
        return
    from feedward.services.discover.guesses import try_elsewhere, try_guesses, try_rsshub  # noqa: PLC0415

    yield from (try_guesses, try_elsewhere, try_rsshub)


def _run(search: Search) -> bool:
    """Take the input and go through the stages. True unless the time was over before the search was."""
    take_input(search)
    for stage in _stages(search):
        if search.is_over:
            return True
        if search.time_left() <= 0:
            return False
        stage(search)
    return True


def _shared(fetcher: Fetcher, limits: Limits) -> SharedFetches:
    if isinstance(fetcher, SharedFetches):
        return fetcher
    return SharedFetches(fetcher, limits.requests, limits.per_host, limits.in_flight)
