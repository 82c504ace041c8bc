"""A private RSSHub: the access code is sent with the request and appears nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import md5
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.adapters.fetching.rsshub_access import RsshubAccess, access_code
from feedward.errors import StoreUnavailable
from feedward.model import FetchResult, Hop, Outcome, Validators, Wanted
from tests.fakes.fetcher import FakeFetcher

KEY = "1L0veRSSHub"
# md5("/twitter/user/nasa1L0veRSSHub")
CODE = "1386228cc3fb4c57bc6cc25bffd38a1e"
BASE = "https://rsshub.example/"
FEED = "https://rsshub.example/twitter/user/nasa"
CODED = f"{FEED}?code={CODE}"


@dataclass
class Echo:
    """A fetcher that gives preset answers and records its requests."""

    answer: Callable[[str], FetchResult] = lambda url: FetchResult(outcome=Outcome.OK, url=url)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def fetch(self, url: str, **options: Any) -> FetchResult:
        self.asked.append((url, options))
        return self.answer(url)


def access(fetcher: Any, base: str = BASE, key: str = KEY) -> RsshubAccess:
    return RsshubAccess(fetcher, base_url=base, access_key=lambda: key)


def asked(url: str, base: str = BASE, key: str = KEY) -> str:
    echo = Echo()
    access(echo, base, key).fetch(url)
    [(sent, _)] = echo.asked
    return sent


def test_the_code_is_the_digest_of_path_and_key() -> None:
    assert access_code("/test/2", KEY) == "eb36888979f7ff20f2fca3768f3b9ce7"
    assert asked(FEED) == CODED


@pytest.mark.parametrize(
    ("url", "base"),
    [
        (FEED, "https://rsshub.example"),
        ("https://rsshub.example/private/twitter/user/nasa", "https://rsshub.example/private"),
        ("https://rsshub.example/private/twitter/user/nasa", "https://rsshub.example/private/"),
        ("https://rsshub.example:8443/twitter/user/nasa", "https://rsshub.example:8443/"),
    ],
)
def test_the_path_counts_from_the_base(url: str, base: str) -> None:
    assert asked(url, base) == f"{url}?code={CODE}"


@pytest.mark.parametrize(
    ("path", "read_as"),
    [
        ("/a/caf%C3%A9", "/a/café"),
        ("/a/b%20c", "/a/b c"),
        ("/a/%23tag%2fx%2Fy%3f", "/a/%23tag%2fx%2Fy%3f"),
        ("/a/100%25", "/a/100%25"),
        ("/a/%FF%20x", "/a/%FF%20x"),
        ("/a/%zz%41", "/a/%zzA"),
        ("/a/", "/a/"),
    ],
)
def test_the_digest_is_of_the_path_as_rsshub_reads_it(path: str, read_as: str) -> None:
    assert access_code(path, KEY) == md5(f"{read_as}{KEY}".encode()).hexdigest()


def test_other_parameters_stay_and_the_code_comes_first() -> None:
    assert asked(f"{FEED}?limit=5&code=mine") == f"{FEED}?code={CODE}&limit=5&code=mine"


@pytest.mark.parametrize(
    "url",
    [
        "https://x.com/nasa",
        "https://rsshub.example.evil.example/twitter/user/nasa",
        "https://evil.example/https://rsshub.example/twitter/user/nasa",
        "http://rsshub.example/twitter/user/nasa",
        "https://rsshub.example:8443/twitter/user/nasa",
        "https://rsshub.example/",
        "https://rsshub.example/robots.txt",
        "not a url",
        "",
    ],
)
def test_other_requests_have_no_access_code(url: str) -> None:
    assert asked(url) == url


@pytest.mark.parametrize("url", ["https://rsshub.example/privateer/a", "https://rsshub.example/a", BASE])
def test_beside_the_path_of_the_base_there_is_no_code(url: str) -> None:
    assert asked(url, "https://rsshub.example/private") == url


@pytest.mark.parametrize("base", ["", "rsshub.example", "mailto:x"])
def test_a_base_that_is_none_matches_nothing(base: str) -> None:
    assert asked(FEED, base) == FEED


def test_without_a_key_there_is_no_code() -> None:
    assert asked(FEED, key="") == FEED


def test_the_key_is_read_only_for_requests_that_need_it() -> None:
    def never() -> str:
        raise AssertionError

    fetcher = RsshubAccess(Echo(), base_url=BASE, access_key=never)
    assert fetcher.fetch("https://x.com/nasa").outcome is Outcome.OK


def test_a_key_that_cannot_be_read_ends_the_fetch_and_sends_nothing() -> None:
    def fail() -> str:
        raise StoreUnavailable("away")

    echo = Echo()
    result = RsshubAccess(echo, base_url=BASE, access_key=fail).fetch(FEED)

    assert (result.outcome, result.url, echo.asked) == (Outcome.CONNECT_ERROR, FEED, [])


def test_all_that_comes_back_is_free_of_the_code() -> None:
    body = f"""<feed><link rel="self" href="{CODED}"/><link href="{FEED}?limit=5&amp;code={CODE}"/>
<id>{FEED}?code={CODE}&amp;limit=5</id><title>{CODE}</title></feed>"""
    answer = FetchResult(
        outcome=Outcome.OK,
        url=f"https://rsshub.example/moved?code={CODE}&limit=5#x",
        status=200,
        hops=(Hop(url=CODED, status=301), Hop(url=f"https://rsshub.example/b?a=1&code={CODE}&c=2", status=302)),
        requests=3,
        headers={"link": f"<{CODED}>; rel=self", "etag": '"x"'},
        body=body.encode(),
        validators=Validators(etag='"x"'),
        detail=f"loop at {CODED}",
    )
    result = access(Echo(lambda _: answer)).fetch(FEED)

    assert CODE not in repr(result)
    assert CODE.encode() not in result.body
    assert result.url == "https://rsshub.example/moved?limit=5#x"
    assert result.hops == (Hop(url=FEED, status=301), Hop(url="https://rsshub.example/b?a=1&c=2", status=302))
    assert result.headers == {"link": f"<{FEED}>; rel=self", "etag": '"x"'}
    assert result.detail == f"loop at {FEED}"
    assert result.body.decode() == (
        f"""<feed><link rel="self" href="{FEED}"/><link href="{FEED}?limit=5"/>
<id>{FEED}?limit=5</id><title></title></feed>"""
    )
    assert (result.status, result.requests, result.validators) == (200, 3, Validators(etag='"x"'))


def test_a_redirect_to_another_host_does_not_carry_it() -> None:
    internet = FakeFetcher(
        {
            CODED: {"status": 302, "headers": {"Location": "https://other.example/feed"}},
            "https://other.example/feed": {"body": "<rss/>"},
        }
    )
    result = access(internet).fetch(FEED)

    assert internet.requests == [CODED, "https://other.example/feed"]
    assert (result.url, result.hops) == ("https://other.example/feed", (Hop(url=FEED, status=302),))


def test_options_go_through_and_the_time_to_read_the_key_counts() -> None:
    times = iter([10.0, 10.75])
    echo = Echo()
    fetcher = RsshubAccess(echo, base_url=BASE, access_key=lambda: KEY, monotonic=lambda: next(times))
    validators = Validators(etag='"x"')
    others: dict[str, Any] = {
        "validators": validators, "wants": Wanted.PAGE, "as_browser": True, "max_redirects": 1, "first_bytes": 9,
            "may_follow": str.isascii,
        "room": None,
    }  # fmt: skip
    fetcher.fetch(FEED, within_s=2.0, **others)

    assert echo.asked == [(CODED, {"within_s": 1.25, **others})]


@given(st.text(max_size=30), st.text(st.sampled_from("/%25aé &?="), max_size=12))
def test_any_key_and_any_route_are_borne_and_the_key_is_never_sent(key: str, path: str) -> None:
    echo = Echo()
    result = access(echo, key=f"KEY{key}").fetch(f"{BASE}{path}")

    assert f"KEY{key}" not in echo.asked[0][0]
    assert "code=" not in result.url
