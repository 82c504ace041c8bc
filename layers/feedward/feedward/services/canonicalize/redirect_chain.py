"""How fetches that run side by side share what is left of a budget for their redirects, whatever their timing.

Each gets a fixed share before it starts. A chain that only its share cut off goes on from where it ended.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from feedward.model import FetchResult, Hop, Outcome
from feedward.urls.parse import join_url, parse_url
from feedward.urls.redirects import MAX_REDIRECTS
from feedward.urls.safety import request_url


def shares(count: int, left: int) -> list[int]:
    """How many redirects each of `count` fetches may follow when `left` requests are left for all of them.

    Each needs one request for itself. What does not divide goes to the first ones.
    """
    each, over = divmod(max(0, left - count), max(1, count))
    return [min(MAX_REDIRECTS, each + (index < over)) for index in range(count)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The redirects of one URL: `fetch` is what came of them so far, `allowed` how many they could be by then."""

    url: str
    fetch: FetchResult | None = None
    allowed: int = 0

    @property
    def is_cut(self) -> bool:
        """True if more redirects than its share were needed, and no more than any chain may have."""
        if self.fetch is None or self.fetch.outcome is not Outcome.TOO_MANY_REDIRECTS:
            return False
        return len(self.fetch.hops) == self.allowed < MAX_REDIRECTS

    @property
    def next_url(self) -> str:
        """What is to be asked next: the URL itself, or the last Location. The fetch judges it like any other."""
        if self.fetch is None:
            return self.url
        base = parse_url(self.fetch.url)
        location = self.fetch.headers.get("location", "").strip(" \t").replace(" ", "%20")
        target = join_url(base, location) if base else None
        return request_url(target) if target else self.fetch.url

    def limit_of(self, share: int) -> int:
        """How many redirects the next part may follow. To ask for that part at all is a redirect too."""
        done = 0 if self.fetch is None else len(self.fetch.hops) + 1
        return max(0, min(share, MAX_REDIRECTS - done))

    def with_part(self, rest: FetchResult, limit: int) -> Chain:
        """The chain with what came of its next part, which could follow `limit` redirects."""
        if self.fetch is None:
            return replace(self, fetch=rest, allowed=limit)
        return replace(self, fetch=_joined(self.fetch, rest), allowed=len(self.fetch.hops) + 1 + limit)


def _joined(cut: FetchResult, rest: FetchResult) -> FetchResult:
    hops = (*cut.hops, Hop(url=cut.url, status=cut.status or 0), *rest.hops)
    whole = replace(rest, hops=hops, requests=cut.requests + rest.requests)
    asked = {*(hop.url for hop in cut.hops), cut.url}
    if asked.isdisjoint([*(hop.url for hop in rest.hops), rest.url]):
        return whole
    return replace(whole, outcome=Outcome.REDIRECT_LOOP, body=b"", detail="the redirects lead in a circle")
