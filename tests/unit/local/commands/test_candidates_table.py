"""Output of `feedward discover`: the outcome first, then each candidate, in 100 columns and safe for a terminal."""

from __future__ import annotations

from typing import Any

import pytest

from feedward_local.commands.candidates_table import COLUMNS, account

URL = "https://blog.example/"
MAIN = "https://blog.example/feed"


def candidate(url: str, **said: Any) -> dict[str, Any]:
    told = {
        "candidate_url": url,
        "final_url": None,
        "source": "link",
        "kind": "main",
        "score": 600,
        "why": "link rel=alternate",
        "is_canonical": False,
        "validation_status": "valid",
        "last_error": None,
        "detail": "",
        "format": "rss",
        "title": "A blog",
        "item_count": 3,
    }
    return told | said


def document(*candidates: dict[str, Any], **said: Any) -> dict[str, Any]:
    chosen = next((one for one in candidates if one["is_canonical"]), None)
    told = {
        "status": "done",
        "reason": None,
        "outcome": "found" if chosen else "no_feed",
        "page_outcome": "ok",
        "detail": "",
        "complete": True,
        "retry_after_s": None,
        "canonical": chosen and {"url": chosen["final_url"] or chosen["candidate_url"]},
        "candidates": list(candidates),
        "requests": 2,
        "rounds": 1,
    }
    return told | said


def test_the_chosen_feed_is_named_first_and_marked_in_the_table() -> None:
    comments = candidate("https://blog.example/comments", kind="comments", score=95, title="Comments", item_count=1)
    lines = list(account(URL, document(candidate(MAIN, is_canonical=True, score=733), comments)))
    assert lines == [
        "https://blog.example/: found https://blog.example/feed (2 requests, 1 round)",
        "     score  kind      source  feed",
        "  *    733  main      link    https://blog.example/feed",
        "            A blog (rss, 3 items); link rel=alternate",
        "        95  comments  link    https://blog.example/comments",
        "            Comments (rss, 1 item); link rel=alternate",
    ]


@pytest.mark.parametrize(
    ("said", "below"),
    [
        ({"validation_status": "invalid", "last_error": "not_found"}, "not_found; link rel=alternate"),
        (
            {"validation_status": "invalid", "last_error": "blocked", "detail": "no public address"},
            "blocked: no public address; link rel=alternate",
        ),
        ({"validation_status": "untested"}, "not tried; link rel=alternate"),
        ({"validation_status": "untested", "detail": "not needed"}, "not tried: not needed; link rel=alternate"),
        ({"title": None, "why": ""}, "untitled (rss, 3 items)"),
    ],
)
def test_below_each_candidate_is_its_title_or_its_failure(said: dict[str, Any], below: str) -> None:
    *_, last = account(URL, document(candidate(MAIN, **said)))
    assert last.strip() == below


def test_the_final_url_of_a_candidate_is_shown() -> None:
    lines = list(account(URL, document(candidate(MAIN, final_url="https://blog.example/feed/", is_canonical=True))))
    assert lines[0].split(" (")[0].endswith("found https://blog.example/feed/")
    assert lines[2].endswith("  https://blog.example/feed/")


@pytest.mark.parametrize(
    ("said", "first_line"),
    [
        ({}, "no_feed (2 requests, 1 round)"),
        ({"outcome": "refused", "page_outcome": "challenge"}, "refused (challenge) (2 requests, 1 round)"),
        (
            {"outcome": "refused", "page_outcome": "rate_limited", "detail": "it says no", "retry_after_s": 90},
            "refused (rate_limited: it says no) (2 requests, 1 round, it asks to retry in 90 s)",
        ),
        (
            {"outcome": "bad_url", "page_outcome": "bad_url", "detail": "no URL", "requests": 0, "rounds": 0},
            "bad_url (no URL) (0 requests, 0 rounds)",
        ),
        (
            {"outcome": None, "page_outcome": None, "status": "running", "complete": False},
            "running (2 requests, 1 round, the search is incomplete)",
        ),
        (
            {
                "outcome": "unreachable",
                "page_outcome": "timeout",
                "status": "failed",
                "complete": False,
                "reason": "lost",
            },
            "unreachable (timeout) (2 requests, 1 round, the search is incomplete, its job failed: lost)",
        ),
    ],
)
def test_without_a_feed_the_first_line_says_how_it_ended(said: dict[str, Any], first_line: str) -> None:
    assert list(account(URL, document(**said))) == [f"{URL}: {first_line}"]


def test_a_choice_of_before_is_told_as_one_where_the_site_cannot_be_looked_at_now() -> None:
    known = candidate(MAIN, is_canonical=True)
    first, *_ = account(URL, document(known, outcome="unreachable", page_outcome="timeout", complete=False))
    assert first == (
        f"{URL}: unreachable (timeout); known from before: {MAIN} (2 requests, 1 round, the search is incomplete)"
    )


def test_guesses_that_led_nowhere_are_counted() -> None:
    lost = {"validation_status": "invalid", "source": "guess_root", "last_error": "not_found"}
    guesses = [candidate(f"https://blog.example/{number}", **lost) for number in range(3)]
    guesses.append(candidate("https://blog.example/page", **(lost | {"last_error": "not_feed"})))
    found = candidate(MAIN, source="guess_root", is_canonical=True)
    lines = list(account(URL, document(found, *guesses)))
    assert lines[-1] == "  4 common paths without a feed: 3 not_found, 1 not_feed"
    assert sum("guess_root" in line for line in lines) == 1


def test_texts_of_any_length_stay_within_the_columns() -> None:
    found = candidate(MAIN, title="word " * 80, why="anchor text " + "x" * 300, is_canonical=True)
    lines = list(account(URL, document(found)))
    assert max(map(len, lines)) <= COLUMNS
    assert sum(line.count("word") for line in lines) == 80


def test_nothing_that_a_terminal_would_act_on_gets_through() -> None:
    evil = "\x1b]0;x\x07\u202eevil\n  *  999"
    found = candidate(MAIN, title=evil, why=evil, kind=evil, source=evil, is_canonical=True)
    failed = candidate(MAIN, validation_status="invalid", last_error=evil, detail=evil)
    shown = [*account(evil, document(found, failed)), *account(evil, document(outcome="refused", detail=evil))]
    shown += account(evil, {"problem": {"code": evil, "detail": evil}})
    assert all(line.isprintable() for line in shown)
    assert not any(line.startswith("  *  999") for line in shown)


def test_a_problem_is_told_with_its_code() -> None:
    lines = list(account(URL, {"problem": {"code": "throttled", "detail": "slow down"}}))
    assert lines == ["https://blog.example/: problem:throttled: slow down"]
