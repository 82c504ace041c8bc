"""Decides which new URL of a feed may be stored, and when (rules F1, F2). Pure.

A fetch follows every redirect; only this module decides which target may replace the stored URL. It requires that the
check found a feed at the target. Move observations are rows of the StateTable, since few feeds have one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile

from feedward.model import FetchResult
from feedward.scheduling.backoff import DAY_S
from feedward.urls.compare import only_adds_parameters, without_fragment, without_root_dot
from feedward.urls.parse import join_url, parse_http_url
from feedward.urls.permanent_redirects import changes_only_parameters, is_https_of, may_be_stored, redirect_steps

SEEN_APART_S = DAY_S
# Each feed is checked within this time, so an older observation was not confirmed by the last check.
OBSERVATION_LASTS_S = 8 * DAY_S


class MoveReason(StrEnum):
    """Why a feed has another URL, as the FeedMoved event states it."""

    HTTPS_UPGRADE = "https_upgrade"
    PERMANENT_REDIRECT = "permanent_redirect"
    NEW_FEED_URL = "new_feed_url"
    OTHER_SPELLING = "other_spelling"
    """The URL failed, and another spelling of it works (rule H6); or a cleaner one that works was registered."""
    EARLIER_URL = "earlier_url"
    """The URL failed, and an earlier one of the feed works (rule H6)."""
    REVIVAL = "revival"
    """Revival found the feed at another URL (rule H6)."""
    UNDO = "undo"
    """A person undid a relocation."""
    CANONICAL = "canonical"
    """Two feeds were the same, and canonicalization chose the other one's URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A URL that a check proposes for the feed, and the reason."""

    target: str
    reason: MoveReason


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveObservation:
    """A target that a feed moved to without proof, with the first and last time in epoch seconds."""

    target: str
    first_seen_at: int
    last_seen_at: int


def redirected(fetch: FetchResult) -> tuple[Move, ...]:
    """Return the moves that the leading permanent redirects propose: their end, then an upgrade to https on the way.

    A redirect that only changes http to https of the same URL also counts as permanent with status 302 or 307. A
    redirect from https to http, or a redirect that only adds tracking parameters, is not a move.
    """
    steps = list(redirect_steps(fetch))
    asked = steps[0][1] if steps else fetch.url
    run = list(takewhile(lambda step: may_be_stored(*step), steps))
    upgrade = next((to for _, start, to in run[:1] if is_https_of(start, to)), None)
    end = without_root_dot(run[-1][2]) if run else asked
    moves = []
    if end not in (asked, upgrade) and not only_adds_parameters(end, upgrade or asked):
        moves.append(Move(target=end, reason=MoveReason.PERMANENT_REDIRECT))
    if upgrade is not None:
        moves.append(Move(target=upgrade, reason=MoveReason.HTTPS_UPGRADE))
    return tuple(moves)


def is_changing(url: str, move: Move) -> bool:
    """Return whether a move only changes the parameters of the URL: the next check may get another target.

    Such a move is adopted after two observations a day apart, whatever the target serves (rule F2).
    """
    return move.reason is MoveReason.PERMANENT_REDIRECT and changes_only_parameters(url, move.target)


def announced(url: str, new_feed_url: str | None) -> Move | None:
    """Return the move that the document of the feed at `url` announces (itunes:new-feed-url), or None.

    Like a redirect it is only a hint: the target has to be fetched and compared. A move from https to http is ignored.
    """
    base = parse_http_url(url)
    target = join_url(base, new_feed_url.strip()) if base and new_feed_url and new_feed_url.strip() else None
    if target is None or target.protocol not in ("https:", base.protocol if base else "") or target.username:
        return None
    moved = without_root_dot(without_fragment(target.href))
    return None if moved == without_fragment(url) else Move(target=moved, reason=MoveReason.NEW_FEED_URL)


def sent_elsewhere(fetch: FetchResult) -> bool:
    """Return whether a temporary redirect led to another host: a page there proves nothing about the feed (rule H6)."""
    return any(not hop.permanent and _host(start) != _host(to) for hop, start, to in redirect_steps(fetch))


def observed(before: MoveObservation | None, move: Move, now: int) -> MoveObservation:
    """Return the observation to store: it continues `before` as long as every check sees the same target."""
    if before is None or before.target != move.target or now - before.last_seen_at > OBSERVATION_LASTS_S:
        return MoveObservation(target=move.target, first_seen_at=now, last_seen_at=now)
    return replace(before, last_seen_at=max(now, before.last_seen_at))


def may_adopt(
    move: Move, *, same_feed: bool, observation: MoveObservation | None = None, is_shared_target: bool = False
) -> bool:
    """Return whether `move` may replace the stored URL now.

    `same_feed` means that the target is proven to serve the same feed (rule C8). Without that proof the target must
    have been observed by 2 checks at least a day apart; `observation` includes this check. An upgrade to https of the
    same URL needs neither. A shared redirect target is never adopted.
    """
    if is_shared_target:
        return False
    if move.reason is MoveReason.HTTPS_UPGRADE or same_feed:
        return True
    return (
        observation is not None
        and observation.target == move.target
        and observation.last_seen_at - observation.first_seen_at >= SEEN_APART_S
    )


def _host(url: str) -> str:
    parsed = parse_http_url(url)
    return parsed.hostname.removeprefix("www.") if parsed else ""
