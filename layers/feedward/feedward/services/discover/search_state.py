"""The state of one discovery and the operations of its stages: add leads, fetch a wave of URLs, test for the end.

This module enforces the budget, the deadline, "no URL twice" and the retry with browser headers (rule D4), so that a
stage only decides which URLs to fetch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from feedward.deadline import Deadline
from feedward.discovery.anchor_words import PathHint, path_hint
from feedward.discovery.candidate import Candidate, Kind, Lead, Source, ValidationStatus
from feedward.discovery.own_site import is_settled
from feedward.discovery.page import Page
from feedward.discovery.rejects import is_never_a_feed
from feedward.discovery.requested_part import Asked
from feedward.discovery.result import is_closed, is_refusal
from feedward.discovery.score import rank
from feedward.feeds.read_feed import FetchedFeed
from feedward.services.discover.build_candidate import named_again, refused, tried, untested
from feedward.services.discover.limits import Limits
from feedward.services.discover.shared_fetches import SharedFetches
from feedward.urls.safety import Refusal, UrlPolicy, host_of_url, refuse_url

ADVERTISED = frozenset({Source.LINK, Source.LINK_HEADER, Source.LINK_GENERIC, Source.REL_FEED})
GUESSES = frozenset({Source.GUESS_DIRECTORY, Source.GUESS_ROOT})


class Search:
    """The state of one discovery. `url` is the fetchable input, `asked` the request that candidates are ranked for.

    - answer: the response of the page; page: the parsed page, or None
    - links: the links that the page, or the headers of another document, advertise
    - others: the pages of the site's blog and news that were read
    - platform: leads of platform rules that were not tried in the first wave
    - ended: no further request is needed; refusal: why no request is allowed
    """

    def __init__(
        self,
        written: str,
        *,
        fetches: SharedFetches,
        limits: Limits,
        intent: Kind | None,
        rsshub_base: str | None,
        policy: UrlPolicy,
        deadline: Deadline,
        now: Callable[[], float],
    ) -> None:
        self.written = written
        self.fetches = fetches
        self.limits = limits
        self.intent = intent
        self.rsshub_base = rsshub_base
        self.policy = policy
        self.url = ""
        self.may_be_http = False
        self.asked = Asked(url="", page_url="")
        self.answer: FetchedFeed | None = None
        self.page: Page | None = None
        self.others: list[Page] = []
        self.links: list[Lead] = []
        self.platform: list[Lead] = []
        self.refusal: Refusal | None = None
        self.ended = False
        self.rounds = 0
        self.cut_by_time: set[str] = set()
        self.candidates: dict[str, Candidate] = {}
        self._walls: set[str] = set()
        self._spent_before = fetches.spent
        self._deadline = deadline
        self._now = now

    @property
    def requests(self) -> int:
        """The number of requests that this search sent."""
        return self.fetches.spent - self._spent_before

    @property
    def is_over(self) -> bool:
        """True if no further request is needed: the search has ended, or a feed settles it."""
        return self.ended or self.is_settled

    @property
    def is_settled(self) -> bool:
        """True if the best possible feed was found."""
        valid = [each for each in self.candidates.values() if each.status is ValidationStatus.VALID]
        return bool(valid) and is_settled(rank(valid, self.asked), self.asked)

    @property
    def is_closed(self) -> bool:
        """True if the site refuses to serve its page to us."""
        return self.answer is not None and is_closed(self.answer.fetch)

    def time_left(self) -> float:
        """Return the seconds until the deadline; 0 or less once it has passed."""
        return self._deadline.left_s()

    def see_from(self, page_url: str, *, language: str | None = None) -> None:
        """Rank candidates as seen from this page."""
        self.asked = Asked(url=self.url, page_url=page_url, intent=self.intent or Kind.MAIN, language=language)

    def take_direct(self, answer: FetchedFeed, lead: Lead) -> None:
        """End the search with the feed that the page's URL itself serves."""
        self.see_from(answer.fetch.url)
        known = self.candidates.get(lead.url)
        self.candidates[lead.url] = self._tried(named_again(known, lead) if known else untested(lead), answer)
        self.answer, self.ended = answer, True

    def _tried(self, candidate: Candidate, answer: FetchedFeed) -> Candidate:
        return tried(candidate, answer, int(self._now()))

    def refuse(self, url: str) -> Refusal | None:
        """Return why `url` may not be fetched, or None if it may."""
        return refuse_url(url, self.policy)

    # --- leads ---------------------------------------------------------------------------------

    def consider(self, leads: Iterable[Lead]) -> None:
        """Add leads as candidates, whether or not they are tried. URLs that are never feeds are left out."""
        for lead in leads:
            known = self.candidates.get(lead.url)
            if known is not None:
                self.candidates[lead.url] = named_again(known, lead)
            elif not is_never_a_feed(lead.url):
                refusal = self.refuse(lead.url)
                candidate = untested(lead)
                self.candidates[lead.url] = refused(candidate, refusal) if refusal else candidate

    def untried(self, leads: Iterable[Lead]) -> list[Lead]:
        """Return the `leads` that are untested candidates, one for each URL, in their order."""
        first = {lead.url: lead for lead in reversed(list(leads))}
        waiting = [url for url in dict.fromkeys(lead.url for lead in leads) if self._is_untested(url)]
        return [first[url] for url in waiting]

    def try_leads(self, leads: Iterable[Lead], *, pages: Sequence[str] = ()) -> dict[str, FetchedFeed]:
        """Try `leads` and fetch `pages` in one wave. Returns the responses of both by URL."""
        leads = list(leads)
        self.consider(leads)
        self._want_pages(pages)
        return self.ask([*pages, *(lead.url for lead in self.untried(leads))])

    def try_as_feed(self, lead: Lead) -> None:
        """Fetch a URL as a feed that was requested as a page: its server may negotiate."""
        self.fetches.want_feed(lead.url)
        self.try_leads([lead])

    def was_tried(self, url: str) -> bool:
        """Return whether `url` is a candidate that needs no further request."""
        return url in self.candidates and not self._is_untested(url)

    def _is_untested(self, url: str) -> bool:
        candidate = self.candidates.get(url)
        return candidate is not None and candidate.status is ValidationStatus.UNTESTED

    # --- waves ---------------------------------------------------------------------------------

    def ask(self, urls: Sequence[str]) -> dict[str, FetchedFeed]:
        """Fetch and parse all `urls` in one wave, and update the candidates among them. Returns the responses by URL.

        A URL that its host refuses is requested once more with browser headers, and if that helps, so are the other
        URLs of the host (rule D4).
        """
        answers = self._wave(urls)
        first = self._first_refused(answers)
        if first:
            answers |= self._wave(first, as_browser=True)
            self._walls |= {host_of_url(url) for url in first if is_refusal(answers[url].fetch)}
            answers |= self._wave(self._open_now(answers))
        for url, answer in answers.items():
            if url in self.candidates:
                self.candidates[url] = self._tried(self.candidates[url], answer)
        return answers

    def ask_page(self, url: str) -> FetchedFeed | None:
        """Fetch a page as `ask` does."""
        self._want_pages([url])
        return self.ask([url]).get(url)

    def _want_pages(self, urls: Iterable[str]) -> None:
        """Request these URLs as pages, except those that end like a feed: they are more likely one."""
        self.fetches.want_pages(url for url in urls if path_hint(url) is not PathHint.ENDS_LIKE_FEED)

    def _wave(self, urls: Sequence[str], *, as_browser: bool = False) -> dict[str, FetchedFeed]:
        if not urls:
            return {}
        is_new = [as_browser or not self.fetches.knows(url) for url in urls]
        got = self.fetches.read_all(urls, within_s=self._request_time, as_browser=as_browser)
        self.rounds += any(new and answer is not None for new, answer in zip(is_new, got, strict=True))
        if self.time_left() <= 0:
            self.cut_by_time |= {url for url, answer in zip(urls, got, strict=True) if answer is None}
        return {url: answer for url, answer in zip(urls, got, strict=True) if answer is not None}

    def _request_time(self) -> float:
        return min(self.limits.request_s, self.time_left())

    def _first_refused(self, answers: Mapping[str, FetchedFeed]) -> list[str]:
        """Return one refused URL of each host that got no browser headers yet. A refused guess does not count."""
        firsts: dict[str, str] = {}
        for url, answer in answers.items():
            host = host_of_url(answer.fetch.url)
            is_known = host in self._walls or self.fetches.asks_as_browser(url)
            if is_refusal(answer.fetch) and not is_known and not self._is_guess(url):
                firsts.setdefault(host, url)
        return list(firsts.values())

    def _open_now(self, answers: Mapping[str, FetchedFeed]) -> list[str]:
        """The URLs that were refused before browser headers helped with their host."""
        return [url for url, answer in answers.items() if is_refusal(answer.fetch) and not self.fetches.knows(url)]

    def _is_guess(self, url: str) -> bool:
        candidate = self.candidates.get(url)
        return candidate is not None and candidate.source in GUESSES
