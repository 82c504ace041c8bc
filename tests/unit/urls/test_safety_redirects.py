"""Where a redirect leads, and whether it may be followed (rules A6, N15, F1, F3, F4)."""

from __future__ import annotations

import pytest

from feedward.urls.parse import parse_url
from feedward.urls.redirects import next_hop
from feedward.urls.safety import Refusal, request_url


def follow(location: str | None, *, current: str = "http://a.example/dir/feed?x=1", asked: int = 1) -> str:
    """The next URL, or the outcome of the refusal."""
    url = parse_url(current)
    assert url
    before = [f"http://a.example/{n}" for n in range(asked - 1)]
    target = next_hop(url, location, asked=[*before, request_url(url)])
    return str(target.outcome) if isinstance(target, Refusal) else target.href


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("new", "http://a.example/dir/new"),
        ("/new#top", "http://a.example/new"),
        ("../new", "http://a.example/new"),
        ("?y=2", "http://a.example/dir/feed?y=2"),
        ("//b.example/x", "http://b.example/x"),
        ("https://b.example", "https://b.example/"),
        ("  /padded\t", "http://a.example/padded"),
        ("/with space", "http://a.example/with%20space"),
        ("/\u00fcber", "http://a.example/%C3%BCber"),
        ("/user@host", "http://a.example/user@host"),
        (None, "bad_redirect"),
        ("/line\nbreak", "bad_redirect"),
        ("/nul\0", "bad_redirect"),
        ("\\\\b.example\\x", "bad_redirect"),
        ("http://b..example/", "bad_redirect"),
        ("http://[b/", "bad_redirect"),
        ("http://b example/", "bad_redirect"),
        ("/" + "a" * 3000, "bad_redirect"),
        ("", "redirect_loop"),
        ("#other", "redirect_loop"),
        ("feed?x=1", "redirect_loop"),
        ("http://@b.example/", "blocked"),
        ("//u:p@b.example/", "blocked"),
        ("http://b.example:22/", "blocked"),
        ("http://127.1/", "blocked"),
        ("ftp://b.example/", "blocked"),
        ("mailto:a@b.example", "blocked"),
    ],
)
def test_location_leads_to_a_url_or_ends_the_chain(location: str | None, target: str) -> None:
    assert follow(location) == target


def test_fifth_redirect_is_followed_and_the_sixth_is_not() -> None:
    assert follow("/new", asked=5) == "http://a.example/new"
    assert follow("/new", asked=6) == "too_many_redirects"


def test_loop_is_told_from_a_long_chain() -> None:
    assert follow("/0", asked=6) == "redirect_loop"
