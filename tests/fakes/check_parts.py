"""The parts of a check, for tests: the real adapters on a fake directory's tables, network and bus."""

from __future__ import annotations

from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.state.move_observations import DynamoMoveObservations
from feedward.services.check.ports import CheckPorts
from tests.fakes.directory import FakeDirectory


def fake_check_parts(directory: FakeDirectory) -> CheckPorts:
    """The ports of check_feed over this directory, with its knobs."""
    tables = directory.tables
    return CheckPorts(
        fetcher=directory.fetcher,
        store=DynamoCheckStore(tables),
        observations=DynamoMoveObservations(tables),
        moves=DynamoFeedMoves(tables),
        outbox=directory.outbox,
        bus=directory.bus,
        subscriptions=directory.subscriptions,
        clock=directory.clock,
    )
