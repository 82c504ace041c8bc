"""Settles the dates of a feed that have several readings: the rest of the feed decides, else they are dropped.

`7 listopada 2019` is in October in Croatian and in November in Polish; `05/06/2025` has two orders. What decides is the
feed's language, then its other dates, then the domain of its host, then what is usual for dates with dots; but people
who write English put dots into both orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from feedward.feeds.dates import MONTH_FIRST, YEAR_FIRST, DateReadings
from feedward.feeds.draft import Values
from feedward.urls.parse import parse_url

_LANGUAGES = ("language", "dc_language", "xml_lang")
_WAY_OF_DOMAIN = {"cz": "cs", "hr": "hr", "pl": "pl", "ua": "uk"} | dict.fromkeys(
    ("cn", "hk", "hu", "jp", "kr", "lt", "mn", "tw"), YEAR_FIRST
)
_YEAR_FIRST_IN = frozenset(("hu", "ja", "ko", "lt", "mn", "zh"))
_Ways = frozenset[str]


def settle_dates(feed: Values, items: list[Values], addresses: Iterable[str | None]) -> None:
    """Replace every date with readings by its time, or delete it. `addresses` are the URLs of the feed and its site."""
    groups = (feed, *items)
    dates = [date for values in groups for date in values.values() if isinstance(date, DateReadings)]
    known = {frozenset(date.times) for date in dates if date.time is not None}
    said = [tag.partition("-")[0] for slot in _LANGUAGES if (tag := feed.get(slot))]
    said += [YEAR_FIRST for language in said if language in _YEAR_FIRST_IN]
    domains = list(_ways_of_domains(addresses))
    for values in groups:
        for slot in [slot for slot, value in values.items() if isinstance(value, DateReadings)]:
            time = _time(values.pop(slot), said, known, domains)
            if time is not None:
                values[slot] = time


def _time(date: DateReadings, said: list[str], known: set[_Ways], domains: list[str]) -> int | None:
    usual = None if "en" in said and MONTH_FIRST in date.times else date.usual_time
    found = (date.time, _first_of(date, said), _by_others(date, known), _first_of(date, domains), usual)
    return next((time for time in found if time is not None), None)


def _first_of(date: DateReadings, ways: list[str]) -> int | None:
    return next((date.times[way] for way in ways if way in date.times), None)


def _by_others(date: DateReadings, known: set[_Ways]) -> int | None:
    """Return the time by the ways in which other dates can be read, if these dates exclude all different times."""
    ways = frozenset(date.times)
    usual = {way for others in known if not ways <= others for way in ways & others}
    times = {date.times[way] for way in usual}
    return times.pop() if len(times) == 1 else None


def _ways_of_domains(addresses: Iterable[str | None]) -> Iterator[str]:
    for address in addresses:
        parsed = parse_url(address) if address else None
        domain = parsed.hostname.rpartition(".")[2] if parsed else ""
        if domain in _WAY_OF_DOMAIN:
            yield _WAY_OF_DOMAIN[domain]
