"""Date dialects -> epoch seconds, and None for what is no date."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.feeds.dates import parse_date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sun, 06 Sep 2009 16:18:00 EST", "2009-09-06T21:18:00"),
        ("Tue, 01 Oct 2024 10:00:00 EDT", "2024-10-01T14:00:00"),
        ("Thu, 15 Feb 2018 11:24:50", "2018-02-15T11:24:50"),
        ("Wed, 27 Apr 2016 19:25:14 -0400", "2016-04-27T23:25:14"),
        ("Wed, 19 Aug 2009 18:28:00 Etc/GMT", "2009-08-19T18:28:00"),
        ("Mon, 01 Jan 2024 00:00:00 +0100 (CET)", "2023-12-31T23:00:00"),
        ("Sat, 7 Sep 2002 00:00:01 GMT+02:00", "2002-09-06T22:00:01"),
        ("Thursday, 04-Jan-24 10:00:00 UTC", "2024-01-04T10:00:00"),
        ("06 Sep 99 16:18 Z", "1999-09-06T16:18:00"),
        ("Sun Jan  4 16:29:06 2004", "2004-01-04T16:29:06"),
        ("Thu Aug 30 17:26:16 +0200 2012", "2012-08-30T15:26:16"),
        ("Friday, January 29, 2021 04:42 PM", "2021-01-29T16:42:00"),
        ("Mon, 1 Jan 2024 12:05 AM EST", "2024-01-01T05:05:00"),
        ("January 5, 2024", "2024-01-05T00:00:00"),
        ("Jan. 5th 2024 7:30 p.m. CET", "2024-01-05T18:30:00"),
        ("Mai 5 2024 at 12:30pm", "2024-05-05T12:30:00"),
        ("1 Jan 2024 10:00 IST", "2024-01-01T04:30:00"),
        ("1 Jan 2024 10:00 Nowhere/Land", "2024-01-01T10:00:00"),
        ("1 Jan 103 10:00:30 PST", "2003-01-01T18:00:30"),
        ("1 Jan 49 10:00", "2049-01-01T10:00:00"),
        ("1 Jan 50 10:00", "1950-01-01T10:00:00"),
        ("Fri, 2006/09/15 08:19:53 EDT", "2006-09-15T12:19:53"),
        ("Seg, 24 Set 2018 10:00:00 +0000", "2018-09-24T10:00:00"),
        ("Mi, 13 März 2024 10:00:00 +0100", "2024-03-13T09:00:00"),
        ("1 de enero de 2020", "2020-01-01T00:00:00"),
        ("Вс, 06 сен 2009 16:18:00 +0400", "2009-09-06T12:18:00"),
        ("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00"),
        ("2004-július-13T9:15-05:00", "2004-07-13T14:15:00"),
        ("2004-05-25 오후 11:23:17", "2004-05-25T14:23:17"),
        ("2004년 05월 28일  01:31:15", "2004-05-27T16:31:15"),
        ("2003-12-31T10:14:55", "2003-12-31T10:14:55"),
        ("2003-12-31T10:14:55.123456+0530", "2003-12-31T04:44:55"),
        ("2003-12-31t10:14z", "2003-12-31T10:14:00"),
        ("2003-12-31 10:14:55 EST", "2003-12-31T15:14:55"),
        ("2003-12-31 10:14:55 PM", "2003-12-31T22:14:55"),
        ("2003-12-31 12:14 a.m. EST", "2003-12-31T05:14:00"),
        ("Wed, 2003/12/31 10:14:55pm +01:00", "2003-12-31T21:14:55"),
        ("Mi, 31 Dez 2003 10:14:55 MEZ", "2003-12-31T09:14:55"),
        ("2003-335", "2003-12-01T00:00:00"),
        ("2004-366", "2004-12-31T00:00:00"),
        ("2003335", "2003-12-01T00:00:00"),
        ("03-335", "2003-12-01T00:00:00"),
        ("03-12-31", "2003-12-31T00:00:00"),
        ("991231", "1999-12-31T00:00:00"),
        ("2003", "2003-01-01T00:00:00"),
        ("2003-12", "2003-12-01T00:00:00"),
        ("20031231T101455Z", "2003-12-31T10:14:55"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00"),
        ("\n 2024-01-01 \t", "2024-01-01T00:00:00"),
    ],
)
def test_a_date_is_read_in_its_dialect(text: str, expected: str) -> None:
    assert parse_date(text) == int(datetime.fromisoformat(expected).replace(tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "now",
            "tomorrow",
            "2019-02-29",
            "Thu, 31 Jun 2004 19:48:21 GMT",
            "31/12/2003",
            "12/31/2003",
            "0000-01-01",
        ),
        *("2003-13-01", "2003-12-32", "2003-12-31T24:00:00Z", "Thu, 01 Jan 2004 10:60:00 GMT", "1700000000", "202"),
        *(
            "Mon, 1 Jan 2024 13:05 PM",
            "2024-01-01 13:05 PM",
            "Mon, 01 Jan 2024 10:00:00 +9900",
            "9999-12-31T23:59:59-01:00",
            "16 Jui 2004",
        ),
        *("0001-01-01T00:00:00+01:00", "1 Jan 2 Feb 2004", "Jan 2004", "2003-366", "a" * 5000, "1" * 5000),
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert parse_date(text) is None


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_time_is_read_back_from_the_common_forms(moment: datetime) -> None:
    seconds = int((moment.replace(microsecond=0) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
    assert parse_date(moment.isoformat()) == seconds
    assert parse_date(moment.isoformat(" ", "seconds")) == seconds
    assert parse_date(format_datetime(moment, usegmt=True)) == seconds


@given(st.text(max_size=120) | st.from_regex(r"[0-9A-Za-z :,+./-]{0,40}", fullmatch=True))
def test_no_text_raises(text: str) -> None:
    assert parse_date(text) is None or isinstance(parse_date(text), int)
