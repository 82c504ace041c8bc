"""Remember that a feed was seen moving to another URL, for a move without proof has to be seen again (spec F2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from feedward.errors import Conflict
from feedward.health.moves import Move, Sighting, sighted
from feedward.health.portals import Arrivals, arrived, is_portal, target_key
from feedward.ports import Sightings

_RETRIES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenMove:
    """What is known of a move with this sighting. `is_portal`: many unrelated hosts move there; nothing is adopted."""

    sighting: Sighting
    is_portal: bool


def sight_move(
    feed_id: str, host: str, move: Move, *, sightings: Sightings, now: int, within_s: float | None = None
) -> SeenMove:
    """Remember the sighting of a move of a feed of `host`, and return what is known of the move now.

    Seeing it again at the same moment, as a duplicate of a message does, changes nothing. Raises Throttled,
    StoreUnavailable, or Conflict where others kept being quicker.
    """
    sighting = sighted(sightings.sighting(feed_id, now=now, within_s=within_s), move, now)
    sightings.remember(feed_id, sighting, within_s=within_s)
    portal = leads_to_portal(host, move.target, sightings=sightings, now=now, within_s=within_s)
    return SeenMove(sighting=sighting, is_portal=portal)


def leads_to_portal(host: str, target: str, *, sightings: Sightings, now: int, within_s: float | None = None) -> bool:
    """Count a feed of `host` among those that move to `target`, and tell whether too many unrelated ones do.

    It has to be asked of a move with proof too. A move within the host's own domain costs nothing. Raises as above.
    """
    if not arrived(Arrivals(), host, target, now).domains:
        return False
    key = target_key(target)
    for _ in range(_RETRIES):
        before, rev = sightings.arrivals(key, now=now, within_s=within_s)
        after = arrived(before, host, target, now)
        if after == before or sightings.save_arrivals(key, after, seen_rev=rev, now=now, within_s=within_s):
            return is_portal(after, now)
    raise Conflict("other feeds kept moving to the same URL")
