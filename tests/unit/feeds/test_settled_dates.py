"""Dates with several readings are read by what the rest of their feed says, and otherwise not at all."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from feedward.feeds.parse import parse_feed
from feedward.model import Feed


def dates_of(
    *dates: str, head: str = "", root: str = "", url: str = "https://news.example/feed", tail: str = ""
) -> list[str | None]:
    """The days that the items of an RSS feed have, as ISO dates."""
    items = "".join(f"<item><title>A</title><pubDate>{date}</pubDate></item>" for date in dates)
    body = f"<rss version='2.0'{root}><channel><title>T</title>{head}{items}{tail}</channel></rss>"
    return days(body.encode(), url)


def days(body: bytes, url: str) -> list[str | None]:
    feed = parse_feed(body, url=url)
    assert isinstance(feed, Feed)
    times = [item.published_at for item in feed.items]
    return [None if time is None else datetime.fromtimestamp(time, UTC).date().isoformat() for time in times]


@pytest.mark.parametrize(
    ("language", "date", "expected"),
    [
        ("hr", "7 listopada 2019", "2019-10-07"),
        ("hr-HR", "7 lip 2019 10:00", "2019-06-07"),
        ("hr", "7 srp 2019", "2019-07-07"),
        ("pl", "7 listopada 2019", "2019-11-07"),
        ("pl-PL", "7 lip 2019 10:00:00 +0100", "2019-07-07"),
        ("cs", "7 lis 2019", "2019-11-07"),
        ("cs", "7 srp 2019", "2019-08-07"),
        ("en", "7 lis 2019", None),
    ],
)
def test_the_language_of_the_feed_decides(language: str, date: str, expected: str | None) -> None:
    assert dates_of(date, head=f"<language>{language}</language>") == [expected]
    assert dates_of(date, tail=f"<language>{language}</language>") == [expected]
    assert dates_of(date, root=f' xml:lang="{language}"') == [expected]


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (("7 lis 2019", "12 stycznia 2020"), ["2019-11-07", "2020-01-12"]),
        (("12 siječnja 2020", "7 lis 2019"), ["2020-01-12", "2019-10-07"]),
        (("pon., 05 lis 2020 10:00", "7 lis 2019"), ["2020-10-05", "2019-10-07"]),
        (("7 lis 2019", "7 stycznia 2020", "7 siječnja 2020"), [None, "2020-01-07", "2020-01-07"]),
        (("7 lis 2019", "7 Jan 2020"), [None, "2020-01-07"]),
        (("25/12/2025", "05/06/2025 10:00"), ["2025-12-25", "2025-06-05"]),
        (("05/06/2025", "12/25/2025"), ["2025-05-06", "2025-12-25"]),
        (("Mon, 05/01/2026", "03.02.2026"), ["2026-01-05", "2026-02-03"]),
        (("05/06/2025", "25/12/2025", "12/25/2025"), [None, "2025-12-25", "2025-12-25"]),
        (("05/06/2025", "05/05/2025"), [None, "2025-05-05"]),
    ],
)
def test_the_other_dates_decide(dates: tuple[str, ...], expected: list[str | None]) -> None:
    assert dates_of(*dates) == expected


@pytest.mark.parametrize(
    ("language", "dates", "expected"),
    [
        ("de", ("22.08.17", "05.06.2025"), ["2017-08-22", "2025-06-05"]),
        ("ko", ("22.08.17", "22.08.31 10:00"), ["2022-08-17", "2022-08-31"]),
        ("zh-TW", ("22.08.17",), ["2022-08-17"]),
        # Americans put dots into dates too
        ("en-US", ("05.06.2025", "30.10.23"), [None, "2023-10-30"]),
        ("en", ("05.06.2025", "10.30.2023"), ["2025-05-06", "2023-10-30"]),
        ("en", ("05.06.2025", "30.10.2023"), ["2025-06-05", "2023-10-30"]),
    ],
)
def test_dots_have_the_day_first_unless_the_feed_says_otherwise(
    language: str, dates: tuple[str, ...], expected: list[str | None]
) -> None:
    assert dates_of(*dates, head=f"<language>{language}</language>") == expected


def test_the_domain_says_that_the_year_comes_first() -> None:
    assert dates_of("22.08.17", url="https://news.example.kr/rss") == ["2022-08-17"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://vijesti.hr/rss", "2019-10-07"),
        ("https://www.wiadomosci.pl/rss", "2019-11-07"),
        ("https://zpravy.cz/rss", "2019-11-07"),
        ("https://news.example/rss", None),
    ],
)
def test_the_domain_decides_last(url: str, expected: str | None) -> None:
    assert dates_of("7 lis 2019", url=url) == [expected]
    assert dates_of("7 lis 2019", head=f"<link>{url}</link>") == [expected]
    assert dates_of("7 lis 2019", url=url, head="<language>pl</language>") == ["2019-11-07"]


def test_an_undecided_date_gives_way_to_the_next_one() -> None:
    body = (
        b"<rss xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><item><title>A</title><pubDate>05/06/2025</pubDate>"
        b"<dc:date>2025-06-05</dc:date></item></channel></rss>"
    )
    assert days(body, "https://news.example/feed") == ["2025-06-05"]


def test_json_feeds_and_atom_are_settled_too() -> None:
    items = [{"id": "1", "date_published": "7 lis 2019"}, {"id": "2", "date_published": "7 stycznia 2020"}]
    document = {"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": items}
    assert days(json.dumps(document).encode(), "https://news.example/feed.json") == ["2019-11-07", "2020-01-07"]
    atom = (
        b"<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='hr'><title>T</title><updated>7 lis 2019</updated>"
        b"<entry><id>1</id><published>7 lis 2019</published></entry></feed>"
    )
    assert days(atom, "https://news.example/atom") == ["2019-10-07"]
