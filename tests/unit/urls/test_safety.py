"""Which URLs may be fetched, before any look-up (rules U1 to U7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.model import Outcome
from feedward.urls.parse import Url, parse_url
from feedward.urls.safety import (
    Refusal,
    UrlPolicy,
    admit_url,
    host_of,
    is_literal_address,
    port_of,
    refuse_url,
    request_url,
    without_feed_scheme,
)


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("http://a.example/feed", None),
        ("https://a.example:8443/?q#f", None),
        ("http://8.8.8.8/", None),
        ("http://134744072/", None),
        ("http://[2606:4700:4700::1111]/", None),
        ("http://a_b.example/", None),
        ("http://-a-.example/", None),
        ("http://a.example./", None),
        ("http://a.example/@b", None),
        ("ftp://a.example/", "blocked"),
        ("feed://a.example/", "blocked"),
        ("javascript:alert(1)", "blocked"),
        ("http://u@a.example/", "blocked"),
        ("http://@a.example/", "blocked"),
        ("http://:@a.example/", "blocked"),
        ("http://a.example:22/", "blocked"),
        ("http://a.example:0/", "blocked"),
        ("http://localhost/", "blocked"),
        ("http://x.LOCALHOST./", "blocked"),
        ("http://printer.local/", "blocked"),
        ("http://nas.home.arpa/", "blocked"),
        ("http://intranet/", "blocked"),
        ("http://metadata.goog/", "blocked"),
        ("http://a.metadata.google.internal/", "blocked"),
        ("http://0x7f.1/", "blocked"),
        ("http://[::1]/", "blocked"),
        ("", "bad_url"),
        ("/feed", "bad_url"),
        ("http:a.example", "bad_url"),
        ("http:///a.example/", "bad_url"),
        ("http://", "bad_url"),
        ("http://a b.example/", "bad_url"),
        (" http://a.example/", "bad_url"),
        ("http://a.example/\n", "bad_url"),
        ("http://a.example/\x7f", "bad_url"),
        ("http:\\\\a.example\\", "bad_url"),
        ("http://a..example/", "bad_url"),
        ("http://a.example../", "bad_url"),
        ("http://a!b.example/", "bad_url"),
        ("http://a%2fb.example/", "bad_url"),
        ("http://a.example:99999/", "bad_url"),
        (f"http://{'a' * 64}.example/", "bad_url"),
        (f"http://a.example/{'a' * 2048}", "bad_url"),
        (f"http://a.example/{'é' * 500}", "bad_url"),  # short as typed, too long as sent
        ("http://a\ud800.example/", "bad_url"),
    ],
)
def test_url_is_admitted_or_refused_with_an_outcome(url: str, outcome: str | None) -> None:
    refusal = refuse_url(url)
    assert (refusal and refusal.outcome) == outcome


def test_refusal_never_repeats_the_address() -> None:
    refusal = refuse_url("http://10.1.2.3/")
    assert refusal
    assert "10.1" not in refusal.detail


def test_ports_are_a_policy_that_says_all_ports() -> None:
    policy = UrlPolicy(ports=frozenset({81}))
    assert refuse_url("http://a.example:81/", policy) is None
    refusal = refuse_url("http://a.example/", policy)
    assert refusal
    assert refusal.outcome is Outcome.BLOCKED


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("feed:https://a.example/", True),
        ("FEED://a.example/", True),
        ("podcast://a.example/", True),
        ("feed:feed:https://a.example/", False),
        ("feed:file:///etc/passwd", False),
        ("feed:a.example/rss", False),
    ],
)
def test_the_url_inside_a_feed_scheme_is_judged_like_any_other(url: str, safe: bool) -> None:
    assert (refuse_url(without_feed_scheme(url)) is None) is safe


def test_facts_about_a_parsed_url() -> None:
    url = parse_url("https://A.example.:8443/x#y")
    assert url
    assert (host_of(url), port_of(url), request_url(url)) == ("a.example", 8443, "https://a.example.:8443/x")
    literal = parse_url("http://[2606:4700::1]/")
    assert literal
    assert (host_of(literal), port_of(literal), is_literal_address(literal)) == ("2606:4700::1", 80, True)
    assert not is_literal_address(url)


@given(st.text(alphabet=st.sampled_from("htps:/@.\\[]%01279axf#? \t\n\u3002\u2460-_"), max_size=40))
def test_admitted_urls_are_http_without_userinfo_and_with_an_allowed_host(text: str) -> None:
    admitted = admit_url("http://" + text)
    if isinstance(admitted, Refusal):
        return
    assert isinstance(admitted, Url)
    assert admitted.protocol in ("http:", "https:")
    assert not admitted.has_credentials()
    assert "." in host_of(admitted) or ":" in host_of(admitted)


@given(st.text(max_size=60))
def test_admitted_url_is_admitted_again_as_serialized(text: str) -> None:
    admitted = admit_url(f"http://a.example/{text}")
    if isinstance(admitted, Url):
        assert refuse_url(admitted.href) is None
