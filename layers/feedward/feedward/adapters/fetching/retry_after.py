"""Reads Retry-After: how long a server asks to wait (rule N8). Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

from feedward.model import LONGEST_RETRY_AFTER_S

# Forms seen in the wild, in addition to plain seconds: 292.05, "120", 120;, 60 seconds, and a value of two servers.
_WAIT = re.compile(
    r"[\"']?(?P<count>[0-9]+(?:\.[0-9]*)?)(?P<unit>\s*[a-z]+)?[\"']?\s*(?:[;,]\s*|(?:,\s*\"?[0-9][0-9.]*\"?\s*)+)?",
    re.ASCII | re.IGNORECASE,
)
# Too many seconds for a wait: a time in seconds or milliseconds since 1970, as in X-RateLimit-Reset.
_EPOCH = re.compile(r"[\"']?(?P<seconds>[1-9][0-9]{9}(?:\.[0-9]{0,9})?)(?P<milliseconds>[0-9]{3})?[\"']?", re.ASCII)
_UNIT_S = {
    **dict.fromkeys(("", "s", "sec", "secs", "second", "seconds"), 1),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60),
    **dict.fromkeys(("h", "hour", "hours"), 3600),
    **dict.fromkeys(("d", "day", "days"), 86400),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), 0.001),
}


def retry_after_s(status: int, headers: Mapping[str, str], now: float) -> int | None:
    """Return the whole seconds to wait, at most 7 days (rule N8).

    None unless a 429 or 503 names seconds, perhaps 0, or a future time.
    """
    if status not in (429, 503):
        return None
    value = headers.get("retry-after", "").strip()
    time = _EPOCH.fullmatch(value)
    asked_s = math.ceil(float(time["seconds"]) - now) if time else _asked_seconds(value)
    wait_s = asked_s if asked_s is not None else seconds_until(value, now) or -1
    return min(wait_s, LONGEST_RETRY_AFTER_S) if wait_s >= 0 else None


def _asked_seconds(value: str) -> int | None:
    """Return the seconds that `value` names, rounded up; None if it names none."""
    found = _WAIT.fullmatch(value)
    unit_s = _UNIT_S.get((found["unit"] or "").strip().lower()) if found else None
    if found is None or unit_s is None:
        return None
    return math.ceil(min(float(found["count"][:20]), LONGEST_RETRY_AFTER_S) * unit_s)


def seconds_until(http_date: str, now: float) -> int:
    """Return the seconds from `now` to a date in any of the three HTTP formats; 0 for an invalid date."""
    try:
        moment = parsedate_to_datetime(http_date)
        return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now)
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0
