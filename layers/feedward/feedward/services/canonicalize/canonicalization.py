"""The state of one canonicalization and the operations of its steps: refuse, fetch, test, call `exists`.

This module enforces the budget, the deadline and "no URL twice", and writes the trace, so that steps only decide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from feedward.canonical.cleanliness import Variant
from feedward.canonical.fetch_results import Visit, Visits, asked_urls, landing_url
from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import CandidateState, Event, FirstDocument, Reason, Source, Step, What
from feedward.canonical.same_feed import Comparison
from feedward.deadline import Deadline
from feedward.feeds.read_feed import FetchedFeed
from feedward.model import FetchResult, Hop, Known, Outcome
from feedward.pages.challenge import without_wall
from feedward.ports import Exists, Fetcher
from feedward.urls.parse import join_url, parse_url
from feedward.urls.redirects import MAX_REDIRECTS
from feedward.urls.safety import Refusal, UrlPolicy, refuse_url, request_url


def shares(count: int, left: int, most: int = MAX_REDIRECTS) -> list[int]:
    """Return how many redirects each of `count` fetches may follow if `left` requests are left for all of them.

    Each fetch needs one request for itself. The remainder goes to the first fetches. `most` is the limit of each.
    """
    each, over = divmod(max(0, left - count), max(1, count))
    return [min(most, each + (index < over)) for index in range(count)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The redirect chain of one URL: `fetch` is its result so far, `allowed` the number of redirects allowed so far.

    `most` is the limit of redirects of any chain.
    """

    url: str
    fetch: FetchResult | None = None
    allowed: int = 0
    most: int = MAX_REDIRECTS

    @property
    def is_cut(self) -> bool:
        """Return whether the chain needs more redirects than its share, but has not reached the limit of any chain."""
        if self.fetch is None or self.fetch.outcome is not Outcome.TOO_MANY_REDIRECTS:
            return False
        return len(self.fetch.hops) == self.allowed < self.most

    @property
    def next_url(self) -> str:
        """The next URL to request: the URL itself, or the last Location, which the fetch checks like any other URL."""
        if self.fetch is None:
            return self.url
        base = parse_url(self.fetch.url)
        location = self.fetch.headers.get("location", "").strip(" \t").replace(" ", "%20")
        target = join_url(base, location) if base else None
        return request_url(target) if target else self.fetch.url

    def limit_of(self, share: int) -> int:
        """Return how many redirects the next part may follow. Its first request counts as a redirect too."""
        done = 0 if self.fetch is None else len(self.fetch.hops) + 1
        return max(0, min(share, self.most - done))

    def with_part(self, rest: FetchResult, limit: int) -> Chain:
        """Return the chain extended by its next part, which could follow `limit` redirects."""
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


Read = Callable[[FetchResult], FetchedFeed]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The best URL so far, with its reason, source and proof."""

    url: str
    reason: Reason
    source: Source
    visit: Visit
    preset: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A hit of `exists`. It is trusted, so it ends the run."""

    known: Known
    source: Source
    preset: str | None


class Run:
    """The state of one call. `input`, `response`, `source` and `best` are the terms of rule C7, set once known."""

    def __init__(
        self,
        written: str,
        *,
        fetcher: Fetcher,
        options: CanonicalizeOptions,
        exists: Exists | None,
        policy: UrlPolicy,
        deadline: Deadline,
        read: Read,
    ) -> None:
        self.written = written
        self.options = options
        self.exists = exists
        self.read = read
        self.visits = Visits()
        self.trace: list[Event] = []
        self.considered: dict[str, tuple[Source, str | None]] = {}
        self.refused: dict[str, Refusal] = {}
        self.failed = False
        self.preset_untested = False
        self.input = ""
        self.may_be_http = False
        self.dotted: str | None = None
        self.response = ""
        self.source = ""
        self.source_visit: Visit | None = None
        self.source_role = Source.RESPONSE
        self.source_by_rule = False
        self.self_url: str | None = None
        self.first: Visit | None = None
        self.document: FirstDocument | None = None
        self.choice: Choice | None = None
        self._fetcher = fetcher
        self._policy = policy
        self._deadline = deadline
        self._comparison: Comparison | None = None
        self._spent = 0
        self._asked_exists: set[str] = set()

    @property
    def best(self) -> Choice:
        """The best proven URL, which exists from step 6 on."""
        assert self.choice is not None
        return self.choice

    # --- the trace -----------------------------------------------------------------------------

    def note(self, step: Step, what: What, url: str | None = None, *, why: str = "") -> None:
        """Add one event to the trace."""
        self.trace.append(Event(step=step, what=what, url=url, why=why))

    def consider(self, url: str, source: Source, preset: str | None = None) -> None:
        """Record `url` as a candidate."""
        self.considered.setdefault(url, (source, preset))

    def state(self, url: str) -> CandidateState:
        """Return the state of a candidate URL."""
        return CandidateState.REFUSED if url in self.refused else self.visits.state(url)

    # --- refusing and fetching -----------------------------------------------------------------

    def refusal(self, url: str) -> Refusal | None:
        """Return why `url` may not be fetched, or None. `verify_fn` can only refuse more URLs than the guard."""
        refusal = refuse_url(url, self._policy)
        if refusal is None and self.options.verify_fn is not None and not self.options.verify_fn(url):
            return Refusal(outcome=Outcome.BLOCKED, detail="URL refused: by verify_fn")
        return refusal

    def fetch(self, url: str, step: Step) -> Visit:
        """Fetch `url` in the remaining time. The visit is recorded unless no request was sent."""
        fetch = without_wall(self._fetcher.fetch(url, within_s=self._deadline.left_s()))
        fetch = self._refuse_chain(url, fetch)
        landing = landing_url(self._chain(url, fetch), self.options.tracking_params)
        visit = Visit(asked=url, landing=landing, fetch=fetch)
        if self._comparison is not None and fetch.outcome is Outcome.OK:
            visit = _compared(visit, self._comparison)
        if visit.refused:
            self._note_refused(url, step, Refusal(outcome=fetch.outcome, detail=fetch.detail))
        else:
            self.visits.add(visit)
            self._note_fetched(visit, step)
        return visit

    def _chain(self, url: str, fetch: FetchResult) -> tuple[str, ...]:
        """The URLs of a fetch; if the answer will be stored, up to the storable one (rule F2)."""
        asked = asked_urls(url, fetch)
        if not (self.options.to_store and fetch.hops and fetch.outcome is Outcome.OK):
            return asked
        from feedward.urls.permanent_redirects import stable_url  # noqa: PLC0415 - most URLs redirect nowhere

        stable = stable_url(fetch)
        return asked[: asked.index(stable) + 1] if stable in asked else asked

    def start_from(self, visit: Visit, document: FirstDocument) -> None:
        """Set the first document: its URL is the response, and every later document is compared with it."""
        self.first = self.visits.confirm(visit)
        self.response = self.source = visit.landing
        self.document = document
        self._comparison = Comparison(document, self.options, lambda fetch: self.read(fetch).feed)

    def adopt_source(self, visit: Visit) -> None:
        """Set the landing URL of `visit` as the source, from which cleaner forms are derived."""
        self.source, self.source_visit = visit.landing, visit

    def test(self, url: str, step: Step) -> Visit | None:
        """Test whether `url` serves the feed, by a known visit or a new fetch. Returns None if it was not tested."""
        known = self.visits.of(url)
        if known is not None:
            self.note(step, What.KNOWN_GOOD if known.same else What.KNOWN_BAD, url)
            return known
        refusal = self.refused.get(url) or self.refusal(url)
        if refusal is not None:
            self._note_refused(url, step, refusal)
            return None
        if not self._can_afford(url, step):
            return None
        visit = self.fetch(url, step)
        if visit.refused:
            return None
        self._spent += 1
        self.failed = self.failed or not visit.same
        return visit

    def _refuse_chain(self, asked: str, fetch: FetchResult) -> FetchResult:
        """Apply the guard to redirect targets too (rule C7.1): a chain through a refused URL proves nothing."""
        if fetch.outcome is not Outcome.OK:
            return fetch
        for url in asked_urls(asked, fetch)[1:]:
            refusal = self.refusal(url)
            if refusal is not None:
                detail = refusal.detail.replace("URL", "redirect", 1)
                return replace(fetch, outcome=Outcome.BLOCKED, body=b"", detail=detail)
        return fetch

    def _can_afford(self, url: str, step: Step) -> bool:
        in_time = self._deadline.left_s() > 0
        in_budget = self._spent < self.options.max_requests
        if in_time and in_budget:
            return True
        self.preset_untested = self.preset_untested or step is Step.VARIANTS
        self.note(step, What.OUT_OF_TIME if in_budget else What.OUT_OF_BUDGET, url)
        return False

    def _note_refused(self, url: str, step: Step, refusal: Refusal) -> None:
        self.refused[url] = refusal
        self.trace.append(Event(step=step, what=What.REFUSED, url=url, outcome=refusal.outcome, why=refusal.detail))

    def _note_fetched(self, visit: Visit, step: Step) -> None:
        fetch, verdict = visit.fetch, visit.verdict
        event = Event(
            step=step,
            what=What.FETCHED,
            url=visit.asked,
            landed=visit.landing if visit.landing != visit.asked else None,
            outcome=fetch.outcome,
            status=fetch.status,
            why=verdict.sameness if verdict else fetch.detail,
        )
        self.trace.append(event)

    # --- the directory -------------------------------------------------------------------------

    def ask_exists(self, step: Step, forms: Sequence[Variant], source: Source) -> Found | None:
        """Call `exists` once with the URLs that it was not called with before (rule C10). Its errors propagate."""
        asked = [form.url for form in forms if form.url not in self._asked_exists]
        if self.exists is None or not asked:
            return None
        self._asked_exists.update(asked)
        known = self.exists(asked)
        found = f"known as {known.url}" if known else "none is known"
        self.note(step, What.ASKED_EXISTS, why=f"{', '.join(asked)}: {found}")
        if known is None:
            return None
        preset = next((form.preset for form in forms if form.url == known.url), None)
        return Found(known=known, source=source, preset=preset)


def _compared(visit: Visit, comparison: Comparison) -> Visit:
    """Return the visit with its verdict. The body of another document is dropped: a run may meet several."""
    verdict = comparison.compare(visit.fetch, visit.landing)
    fetch = visit.fetch if verdict.same else replace(visit.fetch, body=b"")
    return replace(visit, fetch=fetch, verdict=verdict)
