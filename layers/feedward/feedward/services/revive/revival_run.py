"""One revival of one feed: look, choose, move, and say what was done (rule H6). See revive.py for who may ask.

What was found is only a proposal until the feed, read again, still needs it: then it moves as it was read, or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from feedward.deadline import Deadline
from feedward.discovery.candidate import Candidate
from feedward.discovery.result import Discovery
from feedward.errors import FeedwardError
from feedward.events.envelope import RevivalRequested
from feedward.health.decision import RevivalReason
from feedward.health.moves import MoveReason
from feedward.health.relocation import FeedMove, MoveOutcome, MoveResult
from feedward.health.revival import LostFeed, Revival, RevivalOutcome
from feedward.ports import CheckStore, FeedMoves, Revivals, WorkQueue
from feedward.services.check.enqueue import enqueue_check
from feedward.services.discover.register_canonical import ChosenFeed
from feedward.services.discover.site_run import STORE_S, Directory, Found, Request, SiteRun
from feedward.services.relay_outbox import relay_outbox
from feedward.services.revive.choice import Judged, Lost
from feedward.services.revive.eligibility import may_be_bettered, no_need
from feedward.services.revive.search import Looked, RevivalSearch
from feedward.services.work.polite_fetch import polite_fetcher
from feedward.urls.key import key_or_text

# The feed was written between reading and moving it: so often it is read and decided again.
_READ_AT_MOST: Final = 5
_TRIED_AT_MOST: Final = 3
_TOLD_AT_MOST: Final = 5
_OBJECTION_CHARS: Final = 200
_BY: Final = "revival"
_APPLIED: Final = {MoveOutcome.MOVED: RevivalOutcome.SWAPPED, MoveOutcome.MERGED: RevivalOutcome.MERGED}


class RevivalDirectory(Directory, Protocol):
    """What revival works with, beside what a discovery does."""

    @property
    def moves(self) -> FeedMoves: ...
    @property
    def revivals(self) -> Revivals: ...
    @property
    def checks(self) -> CheckStore: ...
    @property
    def health_queue(self) -> WorkQueue: ...


class RevivalRun:
    """A revival that was begun, from now until the `deadline`, which its stores keep to as well."""

    def __init__(
        self, asked: RevivalRequested, feed: LostFeed, directory: RevivalDirectory, deadline: Deadline
    ) -> None:
        self.asked = asked
        self.feed = feed
        self.directory = directory
        self.clock = directory.clock
        self._deadline = deadline
        self._revivals = directory.revivals.within(deadline)
        self._looked = Looked(discoveries=(), judged=())
        self._search = RevivalSearch(
            polite_fetcher(directory.fetcher, directory.limiter, self.clock),
            deadline.before(2 * STORE_S),
            rsshub_base=directory.rsshub_base,
            now=self.clock.now,
        )

    def revive(self) -> Revival:
        """Look for the feed, let the best that was found take its place, and keep what came of it."""
        is_there = self._search.is_there(self.feed.url)
        if is_there and not may_be_bettered(self.feed, self.asked, self.clock.now()):
            return self._end(RevivalOutcome.STILL_THERE)
        self._looked = self._search.look(self._lost(is_there=is_there))
        return self._take_first(self._looked.found[:_TRIED_AT_MOST])

    # --- what is looked for --------------------------------------------------------------------

    def _lost(self, *, is_there: bool) -> Lost:
        feed = self.feed
        return Lost(
            url=feed.url,
            sites=self._sites(),
            title=feed.title,
            items=tuple(each.item for each in feed.recent.items),
            document=feed.recent.signature,
            newest_item_at=feed.health.latest_item_published_at,
            is_there=is_there,
            is_private=feed.owner is not None,
        )

    def _sites(self) -> tuple[str, ...]:
        """Its site: what it named itself, the page that chose it, what an import brought with it.

        Who typed the feed's own URL made a site of that; it is looked at anyway.
        """
        stored = self.directory.sites.within(self._deadline).site(self.feed.site_id) if self.feed.site_id else None
        urls = (self.feed.site_url, stored.site.url if stored else None, self.feed.site_link)
        own = key_or_text(self.feed.url)
        return tuple(dict.fromkeys(url for url in urls if url and key_or_text(url) != own))

    # --- what is taken -------------------------------------------------------------------------

    def _take_first(self, found: Sequence[Judged]) -> Revival:
        """Move to the first that can be moved to. What a person took back is tried last, and only for a person."""
        is_person = self.asked.reason is RevivalReason.REQUESTED
        for overrules in (False, True)[: 1 + is_person]:
            for judged in found:
                revival = self._take(judged, overrules=overrules)
                if revival is not None:
                    return revival
        is_blind = self._looked.is_blind
        return self._end(RevivalOutcome.UNREACHABLE if is_blind else RevivalOutcome.NOTHING_FOUND)

    def _take(self, judged: Judged, *, overrules: bool) -> Revival | None:
        """Move to this one, or say why the revival is over. None: another one may be tried."""
        clean = self._search.canonical(judged.candidate)
        if clean.url is None or key_or_text(clean.url) == key_or_text(self.feed.url):
            return None
        for _ in range(_READ_AT_MOST):
            feed = self._revivals.lost_feed(self.feed.feed_id)
            refusal = no_need(feed, self.asked, self.clock.now())
            if feed is None or refusal is not None:
                return self._end(refusal or RevivalOutcome.UNKNOWN)
            if feed.url != self.feed.url:
                return self._end(RevivalOutcome.CHANGED)
            result = self.directory.moves.within(self._deadline).move(
                self._move(feed, clean.url, clean.aliases, overrules=overrules)
            )
            if result.outcome in _APPLIED:
                return self._moved(result, judged)
            if result.outcome is MoveOutcome.UNDONE:
                return None
        return self._end(RevivalOutcome.CHANGED)

    def _move(self, feed: LostFeed, to: str, aliases: Sequence[str], *, overrules: bool) -> FeedMove:
        return FeedMove(
            feed_id=feed.feed_id,
            url=feed.url,
            to=to,
            seen_rev=feed.rev,
            reason=MoveReason.REVIVAL,
            by=self.asked.requested_by or _BY,
            now=self.clock.now(),
            why=self.asked.reason.value,
            aliases=tuple(aliases),
            evidence=self._evidence(),
            overrules=overrules,
        )

    def _moved(self, result: MoveResult, judged: Judged) -> Revival:
        """The move stands: what follows from it, others do where it fails here (rule I7)."""
        feed_id, directory = result.feed_id, self.directory
        undelivered = [self._keep_site(result, judged)]
        undelivered += [self._publish(each) for each in dict.fromkeys((self.feed.feed_id, feed_id))]
        undelivered.append(
            enqueue_check(
                feed_id,
                checks=directory.checks.within(self._deadline),
                queue=directory.health_queue.within(self._deadline),
                now=self.clock.now(),
            )
        )
        return self._end(_APPLIED[result.outcome], result, undelivered)

    def _publish(self, feed_id: str) -> str | None:
        directory = self.directory
        return relay_outbox(feed_id, outbox=directory.outbox, bus=directory.bus, deadline=self._deadline)

    def _keep_site(self, result: MoveResult, judged: Judged) -> str | None:
        """Let the site whose own choice this is know it, with all that was found there. Returns an error's code."""
        discovery = next((each for each in self._looked.discoveries if self._chose(each, judged)), None)
        if discovery is None or discovery.canonical is None:
            return None
        chosen = ChosenFeed(feed_id=result.feed_id, url=result.url, score=discovery.canonical.score)
        run = SiteRun(Request(url=discovery.url, scope=self.feed.owner or ""), self.directory, self._deadline)
        try:
            run.keep(Found(discovery=discovery, feed=chosen), run.known())
        except FeedwardError as error:
            return error.code
        return None

    def _chose(self, discovery: Discovery, judged: Judged) -> bool:
        choice = discovery.canonical
        if choice is None or key_or_text(discovery.url) == key_or_text(self.feed.url):
            return False
        return _landing_key(choice) == _landing_key(judged.candidate)

    # --- what is said --------------------------------------------------------------------------

    def _evidence(self) -> Mapping[str, Any]:
        """On what grounds: small, for it is kept for ever."""
        return {
            "event_id": self.asked.event_id,
            "outcome": self.asked.outcome,
            "requests": self._search.requests,
            "searched": [{"url": each.url, "outcome": each.outcome.value} for each in self._looked.discoveries],
            "candidates": [_told(each) for each in self._looked.judged[:_TOLD_AT_MOST]],
        }

    def _end(
        self, outcome: RevivalOutcome, result: MoveResult | None = None, undelivered: Sequence[str | None] = ()
    ) -> Revival:
        evidence = self._evidence()
        codes = [*undelivered, self._keep_end(outcome, evidence, is_moved=result is not None)]
        return Revival(
            outcome=outcome,
            feed_id=result.feed_id if result else self.feed.feed_id,
            url=result.url if result else self.feed.url,
            before=self.feed.url,
            requests=self._search.requests,
            evidence=evidence,
            undelivered=tuple(code for code in codes if code),
        )

    def _keep_end(self, outcome: RevivalOutcome, evidence: Mapping[str, Any], *, is_moved: bool) -> str | None:
        """Write down that it is done. Where nothing moved, history has it only if a person asked.

        What moved is in history already, and needs no second try; all else is asked again if it cannot be written.
        """
        is_told = self.asked.reason is RevivalReason.REQUESTED and not is_moved
        try:
            self._revivals.end(
                self.asked, now=self.clock.now(), outcome=outcome.value, evidence=evidence, is_told=is_told
            )
        except FeedwardError as error:
            if not is_moved:
                raise
            return error.code
        return None


def _landing_key(candidate: Candidate) -> str:
    return key_or_text(candidate.final_url or candidate.url)


def _told(judged: Judged) -> Mapping[str, Any]:
    candidate = judged.candidate
    told = {
        "url": candidate.final_url or candidate.url,
        "score": candidate.score,
        "kind": candidate.kind.value,
        "tie": judged.tie.value if judged.tie else None,
        "objection": judged.objection[:_OBJECTION_CHARS],
    }
    return {name: value for name, value in told.items() if value not in (None, "")}
