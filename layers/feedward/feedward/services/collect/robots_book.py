"""The robots.txt of each origin, as long as a batch lasts: looked up once in the store, fetched if nobody did today."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from feedward.errors import FeedwardError
from feedward.frontier.robots import BYTES_AT_MOST, KEPT_S, REDIRECTS_AT_MOST, Robots, read_robots, unreachable
from feedward.model import FetchResult
from feedward.services.collect.parts import CollectParts


@dataclass(slots=True)
class RobotsBook:
    """One object serves all threads of a batch: at worst two of them ask for the same."""

    parts: CollectParts
    _known: dict[str, Robots | FetchResult] = field(default_factory=dict)

    def find(self, origin: str) -> Robots | FetchResult | None:
        """What is known of an origin: its rules, or how the fetch of them failed in this batch. None: fetch it.

        Raises what the store raises.
        """
        known = self._known.get(origin)
        if known is None and (text := self.parts.robots.robots(origin, now=self.parts.clock.now())) is not None:
            known = self._known[origin] = self._rules(text)
        return known

    def fetch(self, origin: str, *, within_s: float | None) -> tuple[Robots | FetchResult, int]:
        """Ask the origin for its robots.txt, and keep what it says for a day; a failure is kept for this batch.

        Returns what `find` will say from now on, and how many requests were sent.
        """
        answer = self.parts.fetcher.fetch(
            f"{origin}/robots.txt", within_s=within_s, max_redirects=REDIRECTS_AT_MOST, first_bytes=BYTES_AT_MOST
        )
        if unreachable(answer) is not None:
            self._known[origin] = answer
            return answer, answer.requests
        text = read_robots(answer.body)
        with suppress(FeedwardError):  # whoever comes next asks once more
            self.parts.robots.remember_robots(origin, text, until=self.parts.clock.now() + KEPT_S)
        rules = self._known[origin] = self._rules(text)
        return rules, answer.requests

    def _rules(self, text: str) -> Robots:
        return Robots(text=text, product=self.parts.robots_product)
