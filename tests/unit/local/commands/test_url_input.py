"""URLs are read as they come, worked on side by side, and answered in their order."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator

import pytest

from feedward_local.commands.url_input import READ_AHEAD, UrlQueue, answered_in_order, urls_in


def ignore(_count: int) -> None:
    """A progress counter that does nothing."""


def test_blank_lines_comments_and_white_space_are_dropped() -> None:
    lines = [
        "https://a.example\n",
        "\n",
        "# comment\n",
        "   # too\n",
        "  https://b.example/#x \r\n",
    ]
    counts: list[int] = []
    answers = list(answered_in_order(UrlQueue(urls_in(lines), counts.append), str.upper, parallel=2))
    assert answers == [("https://a.example", "HTTPS://A.EXAMPLE"), ("https://b.example/#x", "HTTPS://B.EXAMPLE/#X")]
    assert counts == [1, 2]


def test_answers_keep_the_order_of_the_urls_however_long_each_takes() -> None:
    second_done = threading.Event()

    def answer(url: str) -> str:
        if url == "first":
            assert second_done.wait(60), "the second is worked on while the first waits"
        else:
            second_done.set()
        return url

    answered = answered_in_order(UrlQueue(["first", "second", "third"], ignore), answer, parallel=2)
    assert [url for url, _ in answered] == ["first", "second", "third"]


def test_an_answer_is_given_before_the_next_line_comes() -> None:
    answered_first = threading.Event()

    def lines() -> Iterator[str]:
        yield "first"
        assert answered_first.wait(60), "the first answer must not wait for a second line"
        yield "second"

    seen = []
    for url, _ in answered_in_order(UrlQueue(lines(), ignore), str, parallel=1):
        seen.append(url)
        answered_first.set()
    assert seen == ["first", "second"]


def test_an_error_of_an_answer_ends_the_work() -> None:
    def answer(url: str) -> str:
        raise RuntimeError(url)

    with pytest.raises(RuntimeError, match="first"):
        list(answered_in_order(UrlQueue(["first", "second"], ignore), answer, parallel=1))


def test_an_error_of_the_input_comes_after_the_urls_before_it() -> None:
    def lines() -> Iterator[str]:
        yield "first"
        raise OSError("the disk is gone")

    seen = []
    with pytest.raises(OSError, match="disk"):  # noqa: PT012
        for url, _ in answered_in_order(UrlQueue(lines(), ignore), str, parallel=1):
            seen.append(url)
    assert seen == ["first"]


def test_an_input_without_end_is_not_held_in_memory() -> None:
    full, too_many = threading.Event(), threading.Event()

    def endless() -> Iterator[str]:
        for read in itertools.count(1):
            if read > READ_AHEAD:
                full.set()
            if read > READ_AHEAD + 100:
                too_many.set()
            yield "url"

    answered = answered_in_order(UrlQueue(endless(), ignore), str, parallel=1)
    assert [next(answered)[0] for _ in range(10)] == ["url"] * 10
    assert full.wait(60)
    assert not too_many.wait(0.2)


def test_no_urls_are_no_answers() -> None:
    assert list(answered_in_order(UrlQueue([], ignore), str, parallel=3)) == []
