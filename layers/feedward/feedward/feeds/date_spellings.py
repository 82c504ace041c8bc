"""Rewrites dates that programs misspell, each with one meaning: a zone said twice, the time first, `15:04 pm`."""

from __future__ import annotations

import re
from typing import Final

from feedward.feeds.clock import full_year

_TIME: Final = r"\d{1,2}:\d{2}(?::\d{2})?"
_IN_NUMBERS: Final = r"(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})"


def _with_colons(found: re.Match[str]) -> str:
    return ":".join(filter(None, found.groups()))


def _with_minutes(found: re.Match[str]) -> str:
    return f"{found[1]}:{found[2] or '00'}"


def _with_two_digits(found: re.Match[str]) -> str:
    return ":".join(number.zfill(2) for number in found.groups())


_SPELLINGS: Final = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"^([\"'\u201c\u201d\u2018\u2019])(.+)[\"'\u201c\u201d\u2018\u2019]$", r"\2"),
        (r"&\#43;|%2[Bb]", "+"),
        (r"^(\d{1,2})/([A-Za-z]{3})/(\d{4}):(?=\d{2}:)", r"\1 \2 \3 "),  # of logs
        (r"^(\d{4})-([A-Za-z]{3,9})-(\d{1,2})(?=T|\s|$)", r"\3 \2 \1"),
        (r"(?<=[a-z]\s\d{4})T(?=\d{2}:\d{2})", " "),
        (r"^(\d{4}-\d{2}-\d{2}T\d{2})(\d{2})?(?=(?:Z|[+-]\d{2}:?\d{2})$)", _with_minutes),
        (r"(?<=T)(\d{2})\.(\d{2})\.(\d{2})(?=Z|[+-]|$)", _with_colons),
        (r"(?<=:\d{2})([+-])(\d)$", r"\g<1>0\2"),
        (r"(?<=[T\s])(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)", _with_two_digits),
        (r"^\d{1,3},\s+(?=\d)", ""),  # a weekday that a template gives as a number
        (r"(?<=[+-]\d{2}:\d{2})(?:Z|:00)$", ""),  # `-05:00Z`, `+02:00:00`
        (r"(?<=:\d{2}):(?=[+-]\d{2}:?\d{2}$)", ""),  # `10:00:00:-0700`
        (r"(?<=:\d{2}\s)[+-](?=[+-]\d{4}$)", ""),  # `10:00:00 --0700`
        (r"(?<=:\d{2}:\d{2})[\s:]00$", ""),  # `10:00:00 00`
        (r"(?<=\d\s)(?!UTC|GMT)[A-Z]{3,4}(?=[+-]\d{2}:?\d{2}$)", ""),  # `10:00:00 EST-05:00`
        (r"^(\d{4}-\d{2}-\d{2})\s+(?:at|00:00:00(?:\.0+)?)\s+(?=\d{1,2}:\d{2})", r"\1 "),
        (r"^([A-Za-z]{3},\s+\d{1,2}\s[A-Za-z]{3}\s\d{4}\s\d{2})\s(?=[+-]\d{4}$)", r"\1:00 "),  # no minutes
        (r"(?<!\d)(\d{1,2}\.)\s(\d{1,2}\.)\s(?=(?:\d{4}|\d{2})(?:\D|$))", r"\1\2"),  # Czech: `30. 10. 2023`
        (rf"({_IN_NUMBERS}),?\s+(?:um|kl\.?|klo|at|à|às|alle|om|o|v|в)\s+(?=\d{{1,2}}[:.]\d{{2}})", r"\1 "),
        (rf"({_IN_NUMBERS},?\s+\d{{1,2}})\.(\d{{2}})(?:\.(\d{{2}}))?(?=\s|$)", _with_colons),  # `30.10.2023 14.05`
        (
            rf"^({_TIME}),?\s+(\d{{1,2}}([./-])\d{{1,2}}\3\d{{4}}|\d{{1,2}}\.\d{{1,2}}\.\d{{2}}|\d{{4}}-\d{{2}}-\d{{2}})(?=\s|$)",
            r"\2 \1",
        ),
        (r"^(\d{1,2}([./-])\d{1,2}\2\d{4})\s+(?=[+-]\d{4}$|GMT$|UTC$)", r"\1 00:00 "),
        (r"^([^\W\d]{2,12}\.?,?\s+\d{1,2})\s(\d{1,2})\s(?=\d{4}\s)", r"\1/\2/"),  # `Sat, 11 04 2020 10:00`
        (r"(?<!\d)(1[3-9]|2[0-3])(:\d{2}(?::\d{2})?)\s*[Pp]\.?[Mm]\.?(?![A-Za-z])", r"\1\2"),
    )
)
_EPOCH: Final = re.compile(r"(1\d{9})(?:\d{3}|\.\d{1,6})?")
_SHORT_YEAR: Final = re.compile(r"(\d{1,2}/(?:1[3-9]|2\d|3[01])/)(\d{2})(?!\d)")  # of the USA: `10/30/23`


def seconds_since_epoch(text: str) -> int | None:
    """Return the seconds of a count since 1970, of the years 2001 to 2033, in seconds or milliseconds; else None."""
    found = _EPOCH.fullmatch(text)
    return int(found[1]) if found else None


def respelled(text: str) -> str:
    """Return a date in a usual spelling; the text itself if it has no known misspelling."""
    for pattern, by in _SPELLINGS:
        text = pattern.sub(by, text, count=1)
    return _SHORT_YEAR.sub(_with_century, text, count=1) if _SHORT_YEAR.match(text) else text


def _with_century(found: re.Match[str]) -> str:
    return f"{found[1]}{full_year(found[2])}"
