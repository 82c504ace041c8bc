"""How far a discovery may go (rule D1)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds for the whole answer and for one request; requests in all, at the same time and for one host.

    The rest says how many leads of a sort are tried: links that a page advertises, its feed-like anchors, links of the
    pages that anchors led to, feeds that platform rules or RSSHub propose. `candidates` is how many are told of.
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
    candidates: int = 80

    @property
    def are_short(self) -> bool:
        """True if a site that was too slow for these may answer a job."""
        return self.request_s < JOB_LIMITS.request_s


ANSWER_LIMITS = Limits()
JOB_LIMITS = Limits(answer_s=60.0, request_s=15.0)
