"""What is swept, feeds or frontier rows, and the pace at which a host is asked for them.

The sweep itself knows only places in a due index, so one engine sweeps both.
"""

from __future__ import annotations

from typing import Final

from feedward.frontier.messages import CollectMessage
from feedward.frontier.row import FrontierRow
from feedward.frontier.settings import FrontierSettings
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.scheduling.plan import Pace

FEED_PACE: Final[Pace[DueFeed]] = Pace(message=HealthMessage, entry_s=3.0)
"""A worker needs 30 s for 10 feeds of a host that answers, including its pauses."""


def row_pace(settings: FrontierSettings) -> Pace[FrontierRow]:
    """Return the pace of frontier rows: the frontier's pause between two requests to a host."""
    return Pace(message=CollectMessage, entry_s=settings.host_pause_s)
