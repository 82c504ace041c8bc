"""Finds the feeds of any URL: candidates are found in stages, validated and scored; one is chosen (rules D1 to D5).

Each stage of rule D6 is a function of the search. The search ends when a feed settles it, when no stage is left, or
when its time or its request budget is used up. It then returns its findings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.discovery.candidate import Kind
from feedward.discovery.result import Discovery
from feedward.ports import Fetcher
from feedward.services.discover.advertised import try_itself, try_named, try_next_best
from feedward.services.discover.answer import answer
from feedward.services.discover.first_stages import ask_input, follow_refresh, take_input
from feedward.services.discover.limits import ANSWER_LIMITS, JOB_LIMITS, Limits
from feedward.services.discover.search_state import Search
from feedward.services.discover.shared_fetches import SharedFetches
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
    """Find the feeds of the page at `url`, the text that a person typed.

    `intent` is the wanted kind of feed; None derives it from the URL. `rsshub_base` is the RSSHub instance for the last
    stage, or None. `fetcher` may be the SharedFetches of a longer run, whose budget and cache are then used. Ends
    within the time of `limits` and by the `deadline`, whichever is sooner, with no request in flight. No behaviour of a
    server, a name or a URL raises an error.
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
    """The stages in order. The code for guesses is loaded only if the search gets that far."""
    yield from (ask_input, follow_refresh, try_named, try_next_best, try_itself)
    if search.is_over:
        return
    from feedward.services.discover.guesses import try_blog, try_elsewhere, try_guesses, try_rsshub  # noqa: PLC0415

    yield from (try_guesses, try_elsewhere, try_blog, try_rsshub)


def _run(search: Search) -> bool:
    """Take the input and run the stages. Returns False if the time ended before the search did."""
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
