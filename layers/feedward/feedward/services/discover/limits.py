"""The limits of a discovery (rule D1)."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.discovery.site import CANDIDATES_KEPT


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds for the whole discovery and for one request; requests in total, in flight, and for one host.

    The other limits are the number of leads to try of each kind: links that a page advertises, its feed-like anchors,
    links of the pages behind anchors, feeds of platform rules and RSSHub. `candidates` limits those in the result.
    """

    answer_s: float = 3.5
    request_s: float = 2.5
    requests: int = 24
    in_flight: int = 8
    per_host: int = 6
    advertised: int = 10
    anchors: int = 6
    second_hop: int = 8
    platform: int = 3
    rsshub: int = 3
    candidates: int = CANDIDATES_KEPT

    @property
    def are_short(self) -> bool:
        """True if a job waits longer for a slow site than these limits do."""
        return self.request_s < JOB_LIMITS.request_s


ANSWER_LIMITS = Limits()
JOB_LIMITS = Limits(answer_s=60.0, request_s=15.0)
