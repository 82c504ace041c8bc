"""What is swept: feeds, or rows of the frontier, and at which pace a host is asked for them.

The sweep itself knows of places in a due index only, so that both are swept by one engine.
"""

from __future__ import annotations

from typing import Final

from feedward.frontier.messages import CollectMessage
from feedward.frontier.row import FrontierRow
from feedward.frontier.settings import FrontierSettings
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.scheduling.plan import Pace

FEED_PACE: Final[Pace[DueFeed]] = Pace(message=HealthMessage, entry_s=3.0)
"""A worker needs 30 s for 10 feeds of a host that answers, with its pauses."""


def row_pace(settings: FrontierSettings) -> Pace[FrontierRow]:
    """Rows are asked for at the pause of the frontier."""
    return Pace(message=CollectMessage, entry_s=settings.host_pause_s)
