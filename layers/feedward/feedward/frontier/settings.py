"""The frontier's settings in a deployment (rules F1, F3). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from feedward.urls.redirects import MAX_REDIRECTS


class MoveOn(StrEnum):
    """Which redirects move a row to the landing URL of its fetch (FRONTIER_MOVE_ON)."""

    ANY = "any"
    PERMANENT = "permanent"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierSettings:
    """The settings. `max_attempts` failures make a row dead. `host_pause_s` is the politeness delay of a host.

    With `respect_robots` False no robots.txt is read: for tests and for your own sites. The settings of redirects are
    the fetcher's own, for pages that only lead on.
    """

    move_on: MoveOn = MoveOn.ANY
    max_attempts: int = 5
    host_pause_s: float = 1.0
    respect_robots: bool = True
    follow_redirects: bool = True
    max_redirects: int = MAX_REDIRECTS


DEFAULT_SETTINGS = FrontierSettings()
