"""Derives the trust in a feed's pushes from its checks (rules W19, W21, W22, W23). Pure; times are epoch seconds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from feedward.push.push_record import PushRecord, SubscriptionState, Trust
from feedward.scheduling.backoff import DAY_S
from feedward.scheduling.slots import CLASSES

TOLD_BEFORE_S: Final = 15 * 60
"""News counts as announced if a push came at most this long before it was found, and no item is known to be older."""
FOUND_BEFORE_S: Final = 10 * 60
"""News also counts as announced if its push came at most this long after a poll found it."""
HUB_TELLS_WITHIN_S: Final = 3 * 60
"""News older than this, without a push, counts against a silent hub."""
LATE_S: Final = 10 * 60
"""An item that is this much older than the one a push came for should have been announced before it."""
TOLD_FIRST: Final = 2
"""A feed's pushes are trusted after this many pieces of news that came by push first."""
DISTRUSTED_S: Final = DAY_S
LOOKS_S: Final = (120, 600)
"""The waits before the checks that follow one without news (rule W19)."""
SMALL_HUB_TIMES: Final = 4
DAILY: Final = CLASSES[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The result of a check.

    - pushed_at: the push that requested the check; None for a scheduled check
    - is_read: the server answered with the feed
    - new_items: the number of new items; published: the dates of those that have one
    - own_every: the feed's own class in minutes; push_every: the class under its trusted pushes, if trusted
    - last_news_at: when the feed last had news, before this check
    - news_a_day: the feed's pieces of news a day, times 1000
    """

    at: int
    pushed_at: int | None = None
    is_read: bool = True
    new_items: int = 0
    published: tuple[int, ...] = ()
    own_every: int = 60
    push_every: int | None = None
    last_news_at: int | None = None
    news_a_day: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PushNote:
    """The metrics of a check about pushes: news with its seconds since the push, or a push without news."""

    hub: str
    told_after_s: int | None = None
    is_empty: bool = False
    is_suspect: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The record after a check. `look_in_s`: the delay of a further check, after a push without news.

    `told_after_s` is the time from the push to its news. `is_untold`: a poll found news that a working hub would have
    announced. `is_late`: a push brought an older item as well. `is_slow`: a poll could have found the news of a push.
    `is_suspect`: unannounced news is so old that it counts against the pushes of the feed, unless a push comes soon.
    """

    after: PushRecord
    look_in_s: int | None = None
    told_after_s: int | None = None
    is_empty: bool = False
    is_untold: bool = False
    is_late: bool = False
    is_slow: bool = False
    is_suspect: bool = False

    @property
    def is_told(self) -> bool:
        """Return whether the hub announced the news. A poll after the push may have found news that it did not."""
        return self.told_after_s is not None and not self.is_untold


def learn(record: PushRecord, found: Found) -> Lesson:
    """Return the conclusions of a check about the feed's pushes."""
    looked = replace(record, looked_at=found.at, every=found.own_every) if found.pushed_at is not None else record
    if found.new_items:
        return _with_news(looked, found)
    return _without_news(looked, found) if found.pushed_at is not None else Lesson(after=record)


def _with_news(record: PushRecord, found: Found) -> Lesson:
    if found.pushed_at is not None or _is_near(record.pushed_at, found.at):
        lesson = Lesson(after=told(record, found), told_after_s=_after_push(record, found))
        is_untold = found.pushed_at is None and _came_after_push(record, found)
        return replace(lesson, is_untold=is_untold, is_late=_brought_older(found), is_slow=_is_slow(record, found))
    is_untold = _is_older(found, HUB_TELLS_WITHIN_S)
    if record.untold_at is not None or not _is_older(found, TOLD_BEFORE_S):
        return Lesson(after=record, is_untold=is_untold)
    return Lesson(after=replace(record, untold_at=found.at), is_untold=True, is_suspect=True)


def _after_push(record: PushRecord, found: Found) -> int:
    pushed_at = found.pushed_at if found.pushed_at is not None else record.pushed_at
    return max(found.at - (pushed_at if pushed_at is not None else found.at), 0)


def _is_near(pushed_at: int | None, found_at: int) -> bool:
    return pushed_at is not None and found_at - TOLD_BEFORE_S <= pushed_at


def _brought_older(found: Found) -> bool:
    """Return whether a push brought an older item along with the new one, which should have been announced before."""
    news_at = found.last_news_at or found.at
    newest = max(found.published, default=0)
    return newest > found.at - TOLD_BEFORE_S and any(news_at < at <= newest - LATE_S for at in found.published)


def _came_after_push(record: PushRecord, found: Found) -> bool:
    """Return whether a poll found news from after the last push, which was answered before, and from minutes ago."""
    if record.awaits_check or record.look_at is not None:
        return False
    return any((record.pushed_at or 0) < at <= found.at - HUB_TELLS_WITHIN_S for at in found.published)


def _is_slow(record: PushRecord, found: Found) -> bool:
    """Return whether a push came so late that a poll before it could have found its news untold."""
    pushed_at = found.pushed_at if found.pushed_at is not None else record.pushed_at
    found_at = () if found.new_items or found.last_news_at is None else (found.last_news_at,)
    return pushed_at is not None and any(pushed_at - at >= HUB_TELLS_WITHIN_S for at in (*found.published, *found_at))


def _is_older(found: Found, seconds: int) -> bool:
    """Return whether an item is so old that its push must be missing."""
    return any(at <= found.at - seconds for at in found.published)


def _without_news(record: PushRecord, found: Found) -> Lesson:
    """Handle a check without news: a poll may have found it before the push. Else check again after 2 and 10
    minutes."""
    if record.untold_at is not None or _was_found_just_before(found):
        is_repeated = record.untold_at is None and found.last_news_at == record.told_at
        if is_repeated:
            return Lesson(after=record)
        return Lesson(after=told(record, found), told_after_s=0, is_slow=_is_slow(record, found))
    if not found.is_read:
        return _look_again(record, found.at)
    if record.awaits_check:  # another push came meanwhile, whose check is under way
        return Lesson(after=_empty(record), is_empty=True)
    if record.look_at is not None and found.at >= record.look_at:
        return _look_again(record, found.at)
    return replace(_look_again(replace(_empty(record), looks=0), found.at), is_empty=True)


def _was_found_just_before(found: Found) -> bool:
    if found.last_news_at is None or found.pushed_at is None:
        return False
    return found.pushed_at - FOUND_BEFORE_S <= found.last_news_at <= found.at


def _empty(record: PushRecord) -> PushRecord:
    return replace(record, empty=record.empty + 1, empty_in_row=record.empty_in_row + 1)


def _look_again(record: PushRecord, now: int) -> Lesson:
    if record.looks >= len(LOOKS_S):
        return Lesson(after=replace(record, look_at=None, looks=0))
    wait_s = LOOKS_S[record.looks]
    return Lesson(after=replace(record, look_at=now + wait_s, looks=record.looks + 1), look_in_s=wait_s)


# --- trust -----------------------------------------------------------------------------------------


def told(record: PushRecord, found: Found) -> PushRecord:
    """Count news that a push announced first. The second in a row makes the feed trusted, unless it is distrusted."""
    news_at = found.at if found.new_items or found.last_news_at is None else found.last_news_at
    in_row = 1 if _was_another_missed(record, found) else record.told_in_row + 1
    is_early = record.distrusted_until is not None and found.at < record.distrusted_until
    is_live = record.state is SubscriptionState.VERIFIED
    earned = Trust.TRUSTED if in_row >= TOLD_FIRST and is_live else Trust.ON_TRIAL
    return replace(
        record,
        told=record.told + 1,
        told_in_row=0 if is_early else in_row,
        told_at=news_at,
        empty_in_row=0,
        look_at=None,
        looks=0,
        untold_at=None,
        trust=Trust.DISTRUSTED if is_early else Trust.TRUSTED if record.trust is Trust.TRUSTED else earned,
        distrusted_until=record.distrusted_until if is_early else None,
    )


def _was_another_missed(record: PushRecord, found: Found) -> bool:
    """Return whether the feed had news since the last announced one that this push does not announce."""
    if not found.new_items or found.last_news_at is None or record.told_at is None:
        return False
    return found.last_news_at > record.told_at


def missed(record: PushRecord, now: int) -> PushRecord:
    """Count news without a push. The feed returns to its own class, and can earn trust again after a day."""
    return distrusted(replace(record, missed=record.missed + 1), now + DISTRUSTED_S)


def distrusted(record: PushRecord, until: int) -> PushRecord:
    """Withdraw the trust in a feed's pushes until a time."""
    return replace(
        record,
        trust=Trust.DISTRUSTED,
        distrusted_until=max(until, record.distrusted_until or 0),
        told_in_row=0,
        untold_at=None,
        rate=0,
    )


def pushed_class(own_every: int, *, is_proven: bool) -> int:
    """Return the class, in minutes, of a feed whose pushes are trusted: daily, if its hub is proven.

    Otherwise it is the longest class up to four times the feed's own: a lying hub costs at most four slots.
    """
    longest = DAILY if is_proven else own_every * SMALL_HUB_TIMES
    return max((every for every in CLASSES if every <= longest), default=own_every)


def dates_of(published: Iterable[int | None]) -> tuple[int, ...]:
    """Return the known dates."""
    return tuple(at for at in published if at is not None)
