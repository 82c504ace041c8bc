"""Move observations of feeds, and shared redirect targets: ports.MoveObservations over StateTable (rule F2).

Only feeds that move have a row.
"""

from __future__ import annotations

from feedward.adapters.dynamodb.state.state_rows import move_observation_key, shared_target_key
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import absent, at_most, either, equals
from feedward.health.moves import OBSERVATION_LASTS_S, MoveObservation
from feedward.health.shared_target import SHARED_LASTS_S, SharedTarget


class DynamoMoveObservations(TableStore):
    """ports.MoveObservations. Thread-safe."""

    def observation(self, feed_id: str, *, now: int) -> MoveObservation | None:
        """Return the last move observation of a feed, or None."""
        tables = self._tables
        row = tables.get(tables.names.state, move_observation_key(feed_id))
        if row is None or now - row["last_seen_at"] > OBSERVATION_LASTS_S:
            return None
        return MoveObservation(
            target=row["target"], first_seen_at=row["first_seen_at"], last_seen_at=row["last_seen_at"]
        )

    def remember(self, feed_id: str, observation: MoveObservation) -> None:
        """Store the observation. It replaces an earlier one, never a later one."""
        tables = self._tables
        tables.update(
            tables.names.state,
            move_observation_key(feed_id),
            either(absent("last_seen_at"), at_most("last_seen_at", observation.last_seen_at)),
            assign={
                "target": observation.target,
                "first_seen_at": observation.first_seen_at,
                "last_seen_at": observation.last_seen_at,
                "expires_at": observation.last_seen_at + OBSERVATION_LASTS_S,
            },
        )

    def shared_target(self, target_key: str, *, now: int) -> tuple[SharedTarget, int]:
        """Return the feeds that recently moved to a target, and the revision; 0 for a target without a row."""
        tables = self._tables
        row = tables.get(tables.names.state, shared_target_key(target_key))
        if row is None:
            return SharedTarget(), 0
        if row["expires_at"] < now:
            return SharedTarget(), row["rev"]
        domains = tuple((domain, at) for domain, at in row["domains"])
        return SharedTarget(domains=domains, crowded_at=row.get("crowded_at")), row["rev"]

    def save_shared_target(self, target_key: str, shared_target: SharedTarget, *, seen_rev: int, now: int) -> bool:
        """Store the shared redirect target with optimistic locking. Returns False if `seen_rev` is outdated."""
        tables = self._tables
        is_shared = {} if shared_target.crowded_at is None else {"crowded_at": shared_target.crowded_at}
        answer = tables.update(
            tables.names.state,
            shared_target_key(target_key),
            equals("rev", seen_rev) if seen_rev else absent("rev"),
            assign={
                "domains": [list(each) for each in shared_target.domains],
                "rev": seen_rev + 1,
                "expires_at": now + SHARED_LASTS_S,
                **is_shared,
            },
            remove=() if is_shared else ("crowded_at",),
        )
        return not isinstance(answer, Refusal)
