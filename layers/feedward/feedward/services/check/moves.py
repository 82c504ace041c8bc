"""Decides whether a feed has moved and may be relocated (rules F1, F2), and requests the relocation.

The known document proves a move: the same bytes, a credible 304, or the same signature. While a move awaits proof, no
document of the new URL is stored that could later pass as proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from feedward.errors import Conflict, FeedwardError
from feedward.feeds.signature import Document, same_feed, signature
from feedward.health.due_feed import DueFeed
from feedward.health.moves import (
    Move,
    MoveObservation,
    MoveReason,
    announced,
    is_changing,
    may_adopt,
    observed,
    redirected,
)
from feedward.health.recent_items import Recent, is_known_among
from feedward.health.relocation import FeedMove, MoveResult
from feedward.health.shared_target import SharedTarget, is_shared_target, target_key, with_arrival
from feedward.model import FetchResult
from feedward.ports import FeedMoves, MoveObservations
from feedward.services.check.fetch_feed import Connection, Visit
from feedward.urls.compare import only_adds_parameters
from feedward.urls.key import key_or_text
from feedward.urls.secrets import has_token

_RETRIES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedMove:
    """The state of a move after this check. A move to a shared redirect target is not adopted."""

    observation: MoveObservation
    is_shared_target: bool


def observe_move(feed_id: str, host: str, move: Move, *, observations: MoveObservations, now: int) -> ObservedMove:
    """Store the move observation of a feed of `host`, and return the current state of the move.

    A second observation at the same moment, as from a duplicate message, changes nothing. Raises Throttled,
    StoreUnavailable, or Conflict if the conditional write keeps failing.
    """
    observation = observed(observations.observation(feed_id, now=now), move, now)
    observations.remember(feed_id, observation)
    is_shared = leads_to_shared_target(host, move.target, observations=observations, now=now)
    return ObservedMove(observation=observation, is_shared_target=is_shared)


def leads_to_shared_target(host: str, target: str, *, observations: MoveObservations, now: int) -> bool:
    """Count a feed of `host` among those that move to `target`, and return whether too many are unrelated.

    Proven moves are counted too. A move within the host's own domain needs no read. Raises as `observe_move` does.
    """
    if not with_arrival(SharedTarget(), host, target, now).domains:
        return False
    key = target_key(target)
    for _ in range(_RETRIES):
        before, rev = observations.shared_target(key, now=now)
        after = with_arrival(before, host, target, now)
        if after == before or observations.save_shared_target(key, after, seen_rev=rev, now=now):
            return is_shared_target(after, now)
    raise Conflict("other feeds kept moving to the same URL")


BY: Final = "check"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveDecision:
    """The decision on the moves that a check observed.

    `adopt` is the move to request, `same_feed` whether it is proven. `waits`: a redirect leads to a document that is
    not proven to be this feed. `forget`: the next check must read the whole document, since a move depends on it.
    """

    adopt: Move | None = None
    same_feed: bool = False
    waits: bool = False
    forget: bool = False


NO_MOVE: Final = MoveDecision()


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveEvaluator:
    """Decides on the moves of one feed in one check, which ended at `now`."""

    due: DueFeed
    observations: MoveObservations
    connection: Connection
    now: int

    def judge(self, seen: Visit, known: Recent | None) -> MoveDecision:
        """Return the decision on the moves of a successful check; `known` was stored before it."""
        move_decision = self._evaluate_redirects(seen, known)
        if move_decision.adopt is not None or move_decision.waits:
            return move_decision
        return self._evaluate_announced(seen)

    def judge_elsewhere(self, found: Visit, known: Recent | None) -> MoveDecision:
        """Return the decision on another working URL while the feed's own one fails (rule H6).

        A spelling of the same URL needs no further proof. An earlier URL must serve a known item.
        """
        from feedward.health.other_urls import gives_up_https, return_to  # noqa: PLC0415 - most feeds never need it
        from feedward.urls.permanent_redirects import stable_url  # noqa: PLC0415

        url, start = self.due.url, found.found_at or found.fetch.url
        move = return_to(url, start, stable_url(found.fetch))
        is_same = is_known_document(found, known) or shows_known_items(found, known)
        is_spelling = key_or_text(found.fetch.url) == key_or_text(url)
        if not (is_spelling or is_same) or not self._may_be_stored(move.target):
            return NO_MOVE
        is_proven = not gives_up_https(url, move)
        may = may_adopt(move, same_feed=True) if is_proven else self._may_adopt(move, is_same=False)
        return MoveDecision(adopt=move if may else None, same_feed=is_same)

    def _evaluate_redirects(self, seen: Visit, known: Recent | None) -> MoveDecision:
        """Choose the farthest redirect that may be adopted; the https upgrade if it is the only one."""
        moves = [move for move in redirected(seen.fetch) if self._may_be_stored(move.target)]
        if not moves:
            return NO_MOVE
        is_same = is_known_document(seen, known)
        adopt = next((move for move in moves if self._may_adopt(move, is_same=is_same)), None)
        is_open = moves[0].reason is not MoveReason.HTTPS_UPGRADE and not is_changing(self.due.url, moves[0])
        waits = is_open and not (is_same and adopt is moves[0])
        return MoveDecision(adopt=adopt, same_feed=is_same, waits=waits, forget=waits)

    def _evaluate_announced(self, seen: Visit) -> MoveDecision:
        """Fetch the itunes:new-feed-url and compare its document, as for the end of a redirect."""
        move = announced(seen.fetch.url, seen.feed.new_feed_url) if seen.feed else None
        if move is None or not self._may_be_stored(move.target) or move.target == seen.fetch.url:
            return NO_MOVE
        found = self.connection.read(self.connection.fetch(move.target))
        if seen.feed is None or found.feed is None:
            return NO_MOVE
        move = replace(move, target=_end_of_moves(found.fetch, move.target))
        there = Document(body=found.fetch.body, feed=found.feed, url=found.fetch.url)
        here = Document(body=seen.fetch.body, feed=seen.feed, url=seen.fetch.url)
        is_same = same_feed(here, there) is not None
        may = self._may_be_stored(move.target) and self._may_adopt(move, is_same=is_same)
        return MoveDecision(adopt=move if may else None, same_feed=is_same, forget=True)

    def _may_be_stored(self, target: str) -> bool:
        """Return whether the target is another URL, and brings no token into a shared feed (rule T1)."""
        url = self.due.url
        is_private = self.due.owner is None and has_token(target) and not has_token(url)
        return target != url and not is_private and not only_adds_parameters(target, url)

    def _may_adopt(self, move: Move, *, is_same: bool) -> bool:
        """Apply rule F2, after recording the observation that it needs."""
        if move.reason is MoveReason.HTTPS_UPGRADE:
            return may_adopt(move, same_feed=is_same)
        due, observations, now = self.due, self.observations, self.now
        try:
            if is_same and not is_changing(due.url, move):
                is_shared = leads_to_shared_target(due.host, move.target, observations=observations, now=now)
                return may_adopt(move, same_feed=True, is_shared_target=is_shared)
            seen = observe_move(due.feed_id, due.host, move, observations=observations, now=now)
        except Conflict:  # many feeds move to the same URL at this moment: a later check may adopt it
            return False
        return may_adopt(move, same_feed=False, observation=seen.observation, is_shared_target=seen.is_shared_target)


def is_known_document(seen: Visit, known: Recent | None) -> bool:
    """Return whether a check found the known document, or one with the same signature (rule C8)."""
    if seen.is_unchanged:
        return True
    if seen.feed is None or known is None or known.signature is None:
        return False
    return bool(seen.feed.title or seen.feed.items) and signature(seen.feed, seen.fetch.url) == known.signature


def shows_known_items(seen: Visit, known: Recent | None) -> bool:
    """Return whether the document has an item that the feed had before."""
    if seen.feed is None or known is None:
        return False
    return is_known_among(known, seen.feed.items, site_url=seen.feed.site_url)


def ask_move(
    after: DueFeed, move_decision: MoveDecision, fetch: FetchResult, moves: FeedMoves, now: int
) -> MoveResult | None:
    """Request the relocation of the feed as written by the check. None: no move, or one that the next check retries."""
    move = move_decision.adopt
    if move is None:
        return None
    asked = FeedMove(
        feed_id=after.feed_id,
        url=after.url,
        to=move.target,
        seen_rev=after.rev,
        reason=move.reason,
        by=BY,
        now=now,
        why=_why(move_decision, is_redirected=bool(fetch.hops)),
        aliases=tuple(_between(fetch, after.url, move.target)),
        evidence=_evidence(fetch, move_decision),
    )
    try:
        return moves.move(asked)
    except FeedwardError:
        return None


_RETURNS: Final = frozenset({MoveReason.HTTPS_UPGRADE, MoveReason.OTHER_SPELLING, MoveReason.EARLIER_URL})


def _end_of_moves(fetch: FetchResult, target: str) -> str:
    return next((move.target for move in redirected(fetch)), target)


def _between(fetch: FetchResult, start: str, target: str) -> Sequence[str]:
    """Return the URLs that redirected from one URL to the other: they become aliases of the feed."""
    asked = [*(hop.url for hop in fetch.hops), fetch.url]
    on_the_way = asked[: asked.index(target)] if target in asked else []
    return [url for url in dict.fromkeys(on_the_way) if url != start]


def _why(move_decision: MoveDecision, *, is_redirected: bool) -> str:
    reason = move_decision.adopt.reason if move_decision.adopt else None
    if reason is MoveReason.HTTPS_UPGRADE and is_redirected:
        return "the URL redirects to its https form"
    if reason in _RETURNS:
        return "the URL failed, and this URL of the same feed works"
    return "it serves the same feed" if move_decision.same_feed else "checks a day or more apart saw the move"


def _evidence(fetch: FetchResult, move_decision: MoveDecision) -> Mapping[str, Any]:
    hops = [{"url": hop.url, "status": hop.status} for hop in fetch.hops]
    return {"redirects": hops, "landed_at": fetch.url, "status": fetch.status, "same_feed": move_decision.same_feed}
