"""How the frontier behaves in a deployment (rules F1, F3). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MoveOn(StrEnum):
    """After which redirects a row moves to where its fetch landed (FRONTIER_MOVE_ON)."""

    ANY = "any"
    PERMANENT = "permanent"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierSettings:
    """`max_attempts`: failures until a row is dead. `host_pause_s`: at least between two requests to one host.

    `respect_robots` False asks no robots.txt: for tests, and for one's own sites. Redirects are the fetch's settings.
    """

    move_on: MoveOn = MoveOn.ANY
    max_attempts: int = 5
    host_pause_s: float = 1.0
    respect_robots: bool = True


DEFAULT_SETTINGS = FrontierSettings()
