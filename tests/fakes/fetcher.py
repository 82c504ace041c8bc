"""An internet in memory behind the Fetcher port. It passes the same contract tests as the guarded fetch.

`network` maps a URL to its page:
    status        default 200
    body          text, or `body_base64`
    headers       names in any case; a 3xx with a Location is followed inside the network
    final_url     redirects were already followed to there; `redirects` [[status, target], ...] says how; else a 301
    error         the connection fails: the name of an outcome, else connect_error
    delay_s       time until the answer, against `within_s`; `clock.advance` is called with the elapsed time, if given
    ua_require    text that the User-Agent must have to get this page; others get the page under `ua_else`
A key that ends in `*` (`http://a.example*`) answers the unknown paths of its origin. Any other URL that is not there
fails to connect, or, with `answers_404`, is not found where the origin has pages. `dns` maps a host to its addresses;
others are public.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, Unpack

from feedward.adapters.fetching.outcomes import outcome_of_body, outcome_of_head, validators_of
from feedward.adapters.fetching.refusals import WALL_BYTES, judged
from feedward.adapters.fetching.retry_after import retry_after_s
from feedward.adapters.fetching.settings import browser_user_agent, user_agent
from feedward.model import FetchResult, Hop, Outcome, Validators, Wanted
from feedward.urls.parse import Url, parse_url
from feedward.urls.redirects import MAX_REDIRECTS, REDIRECT_STATUSES, next_hop
from feedward.urls.safety import DEFAULT_POLICY, Refusal, UrlPolicy, admit_url, host_of, is_public_address, request_url

if TYPE_CHECKING:
    from feedward.ports.fetch_options import PageFetchOptions

Page = Mapping[str, Any]


class Advances(Protocol):
    """A clock that a test moves."""

    def advance(self, seconds: float) -> None: ...


class FakeFetcher:
    """`fetched` holds each URL given to `fetch`, `requests` each requested URL, redirect hops included, in order.

    `wanted` holds the last requested kind of each URL.
    """

    def __init__(
        self,
        network: Mapping[str, Page],
        *,
        dns: Mapping[str, Sequence[str]] | None = None,
        follow_redirects: bool = True,
        max_redirects: int = MAX_REDIRECTS,
        answers_404: bool = False,
        policy: UrlPolicy = DEFAULT_POLICY,
        clock: Advances | None = None,
        now: float | None = None,
    ) -> None:
        self.network = {_key(url): page for url, page in network.items() if not url.endswith("*")}
        not_found: Page = {"status": 404}
        self.unknown_paths = {_parsed(url).origin: not_found for url in self.network if answers_404}
        self.unknown_paths |= {_parsed(url[:-1]).origin: page for url, page in network.items() if url.endswith("*")}
        self.dns = dict(dns or {})
        self.follow_redirects = follow_redirects
        self.max_redirects = max_redirects
        self.policy = policy
        self.clock = clock
        self.now = now
        self.fetched: list[str] = []
        self.requests: list[str] = []
        self.wanted: dict[str, Wanted] = {}
        self._lock = Lock()

    def fetch(self, url: str, **how: Unpack[PageFetchOptions]) -> FetchResult:
        wants, within_s, max_redirects = how.get("wants", Wanted.FEED), how.get("within_s"), how.get("max_redirects")
        room, first_bytes = how.get("room"), how.get("first_bytes")
        with self._lock:
            self.fetched.append(url)
            self.wanted[url] = wants
        if within_s is not None and within_s <= 0:
            return FetchResult(outcome=Outcome.TIMEOUT, url=url, detail="no time left")
        admitted = admit_url(url, self.policy)
        if isinstance(admitted, Refusal):
            return FetchResult(outcome=admitted.outcome, url=url, detail=admitted.detail)
        chain = _Chain(
            self,
            how.get("validators") or Validators(),
            within_s,
            browser_user_agent() if how.get("as_browser") else user_agent(),
            self.max_redirects if max_redirects is None else min(self.max_redirects, max_redirects),
            how.get("may_follow"),
        )
        result = chain.run(admitted)
        if room is not None and len(result.body) > room.free_bytes:
            room.reserve()
        return result if first_bytes is None else replace(result, body=result.body[:first_bytes])

    def page(self, url: Url, agent: str) -> Page | None:
        """The page that answers `url` for this User-Agent, or None."""
        page = self.network.get(request_url(url)) or self.unknown_paths.get(url.origin)
        if page is None or page.get("ua_require", "") in agent:
            return page
        refusal: Page = page["ua_else"]
        return refusal

    def record(self, url: str) -> None:
        with self._lock:
            self.requests.append(url)


class _Chain:
    """One fetch: the hops so far and the time left."""

    def __init__(
        self,
        internet: FakeFetcher,
        validators: Validators,
        within_s: float | None,
        agent: str,
        max_redirects: int,
        may_follow: Callable[[str], bool] | None,
    ) -> None:
        self.may_follow = may_follow
        self.internet = internet
        self.validators = validators
        self.left_s = within_s
        self.agent = agent
        self.max_redirects = max_redirects
        self.asked: list[str] = []
        self.hops: list[Hop] = []
        self.sent = 0

    def run(self, url: Url) -> FetchResult:
        while True:
            answer = self.ask(url)
            if isinstance(answer, FetchResult):
                return answer
            url = answer

    def ask(self, url: Url) -> FetchResult | Url:
        """Request one URL: the end of the fetch, or the next URL."""
        self.asked.append(request_url(url))
        failure = self.connect(url)
        if failure is not None:
            return self.end(failure)
        page = self.internet.page(url, self.agent)
        assert page is not None
        self.sent += 1
        self.internet.record(self.asked[-1])
        if not self.wait(page):
            return self.end(Outcome.TIMEOUT, detail="no answer in time")
        return self.redirect(url, page) if self.is_redirect(page) else self.answer(page)

    def connect(self, url: Url) -> Outcome | None:
        addresses = self.internet.dns.get(host_of(url))
        if addresses is not None and not addresses:
            return Outcome.DNS_ERROR
        if addresses is not None and not all(map(is_public_address, addresses)):
            return Outcome.BLOCKED
        page = self.internet.page(url, self.agent)
        if page is None:
            return Outcome.CONNECT_ERROR
        error = page.get("error")
        if error is None:
            return None
        return Outcome(error) if error in set(Outcome) else Outcome.CONNECT_ERROR

    def wait(self, page: Page) -> bool:
        """Wait for the page's delay; False if the time is up before it is over."""
        delay = float(page.get("delay_s", 0))
        passed = delay if self.left_s is None else min(delay, self.left_s)
        if self.internet.clock and passed:
            self.internet.clock.advance(passed)
        if self.left_s is not None:
            self.left_s -= passed
        return passed == delay

    def is_redirect(self, page: Page) -> bool:
        return self.internet.follow_redirects and (
            page.get("status", 200) in REDIRECT_STATUSES or page.get("final_url", self.asked[-1]) != self.asked[-1]
        )

    def redirect(self, url: Url, page: Page) -> FetchResult | Url:
        if "final_url" in page:
            return self.already_redirected(page)
        target = self.step(url, page["status"], _headers(page).get("location"))
        return self.end(target.outcome, page, detail=target.detail) if isinstance(target, Refusal) else target

    def already_redirected(self, page: Page) -> FetchResult:
        """The page is the target of the redirects that it names."""
        url = parse_url(self.asked[-1])
        assert url
        for status, location in page.get("redirects") or [[301, page["final_url"]]]:
            target = self.step(url, status, location)
            if isinstance(target, Refusal):
                return self.end(target.outcome, detail=target.detail)
            self.asked.append(request_url(target))
            self.sent += 1
            self.internet.record(self.asked[-1])
            url = target
        return self.answer(page)

    def step(self, url: Url, status: int, location: str | None) -> Url | Refusal:
        target = next_hop(
            url,
            location,
            asked=self.asked,
            max_redirects=self.max_redirects,
            policy=self.internet.policy,
        )
        if not isinstance(target, Refusal):
            if self.may_follow is not None and not self.may_follow(request_url(target)):
                return Refusal(outcome=Outcome.BLOCKED, detail="this fetch must not follow the redirect")
            self.hops.append(Hop(url=self.asked[-1], status=status))
        return target

    def answer(self, page: Page) -> FetchResult:
        status, headers = page.get("status", 200), _headers(page)
        known = self.validators.etag is not None and self.validators.etag == headers.get("etag")
        if status == 200 and known:
            status = 304
        conditional = self.validators != Validators()
        outcome = outcome_of_head(status, headers, conditional=conditional)
        if outcome is not Outcome.OK:
            start = _body(page)[:WALL_BYTES]
            return self.end(judged(outcome, status, headers, lambda: start), page, status=status)
        body = _body(page)
        return self.end(outcome_of_body(body), page, body=body)

    def end(
        self,
        outcome: Outcome,
        page: Page | None = None,
        *,
        status: int | None = None,
        body: bytes = b"",
        detail: str = "",
    ) -> FetchResult:
        headers = _headers(page) if page else {}
        status = status or (page.get("status", 200) if page else None)
        now = time.time() if self.internet.now is None else self.internet.now
        return FetchResult(
            outcome=outcome,
            url=self.asked[-1],
            status=status,
            hops=tuple(self.hops),
            requests=self.sent,
            headers=headers,
            body=body if outcome is Outcome.OK else b"",
            retry_after_s=retry_after_s(status, headers, now) if status else None,
            validators=validators_of(headers, now) if outcome is Outcome.OK and status == 200 else Validators(),
            detail=detail,
        )


def _parsed(url: str) -> Url:
    parsed = parse_url(url)
    assert parsed is not None, url
    return parsed


def _key(url: str) -> str:
    parsed = parse_url(url)
    return request_url(parsed) if parsed else url


def _headers(page: Page) -> dict[str, str]:
    return {name.lower(): value for name, value in page.get("headers", {}).items()}


def _body(page: Page) -> bytes:
    if "body_base64" in page:
        return base64.b64decode(page["body_base64"])
    body = page.get("body", "")
    return body if isinstance(body, bytes) else body.encode(page.get("encoding", "utf-8"))
