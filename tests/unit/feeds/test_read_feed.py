"""Fetching and parsing have one outcome (rule H1)."""

from __future__ import annotations

import pytest

from feedward.canonical.result import Reason
from feedward.feeds.read_feed import read_feed
from feedward.model import FeedFormat, Outcome, RejectionReason
from feedward.services.canonicalize.canonicalize import canonicalize
from tests.fakes.fetcher import FakeFetcher

RSS = '<rss version="2.0"><channel><title>T</title><item><title>One</title></item></channel></rss>'
URL = "http://a.example/feed"


def test_feed_is_parsed_where_it_was_found() -> None:
    internet = FakeFetcher(
        {URL: {"status": 301, "headers": {"Location": "/new"}}, "http://a.example/new": {"body": RSS}}
    )
    got = read_feed(internet.fetch(URL))
    assert (got.outcome, got.fetch.url, got.rejection) == (Outcome.OK, "http://a.example/new", None)
    assert got.feed
    assert (got.feed.format, got.feed.title) == (FeedFormat.RSS, "T")


@pytest.mark.parametrize(
    ("page", "outcome", "reason"),
    [
        ({"body": "<!doctype html><title>x</title>"}, "not_feed", RejectionReason.HTML),
        ({"body": '{"error":"x"}'}, "not_feed", RejectionReason.NOT_A_FEED),
        ({"body": "   "}, "empty_body", None),
        ({"status": 404, "body": RSS}, "not_found", None),
        ({"status": 429, "body": "<title>Too Many Requests</title>"}, "rate_limited", None),
        ({"error": "refused"}, "connect_error", None),
    ],
)
def test_a_document_that_is_no_feed_has_an_outcome_and_a_reason(
    page: dict[str, object], outcome: str, reason: RejectionReason | None
) -> None:
    got = read_feed(FakeFetcher({URL: page}).fetch(URL))
    assert (got.outcome, got.feed) == (outcome, None)
    assert (got.rejection and got.rejection.reason) == reason


def test_document_that_ends_early_but_came_whole_is_ok_and_flagged() -> None:
    got = read_feed(FakeFetcher({URL: {"body": RSS.replace("</channel></rss>", "<item><tit")}}).fetch(URL))
    assert got.outcome is Outcome.OK
    assert got.feed
    assert got.feed.truncated


FAILED = RSS.replace("One", "Bridge returned error 404! (12345)")


def test_generator_that_reports_its_own_failure_brought_no_feed() -> None:
    got = read_feed(FakeFetcher({URL: {"body": FAILED}}).fetch(URL))
    assert (got.outcome, got.feed, got.rejection) == (Outcome.GENERATOR_ERROR, None, None)
    assert got.fetch.outcome is Outcome.OK


def test_a_generator_s_failure_has_no_canonical_url() -> None:
    got = canonicalize(URL, fetcher=FakeFetcher({URL: {"body": FAILED}}))
    assert (got.url, got.reason, got.outcome) == (None, Reason.ERROR, Outcome.GENERATOR_ERROR)
