"""Revives a lost feed: searches for it and relocates it to its new URL (rule H6).

A check asks for revival at most once a day, a person at any time. The handler is idempotent: the same request may
arrive twice, late, or at the same time as another one. Before the relocation the feed is read again. It is relocated
with optimistic locking (rule I6), and only if it still needs it.
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
from feedward.model import Outcome
from feedward.ports import CheckStore, FeedMoves, Revivals, WorkQueue
from feedward.services.check.enqueue_check import enqueue_check
from feedward.services.discover.register_canonical import ChosenFeed
from feedward.services.discover.site_run import STORE_S, Directory, Found, Request, SiteRun
from feedward.services.relay_outbox import relay_outbox
from feedward.services.revive.eligibility import may_be_bettered, no_need
from feedward.services.revive.search_feed import Looked, RevivalSearch
from feedward.services.revive.successor import Judged, Lost
from feedward.services.work.polite_fetch import polite_fetcher
from feedward.urls.key import key_or_text

# The number of times that the feed is read and decided again after a concurrent write.
_READ_AT_MOST: Final = 5
_TRIED_AT_MOST: Final = 3
_TOLD_AT_MOST: Final = 5
_OBJECTION_CHARS: Final = 200
_BY: Final = "revival"
_APPLIED: Final = {MoveOutcome.MOVED: RevivalOutcome.RELOCATED, MoveOutcome.MERGED: RevivalOutcome.MERGED}


def revive(asked: RevivalRequested, *, directory: RevivalDirectory, deadline: Deadline | None = None) -> Revival:
    """Search for the feed if it still needs revival, and relocate it to the best successor.

    Ends by the `deadline`. Returns the outcome with its evidence; the audit log has it too if the feed was relocated or
    a person asked. Raises the errors of the stores; the request can then be retried.
    """
    deadline = deadline or Deadline(monotonic=directory.clock.monotonic)
    revivals = directory.revivals.within(deadline)
    feed = revivals.lost_feed(asked.feed_id)
    refusal = no_need(feed, asked, directory.clock.now())
    if refusal is None and asked.tenant_id and directory.keys.within(deadline).is_gone(asked.tenant_id):
        refusal = RevivalOutcome.FOREIGN
    if feed is None or refusal is not None:
        outcome = refusal or RevivalOutcome.UNKNOWN
        return Revival(outcome=outcome, feed_id=asked.feed_id, url=feed.url if feed else "")
    if not revivals.begin(asked):
        return Revival(outcome=RevivalOutcome.ASKED_BEFORE, feed_id=feed.feed_id, url=feed.url)
    return RevivalRun(asked, feed, directory, deadline).revive()


class RevivalDirectory(Directory, Protocol):
    """The ports of a revival, in addition to those of a discovery."""

    @property
    def moves(self) -> FeedMoves: ...
    @property
    def revivals(self) -> Revivals: ...
    @property
    def checks(self) -> CheckStore: ...
    @property
    def health_queue(self) -> WorkQueue: ...


class RevivalRun:
    """A revival that was started. It ends by the `deadline`, its store calls included."""

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
        """Search for the feed, relocate it to the best candidate, and record the result.

        A host that limits requests does not show whether the feed is lost: then nothing is searched.
        """
        answer = self._search.ask(self.feed.url)
        if answer.outcome is Outcome.RATE_LIMITED:
            return self._end(RevivalOutcome.UNREACHABLE)
        is_there = answer.feed is not None
        if is_there and not may_be_bettered(self.feed, self.asked, self.clock.now()):
            return self._end(RevivalOutcome.STILL_THERE)
        self._looked = self._search.look(self._lost(is_there=is_there))
        return self._take_first(self._looked.found[:_TRIED_AT_MOST])

    # --- the lost feed --------------------------------------------------------------------

    def _lost(self, *, is_there: bool) -> Lost:
        feed = self.feed
        return Lost(
            url=feed.url,
            owned_urls=() if is_there else tuple(self.directory.checks.within(self._deadline).owned_urls(feed.feed_id)),
            sites=self._sites(),
            title=feed.title,
            items=tuple(each.item for each in feed.recent.items),
            document=feed.recent.signature,
            newest_item_at=feed.health.latest_item_published_at,
            is_there=is_there,
            is_private=feed.owner is not None,
        )

    def _sites(self) -> tuple[str, ...]:
        """The feed's sites: the one that its document named, the one whose discovery chose it, the imported link.

        A site that is the feed's own URL is left out: that URL is searched anyway.
        """
        stored = self.directory.sites.within(self._deadline).site(self.feed.site_id) if self.feed.site_id else None
        urls = (self.feed.site_url, stored.site.url if stored else None, self.feed.site_link)
        own = key_or_text(self.feed.url)
        return tuple(dict.fromkeys(url for url in urls if url and key_or_text(url) != own))

    # --- relocation -------------------------------------------------------------------------

    def _take_first(self, found: Sequence[Judged]) -> Revival:
        """Relocate to the first candidate that works. An undone URL is tried last, and only if a person asks."""
        is_person = self.asked.reason is RevivalReason.REQUESTED
        for overrules in (False, True)[: 1 + is_person]:
            for judged in found:
                revival = self._take(judged, overrules=overrules)
                if revival is not None:
                    return revival
        is_blind = self._looked.is_blind
        return self._end(RevivalOutcome.UNREACHABLE if is_blind else RevivalOutcome.NOTHING_FOUND)

    def _take(self, judged: Judged, *, overrules: bool) -> Revival | None:
        """Relocate to this candidate, or end the revival. Returns None if another candidate may be tried."""
        clean = self._search.canonical(judged.candidate)
        if clean.url is None or clean.url == self.feed.url:
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
        """Do the follow-up work of a stored relocation. Failures here are retried later (rule I7)."""
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
        """Save the discovery to its site if the site's choice is this feed. Returns the code of an error, or None."""
        discovery = next((each for each in self._looked.discoveries if self._chose(each, judged)), None)
        if discovery is None or discovery.canonical is None:
            return None
        chosen = ChosenFeed(feed_id=result.feed_id, url=result.url, score=discovery.canonical.score)
        run = SiteRun(
            Request(url=discovery.url, scope=self.feed.owner or "", tenant_id=self.feed.owner),
            self.directory,
            self._deadline,
        )
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

    # --- result --------------------------------------------------------------------------

    def _evidence(self) -> Mapping[str, Any]:
        """The evidence for the audit log. It is small, since it is never deleted."""
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
        """Store the end of the revival. Without a relocation the audit log has an entry only if a person asked.

        A relocation is in the audit log already and needs no retry; otherwise an error is raised, and the request is
        retried.
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
