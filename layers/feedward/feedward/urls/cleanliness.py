"""How clean a URL is: the formula of the specification, by which candidates are ordered (spec C1)."""

from __future__ import annotations

from collections.abc import Iterable

from feedward.urls.normalize import parse_known_url
from feedward.urls.query import count_pairs, has_pair, parameter_names
from feedward.urls.tracking import TRACKING_PARAMS


def cleanliness(
    url: str,
    *,
    tracking_params: Iterable[str] = TRACKING_PARAMS,
    prefer_https: bool = True,
    prefer_no_www: bool = True,
    count_length: bool = True,
) -> float:
    """Score `url`; higher is cleaner. Options that are off leave their term out.

    Without `count_length` it is the measure of spec C7.6, which compares scheme, www, slash, parameters, credentials
    and fragment only. Raises InvalidInput (`url`).
    """
    parsed = parse_known_url(url)
    query, path = parsed.search[1:], parsed.pathname
    score = 0.0
    if prefer_https and parsed.protocol == "https:":
        score += 100
    if prefer_no_www and not parsed.hostname.startswith("www."):
        score += 50
    if not path.endswith("/") or path == "/":
        score += 20
    score += max(0, 30 - 5 * count_pairs(query))
    if not has_pair(query, parameter_names(tracking_params)):
        score += 25
    if not parsed.has_credentials():
        score += 15
    if not parsed.hash:
        score += 10
    return score + (max(0.0, (200 - len(url)) / 10) if count_length else 0.0)
