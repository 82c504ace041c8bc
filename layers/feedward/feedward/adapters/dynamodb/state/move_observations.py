"""What waits to be seen again before a move is adopted: ports.Sightings over StateTable (spec F2).

Only a feed that moves has a row here.
"""

from __future__ import annotations

from feedward.adapters.dynamodb.state.state_rows import arrivals_key, sighting_key
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import absent, at_most, either, equals
from feedward.health.move_observation import PORTAL_LASTS_S, Arrivals
from feedward.health.moves import SIGHTING_LASTS_S, Sighting


class DynamoSightings(TableStore):
    """ports.Sightings. One object serves all threads."""

    def sighting(self, feed_id: str, *, now: int) -> Sighting | None:
        """Return the target that a feed was seen moving to, or None."""
        tables = self._tables
        row = tables.get(tables.names.state, sighting_key(feed_id))
        if row is None or now - row["last_seen_at"] > SIGHTING_LASTS_S:
            return None
        return Sighting(target=row["target"], first_seen_at=row["first_seen_at"], last_seen_at=row["last_seen_at"])

    def remember(self, feed_id: str, sighting: Sighting) -> None:
        """Keep the sighting in the place of the one before, but not over one that was made later."""
        tables = self._tables
        tables.update(
            tables.names.state,
            sighting_key(feed_id),
            either(absent("last_seen_at"), at_most("last_seen_at", sighting.last_seen_at)),
            assign={
                "target": sighting.target,
                "first_seen_at": sighting.first_seen_at,
                "last_seen_at": sighting.last_seen_at,
                "expires_at": sighting.last_seen_at + SIGHTING_LASTS_S,
            },
        )

    def arrivals(self, target_key: str, *, now: int) -> tuple[Arrivals, int]:
        """Return who moved to a target lately, and the revision to write over; 0 for a target without a row."""
        tables = self._tables
        row = tables.get(tables.names.state, arrivals_key(target_key))
        if row is None:
            return Arrivals(), 0
        if row["expires_at"] < now:
            return Arrivals(), row["rev"]
        domains = tuple((domain, at) for domain, at in row["domains"])
        return Arrivals(domains=domains, portal_at=row.get("portal_at")), row["rev"]

    def save_arrivals(self, target_key: str, arrivals: Arrivals, *, seen_rev: int, now: int) -> bool:
        """Keep the arrivals, if their revision is still `seen_rev`."""
        tables = self._tables
        portal = {} if arrivals.portal_at is None else {"portal_at": arrivals.portal_at}
        answer = tables.update(
            tables.names.state,
            arrivals_key(target_key),
            equals("rev", seen_rev) if seen_rev else absent("rev"),
            assign={
                "domains": [list(each) for each in arrivals.domains],
                "rev": seen_rev + 1,
                "expires_at": now + PORTAL_LASTS_S,
                **portal,
            },
            remove=() if portal else ("portal_at",),
        )
        return not isinstance(answer, Refusal)
