"""The span in which a quota counts now, the carry-over from the span before, and the time when there is room again."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.quotas.quota import Quota, Window

MINUTE_S = 60
DAY_S = 24 * 3600
# Counters are kept this much longer than they count.
KEPT_S = DAY_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One counter of a tenant: a quota and the epoch second at which its span began.

    A `total` is recounted each UTC day, so that a wrong counter is corrected within a day.
    """

    quota: Quota
    starts_at: int

    @property
    def length_s(self) -> int:
        """The length of the span in seconds."""
        return MINUTE_S if self.quota.window is Window.MINUTE else DAY_S

    @property
    def ends_at(self) -> int:
        """The epoch second at which the next span begins."""
        return self.starts_at + self.length_s

    @property
    def before(self) -> Span:
        """The span before this one."""
        return Span(quota=self.quota, starts_at=self.starts_at - self.length_s)


def span_at(quota: Quota, now: int) -> Span:
    """Return the span of a quota at `now`. Days are UTC days (rule QT2)."""
    length_s = MINUTE_S if quota.window is Window.MINUTE else DAY_S
    return Span(quota=quota, starts_at=now - now % length_s)


def carried(span: Span, used_before: int, now: int) -> int:
    """Return the carry-over of the span before: for a minute, the share that the last 60 s overlap, rounded up.

    So any 60 s have at most the limit; if the load is uneven, at most twice the limit less one (rule QT2).
    """
    if span.quota.window is not Window.MINUTE:
        return 0
    left_s = max(span.ends_at - now, 0)
    return -(-used_before * left_s // MINUTE_S)


def opens_at(span: Span, *, limit: int, used: int, used_before: int, weight: int, now: int) -> int | None:
    """Return the first second at which `weight` fits, if nothing else is charged meanwhile; None if it never fits.

    It never fits if it exceeds the limit, or for a total, where only a deletion makes room.
    """
    if weight > limit or span.quota.window is Window.TOTAL:
        return None
    if span.quota.window is Window.DAY:
        return span.ends_at
    for second in range(now + 1, span.ends_at):
        if used + carried(span, used_before, second) + weight <= limit:
            return second
    following = span_at(span.quota, span.ends_at)
    for second in range(following.starts_at, following.ends_at):
        if carried(following, used, second) + weight <= limit:
            return second
    return following.ends_at
