"""Time zones in words, as people, Java and JavaScript write them: `Eastern Daylight Time`, `12:00 PT`, `(PDT)`."""

from __future__ import annotations

import re
from typing import Final

from feedward.feeds.clock import has_offset, zone_minutes

# Minutes east of UTC in standard time. A zone whose plain name (`Eastern Time`) means the local clock has a place too.
_REGIONS: Final = {
    "eastern": (-300, "America/New_York"), "central": (-360, "America/Chicago"),
    "mountain": (-420, "America/Denver"), "pacific": (-480, "America/Los_Angeles"),
    "atlantic": (-240, "America/Halifax"), "newfoundland": (-210, "America/St_Johns"),
    "alaska": (-540, "America/Anchorage"), "alaskan": (-540, ""), "hawaii": (-600, ""), "hawaiian": (-600, ""),
    "hawaii-aleutian": (-600, ""), "argentina": (-180, ""), "brasilia": (-180, ""), "colombia": (-300, ""),
    "peru": (-300, ""), "western european": (0, ""), "gmt": (0, ""), "greenwich": (0, ""), "universal": (0, ""),
    "coordinated universal": (0, ""), "central european": (60, ""), "eastern european": (120, ""),
    "israel": (120, ""), "moscow": (180, ""), "russian": (180, ""),
    "west africa": (60, ""), "central africa": (120, ""), "south africa": (120, ""), "east africa": (180, ""),
    "gulf": (240, ""), "pakistan": (300, ""), "india": (330, ""), "indochina": (420, ""),
    "western indonesia": (420, ""), "china": (480, ""), "hong kong": (480, ""), "singapore": (480, ""),
    "taipei": (480, ""), "philippine": (480, ""), "japan": (540, ""), "tokyo": (540, ""), "korea": (540, ""),
    "korean": (540, ""), "australian western": (480, ""), "australian central": (570, ""),
    "australian eastern": (600, ""), "aus eastern": (600, ""), "new zealand": (720, ""),
}  # fmt: skip
# Names that mean another time than their words say, and those of other languages.
_PHRASES: Final = {
    "british summer time": 60, "irish standard time": 60, "mitteleuropäische zeit": 60,
    "mitteleuropäische normalzeit": 60, "mitteleuropäische sommerzeit": 120, "heure normale d'europe centrale": 60,
    "heure d'été d'europe centrale": 120, "ora standard dell'europa centrale": 60,
    "ora legale dell'europa centrale": 120, "hora estándar de europa central": 60,
    "hora de verano de europa central": 120,
}  # fmt: skip
_ABBREVIATED: Final = {"ET": "eastern", "CT": "central", "MT": "mountain", "PT": "pacific"}
_NAMES: Final = "|".join(re.escape(name) for name in sorted(_REGIONS, key=len, reverse=True))
_ZONE: Final = re.compile(
    rf"(?<![\w-])\(?(?:(?P<phrase>{'|'.join(_PHRASES)})"
    rf"|(?P<region>{_NAMES})(?: (?P<season>standard|daylight|summer|mean))? time"
    r"|(?<=[\dMm.] )(?P<alone>eastern|central|mountain|pacific)$)\)?(?!\w)",
    re.IGNORECASE,
)
_SHORT: Final = re.compile(r"(?<=[\d\s.(])[ECMP]T(?=\)?(?:$|[\s,]))")
_IN_PARENTHESES: Final = re.compile(r"\(([^\W\d_]{2,5}|(?:GMT|UTC)[+-]\d{1,2}(?::?\d{2})?)\)")
_MAY_BE_OF_WINDOWS: Final = re.compile(
    r"(?:standard|daylight) time|russia time zone|\((?:UTC|GMT)[\d:+-]*\) [a-z]", re.IGNORECASE
)
_SUMMER_MIN: Final = 60


def take_zone_in_words(text: str) -> tuple[str, str | None] | None:
    """Split a date from its zone in words: (the rest, an offset or a name of the IANA database).

    The zone is None if the rest has an offset already. Returns None for a date without such a zone behind its time.
    """
    text = text.replace("\u2019", "'")
    if _MAY_BE_OF_WINDOWS.search(text) and (taken := _of_windows(text)):
        return taken
    found = _ZONE.search(text) or _SHORT.search(text) or _known_in_parentheses(text)
    if found is None or ":" not in text[: found.start()]:
        return None
    rest = _IN_PARENTHESES.sub(" ", f"{text[: found.start()]} {text[found.end() :]}").strip(" ()")
    return rest, None if has_offset(rest) else _zone_of(found)


def _of_windows(text: str) -> tuple[str, str | None] | None:
    from feedward.feeds.windows_zones import take_windows_zone  # noqa: PLC0415 - few dates name such a zone

    taken = take_windows_zone(text, _REGIONS)
    if taken is None or ":" not in taken[0]:
        return None
    rest, zone = taken
    return rest, None if has_offset(rest) else zone


def _known_in_parentheses(text: str) -> re.Match[str] | None:
    found = _IN_PARENTHESES.search(text)
    return found if found and (found[1][-1].isdigit() or zone_minutes(found[1]) is not None) else None


def _zone_of(found: re.Match[str]) -> str:
    if found.re is _IN_PARENTHESES:
        return found[1]
    if found.re is _SHORT:
        return _REGIONS[_ABBREVIATED[found[0]]][1]
    if found["phrase"]:
        return _offset(_PHRASES[found["phrase"].lower()])
    minutes, place = _REGIONS[(found["region"] or found["alone"]).lower()]
    season = (found["season"] or "").lower()
    if place and not season:
        return place
    return _offset(minutes + (_SUMMER_MIN if season in ("daylight", "summer") else 0))


def _offset(minutes: int) -> str:
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02}{rest:02}"
