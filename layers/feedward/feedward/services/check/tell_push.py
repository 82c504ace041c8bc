"""Reports a check to push: news that a push announced or missed, and the hubs that a document names."""

from __future__ import annotations

from typing import Final

from feedward.health.check_class import wanted_class
from feedward.health.feed_health import FeedHealth, without_push
from feedward.health.outcomes import OUTCOMES
from feedward.ports.push import PushTrusts
from feedward.push.hub_choice import Named, named
from feedward.push.trust import Found, PushNote, dates_of
from feedward.services.check.planned_write import Plan

_MILLI_DAY_S: Final = 86_400_000


def tell_push(written: Plan, push: PushTrusts, now: int) -> PushNote | None:
    """Report a check for which `tells_of_push` is true. Returns its note, for the metrics. Raises nothing."""
    before, after = written.update.before, written.update.after
    found = Found(
        at=now,
        pushed_at=before.pushed_at,
        is_read=OUTCOMES[written.seen.outcome].is_success,
        new_items=written.new_items,
        published=dates_of(written.published),
        own_every=own_class(after.health, now),
        push_every=before.health.push_every,
        last_news_at=before.health.last_news_at,
        news_a_day=_news_a_day(after.health),
    )
    return push.after_check(after.feed_id, after.url, after.owner, found=found, named=_named(written))


def own_class(health: FeedHealth, now: int) -> int:
    """Return the class that the feed would have without push, in minutes."""
    return wanted_class(without_push(health), now, current=None)


def _news_a_day(health: FeedHealth) -> int:
    return _MILLI_DAY_S // health.median_gap_s if health.median_gap_s else 0


def _named(written: Plan) -> Named | None:
    """Return the hubs of the document; None without a document, and for one that may belong to another feed."""
    seen = written.seen
    if seen.feed is None or written.move_decision.waits:
        return None
    return named(seen.feed, seen.fetch.headers, seen.fetch.url)
