"""A page that asks whether the client is a robot is recognized, and a page that speaks of such pages is none."""

from __future__ import annotations

import time

import pytest

from feedward.model import FetchResult, Outcome
from feedward.pages.bot_wall import MAX_BYTES, _Page, is_bot_wall
from feedward.pages.challenge import without_wall
from tests.unit.pages.bot_walls import NO_WALLS, WALLS
from tests.unit.pages.more_walls import MORE_PAGES, MORE_WALLS
from tests.unit.pages.recent_walls import RECENT_WALLS, STORIES
from tests.unit.pages.titled_walls import SHORT_PAGES, TITLED_WALLS


@pytest.mark.parametrize("html", WALLS.values(), ids=WALLS)
@pytest.mark.parametrize("content_type", [None, "text/html; charset=utf-8", "application/rss+xml"])
def test_a_bot_wall_is_recognized_with_any_content_type(html: str, content_type: str | None) -> None:
    assert is_bot_wall(html.encode(), content_type)
    assert is_bot_wall(b"\xef\xbb\xbf\n" + html.encode(), content_type)


OTHER_WALLS = MORE_WALLS | TITLED_WALLS | RECENT_WALLS


@pytest.mark.parametrize("html", OTHER_WALLS.values(), ids=OTHER_WALLS)
def test_walls_of_many_products_are_recognized(html: str) -> None:
    assert is_bot_wall(html.encode(), "text/html")


PAGES = NO_WALLS | MORE_PAGES | SHORT_PAGES | STORIES


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_any_other_document_is_none(html: str) -> None:
    assert not is_bot_wall(html.encode(), "text/html")


def test_an_essay_that_begins_with_a_check_is_none() -> None:
    check = "<script>go()</script><h1>Are you a human?</h1>"
    assert is_bot_wall(check.encode())
    assert not is_bot_wall(f"{check}<p>{'A question for the ages. ' * 30}</p>".encode())


def test_the_marks_of_a_page_that_is_too_long_for_a_wall_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    monkeypatch.setattr(_Page, "_see", lambda _, token: searched.append(token[0]))
    start = "<script>track()</script><meta name=x><h1>An article</h1>"

    is_bot_wall(f"{start}<p>{'long ' * 1000}</p>".encode())
    is_bot_wall((start + "<a href=/x>link</a>" * 100).encode())
    is_bot_wall((start + "<hr>" * 1000).encode())
    assert searched == []
    is_bot_wall(start.encode())
    assert searched == ["<script>track()</script>", "<meta name=x>", "<h1>", "</h1>"]


@pytest.mark.parametrize("content_type", ["text/plain", "application/json", "image/png"])
def test_source_text_is_none(content_type: str) -> None:
    assert not is_bot_wall(WALLS["Anubis"].encode(), content_type)


def test_only_a_complete_body_is_looked_at_and_a_wall_leaves_no_body() -> None:
    served = FetchResult(outcome=Outcome.OK, url="https://a.example/", status=200, body=WALLS["Sucuri"].encode())
    found = without_wall(served)
    assert (found.outcome, found.status, found.body) == (Outcome.CHALLENGE, 200, b"")
    assert found.detail
    gone = FetchResult(outcome=Outcome.GONE, url="https://a.example/", body=served.body)
    assert without_wall(gone) is gone


@pytest.mark.parametrize(
    "unit",
    [
        "<div ",
        "<!--",
        "<script ",
        "<script>",
        "<svg>",
        "<",
        "<style",
        "<p src=",
        "=/",
        '"/',
        "<title>",
        "\0",
        "\\'",
        '\\"',
        "'",
        "\"'",
        "'\n",
    ],
)
def test_hostile_markup_takes_linear_time(unit: str) -> None:
    started = time.process_time()
    is_bot_wall((f"<script>{unit * MAX_BYTES}")[:MAX_BYTES].encode())
    is_bot_wall((f"<p>{unit * MAX_BYTES}")[:MAX_BYTES].encode())
    is_bot_wall((f"<p {unit * MAX_BYTES}")[:MAX_BYTES].encode())
    is_bot_wall((f"<p class={unit * MAX_BYTES}")[:MAX_BYTES].encode())
    assert time.process_time() - started < 1
