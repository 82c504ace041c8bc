"""One period of some feeds: they are due once, and each is checked once, despite all faults of their messages.

It is driven to its end by the product's own passes, and then told as a line and judged feed by feed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from feedward.adapters.dynamodb.store.codec import Item
from tests.local.faulty_stack.feeds import MadeUpFeed
from tests.local.faulty_stack.rows import FeedRows
from tests.local.faulty_stack.stack import DEAD_LETTERS, QUEUE, FaultyStack
from tests.store_contents import due_at

# The lease of a dead sweep is over, and so is the time in which the writer of an event may still send it.
A_LITTLE_S: Final = 2 * 60
OVERDUE_S: Final = 21 * 60
SWEEPS_AT_MOST: Final = 20
REPAIRS_AT_MOST: Final = 2
RECONCILIATIONS_AT_MOST: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The work of a period, and its results.

    - sent: messages that the queue took; delivered: those that workers had, and `again`: not for the first time
    - dead: letters; deaths: workers that were killed; throttled: of so many `calls` of DynamoDB
    - begun: how often a feed came to a worker; fetched: how often one was asked for at its server
    - applied: checks, as the feeds' revisions count them; lost: due feeds without one
    - told: feeds of whose news the bus has heard; repaired: how often the repair pass had to let a feed be due anew
    """

    period: str
    feeds: int
    sent: int
    delivered: int
    again: int
    deaths: int
    calls: int
    throttled: int
    begun: int
    fetched: int
    applied: int
    lost: int
    told: int
    repaired: int
    dead: int

    def __str__(self) -> str:
        throttled = f", {self.throttled} of {self.calls} calls throttled" if self.calls else ""
        return (
            f"{self.period}: {self.feeds} feeds due, {self.sent} messages sent, {self.delivered} delivered "
            f"({self.again} of them again, {self.dead} dead letters), {self.deaths} workers killed{throttled}; "
            f"{self.begun} checks begun, {self.fetched} fetched, {self.applied} applied, {self.lost} lost, "
            f"news of {self.told} told, {self.repaired} repaired"
        )


class Period:
    """From the time at which the feeds are due."""

    def __init__(self, name: str, stack: FaultyStack, rows: FeedRows, every: Sequence[MadeUpFeed]) -> None:
        """Read the current state of all feeds; those that are due by the workers' clock belong to this period."""
        self._name, self._stack, self._rows, self._every = name, stack, rows, every
        self.began_at = stack.now()
        self._before = rows.feeds(every)
        self.due = [
            feed for feed in every if self._before[feed.number].get("next_check_at", self.began_at + 1) <= self.began_at
        ]
        self._issues = {feed.number: stack.server.issue(feed) for feed in self.due}
        self._recent = rows.recent(self.due)
        self._asked = stack.server.asked()
        self._noted = len(stack.controls.journal())
        self._dead = stack.waiting(DEAD_LETTERS)
        self.repaired = self.calls = self.throttled = 0
        self._told: dict[str, dict[str, list[str]]] = {}

    # --- events ------------------------------------------------------------------------------------

    def sweep_to_the_end(self) -> int:
        """Sweep each minute until there is nothing more to send, and return the number of killed sweeps."""
        killed = 0
        for _ in range(SWEEPS_AT_MOST):
            report = self._stack.do("sweep")
            killed += report is None
            if report and report["complete"] and not report["leased"]:
                return killed
            self._stack.wait(60)
        raise AssertionError("the sweeps came to no end")

    def drive_home(self) -> None:
        """Let the automatic work run until none is left: the queue, the repair pass, the reconcile pass.

        A repaired feed would have been lost without the pass.
        """
        self._stack.wait_until_idle()
        for _ in range(REPAIRS_AT_MOST):
            if not self._unchecked():
                break
            self._stack.wait(OVERDUE_S)
            report = self._stack.do("repair")
            self.repaired += report["postponed"] if report else 0
            self._stack.wait(A_LITTLE_S)
            self.sweep_to_the_end()
            self._stack.wait_until_idle()
        for _ in range(RECONCILIATIONS_AT_MOST):
            self._stack.wait(A_LITTLE_S)
            report = self._stack.do("reconcile")
            if report and report["complete"]:
                break
        for detail in self._stack.heard():
            items = [item["id"] for item in detail["items"]]
            self._told.setdefault(detail["feed_id"], {})[detail["id"]] = items

    def _unchecked(self) -> list[int]:
        now = self._rows.feeds(self.due)
        return [number for number, feed in now.items() if feed["last_attempt_at"] < self.began_at]

    # --- results -----------------------------------------------------------------------------------

    def report(self) -> Report:
        """Count the results."""
        after = self._rows.feeds(self.due)
        noted = self._stack.controls.journal()[self._noted :]
        batches = [entry for entry in noted if entry["what"] == "batch"]
        moved = [after[feed.number]["rev"] - self._before[feed.number]["rev"] for feed in self.due]
        return Report(
            period=self._name,
            feeds=len(self.due),
            sent=sum(entry["messages"] for entry in noted if entry["what"] == "sent"),
            delivered=sum(batch["messages"] for batch in batches),
            again=sum(batch["again"] for batch in batches),
            deaths=sum(entry["what"] == "death" for entry in noted),
            calls=self.calls,
            throttled=self.throttled,
            begun=sum(batch["feeds"] for batch in batches),
            fetched=sum(self.fetches.values()),
            applied=sum(moved) - self.repaired,  # a repair is a revision as well
            lost=len(self._unchecked()),
            told=len(self._told),
            repaired=self.repaired,
            dead=self._stack.waiting(DEAD_LETTERS) - self._dead,
        )

    @property
    def fetches(self) -> Counter[int]:
        """The number of requests of each feed in this period, by number."""
        return self._stack.server.asked() - self._asked

    def faults(self) -> list[str]:
        """The differences from a period in which each due feed was checked once, and no other at all."""
        after = self._rows.feeds(self._every)
        recent, fetches = self._rows.recent(self.due), self.fetches
        found = [f"the queue holds {self._stack.waiting(QUEUE)} messages"] if self._stack.waiting(QUEUE) else []
        found += [f"an event of {feed_id} is undelivered" for feed_id in self._rows.with_undelivered()]
        for feed in self.due:
            state = after[feed.number]
            found += [f"{feed.url} {fault}" for fault in self._faults_of(feed, state, recent[feed.number])]
            found += [] if fetches[feed.number] else [f"{feed.url} was not asked for"]
        due = {feed.number for feed in self.due}
        others = [feed for feed in self._every if feed.number not in due]
        found += [f"{feed.url} was not due" for feed in others if after[feed.number] != self._before[feed.number]]
        return found

    def _faults_of(self, feed: MadeUpFeed, state: Item, recent: Sequence[str]) -> Iterator[str]:
        before = self._before[feed.number]
        # A repaired feed has one revision more, which no check made.
        revisions = state["rev"] - before["rev"]
        if not 1 <= revisions <= 1 + bool(self.repaired):
            yield f"was written {revisions} times"
        if (state["state"], state["consecutive_failures"]) != ("healthy", 0):
            yield f"is {state['state']} with {state['consecutive_failures']} failures"
        if not self.began_at <= state["last_attempt_at"] <= state["last_success_at"] <= self._stack.now():
            yield f"was tried at {state['last_attempt_at']}, and answered at {state['last_success_at']}"
        ahead_s = due_at(state, state["last_attempt_at"]) - state["last_attempt_at"]
        if ahead_s < 60:
            yield f"is due {ahead_s} s after its check"
        yield from self._faults_of_news(feed, recent)

    def _faults_of_news(self, feed: MadeUpFeed, recent: Sequence[str]) -> Iterator[str]:
        known = self._recent[feed.number]
        new = [feed.item_id(self._issues[feed.number])]
        new = [] if new[0] in known else new
        if list(recent) != (new + known)[: len(recent)] or len(recent) < min(20, len(known) + len(new)):
            yield f"has {recent} after {known}"
        told = self._told.get(feed.feed_id, {})
        if list(told.values()) != ([new] if new else []):
            yield f"told of {list(told.values())}, and not of {new}"
