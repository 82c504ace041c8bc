"""A feed whose own URL fails is asked at its other spellings and its earlier URLs before anything else (rule H6)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.health.relocation import MoveOutcome
from feedward.model import Outcome
from tests.fakes.directory import NOW
from tests.unit.services.check.checked import DAY, HOUR, Checked, moved, page, rss, status

OLD = rss(f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}")
NEWS = rss(f"c@{NOW}", f"a@{NOW - 3 * HOUR}", f"b@{NOW - 5 * HOUR}")
OTHER = rss(f"x@{NOW}", title="Another")
DEAD = {"error": "connection refused"}
HTTP, HTTPS = "http://rss.example.ca/x.xml", "https://rss.example.ca/x.xml"


@pytest.mark.parametrize(
    ("stored", "gone", "works", "reason"),
    [
        (HTTP, DEAD, HTTPS, "https_upgrade"),
        (HTTP, status(404), HTTPS, "https_upgrade"),
        ("https://example.com/feed/", status(404), "https://example.com/feed", "other_spelling"),
        ("https://example.com/feed", status(410), "https://example.com/feed/", "other_spelling"),
        ("https://example.com/rss/2.0", status(404), "https://example.com/rss/2.0/", "other_spelling"),
        ("http://example.com/feed/", DEAD, "https://example.com/feed", "other_spelling"),
    ],
)
@pytest.mark.parametrize("body", [OLD, NEWS, OTHER], ids=["the same", "with news", "another"])
def test_a_feed_that_lives_at_another_spelling_of_its_url_follows_it_at_once(
    stored: str, gone: dict[str, Any], works: str, reason: str, body: str
) -> None:
    checked = Checked({stored: page(OLD)}, stored)
    checked.serve(gone, stored)
    if works.startswith("https:") and stored.startswith("http:"):
        checked.serve(status(404), stored.replace("http:", "https:"))
    checked.serve(page(body), works)
    answer = checked.check_when_due()
    assert (answer.outcome, checked.feed["url"], checked.feed["state"]) == (Outcome.OK, works, "healthy")
    assert [told["reason"] for told in checked.told("FeedMoved")] == [reason]
    assert answer.new_items == (0 if body == OLD else 1)
    checked.directory.internet.requests.clear()
    checked.check_when_due()
    assert list(checked.requests) == [works]


@pytest.mark.parametrize("answer", [page("<p>no"), status(404), DEAD], ids=["a page", "404", "nothing"])
def test_a_feed_without_a_spelling_that_works_fails_as_its_own_url_did(answer: dict[str, Any]) -> None:
    checked = Checked({HTTP: page(OLD)}, HTTP)
    checked.serve(DEAD, HTTP)
    checked.serve(answer, HTTPS)
    told = checked.check_when_due()
    assert (told.outcome, checked.feed["url"], checked.feed["state"]) == (Outcome.CONNECT_ERROR, HTTP, "degraded")


@pytest.mark.parametrize("failure", [status(500), status(403), status(429), page("<html><p>no")])
def test_another_failure_asks_no_other_spelling(failure: dict[str, Any]) -> None:
    checked = Checked({HTTP: page(OLD)}, HTTP)
    checked.serve(failure, HTTP)
    checked.serve(page(OLD), HTTPS)
    checked.check_when_due()
    assert set(checked.requests) == {HTTP}


def test_a_spelling_that_leads_to_another_url_proves_nothing() -> None:
    elsewhere = "https://example.net/promo.xml"
    checked = Checked({HTTP: page(OLD)}, HTTP)
    checked.serve(status(404), HTTP)
    checked.serve(moved(302, elsewhere), HTTPS)
    checked.serve(page(OTHER), elsewhere)
    assert checked.check_when_due().outcome is Outcome.NOT_FOUND
    assert checked.feed["url"] == HTTP


R, T1, T2, T3 = "https://example.com/r", *(f"https://example.com/r?t={n}" for n in (1, 2, 3))


def at_its_earlier_url(body: str, at: str = R) -> Checked:
    """A feed that moved at `T1`, from `R`, whose URL is dead now; the earlier one serves this document."""
    checked = Checked({R: page(OLD)}, R)
    checked.ports.moves.move(moved_to(checked, T1))
    checked.serve(status(404), T1)
    checked.serve(page(body), at)
    return checked


def moved_to(checked: Checked, url: str) -> Any:
    from feedward.health.moves import MoveReason
    from feedward.health.relocation import FeedMove

    feed = checked.feed
    return FeedMove(
        feed_id=checked.feed_id, url=feed["url"], to=url, seen_rev=feed["rev"],
        reason=MoveReason.PERMANENT_REDIRECT, by="check", now=NOW,
    )  # fmt: skip


def test_a_feed_whose_url_is_dead_goes_back_to_an_earlier_one_that_has_its_items() -> None:
    checked = at_its_earlier_url(NEWS)
    answer = checked.check_when_due()
    assert answer.move is not None
    assert (answer.move.outcome, checked.feed["url"], answer.new_items) == (MoveOutcome.MOVED, R, 1)
    assert checked.told("FeedMoved")[-1]["reason"] == "earlier_url"


def test_an_earlier_url_that_leads_to_the_next_target_is_the_feeds_again_and_not_the_target() -> None:
    checked = at_its_earlier_url(NEWS, T3)
    checked.serve(moved(308, T3), R)
    checked.check_when_due()
    assert checked.feed["url"] == R


def test_an_earlier_url_with_other_items_is_another_feed() -> None:
    checked = at_its_earlier_url(OTHER)
    assert checked.check_when_due().outcome is Outcome.NOT_FOUND
    assert checked.feed["url"] == T1


def test_https_is_given_up_for_an_earlier_url_only_if_that_lasts_a_day() -> None:
    checked = Checked({HTTP: page(OLD)}, HTTP)
    checked.ports.moves.move(moved_to(checked, HTTPS))
    checked.serve(DEAD, HTTPS)
    first = checked.check_when_due()
    assert (first.outcome, checked.feed["url"]) == (Outcome.CONNECT_ERROR, HTTPS)
    while checked.feed["url"] == HTTPS:
        answer = checked.check_when_due()
    assert answer.at - first.at >= DAY
    assert checked.feed["state"] == "healthy"


def test_a_permanent_redirect_to_another_parameter_each_time_is_never_taken_over() -> None:
    checked = Checked({R: page(OLD)}, R)
    for turn in range(6):
        target = f"https://example.com/r?t={turn}"
        checked.serve(moved(308, target), R)
        checked.serve(page(OLD), target)
        answer = checked.check_when_due()
        assert (answer.outcome, checked.feed["url"]) == (Outcome.OK, R)


def test_a_permanent_redirect_to_one_parameter_is_taken_over_when_it_is_seen_again_a_day_later() -> None:
    checked = Checked({R: page(OLD)}, R)
    checked.serve(moved(301, T1), R)
    checked.serve(page(OLD), T1)
    first = checked.check_when_due()
    assert checked.feed["url"] == R
    while checked.feed["url"] == R:
        answer = checked.check_when_due()
    assert (answer.at - first.at >= DAY, checked.feed["url"]) == (True, T1)


def test_documents_of_a_changing_target_count_as_the_feeds() -> None:
    checked = Checked({R: page(OLD)}, R)
    checked.serve(moved(308, T1), R)
    checked.serve(page(NEWS, etag='"1"'), T1)
    assert checked.check_when_due().new_items == 1
    assert checked.feed["content_hash"]
