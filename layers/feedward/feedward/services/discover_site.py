"""Any URL to its feeds, within an answer's time: from the records, by a discovery, or with a job that goes on.

Nothing is in flight when this returns; a job is written before its message is sent (I7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from feedward.discovery.candidate import Kind
from feedward.services.site_run import Directory, DiscoveryAnswer


def answer_discovery(
    url: str,
    *,
    directory: Directory,
    intent: Kind | None = None,
    refresh: bool = False,
    scope: str = "",
    within_s: float = 4.0,
) -> DiscoveryAnswer:
    """Answer POST /v1/discoveries within `within_s` seconds. `answer.job` pending or running means: 202."""
    raise NotImplementedError


def discover_for_subscription(
    detail: Mapping[str, Any], *, directory: Directory, scope: str = "", within_s: float | None = None
) -> DiscoveryAnswer:
    """Discover the URL of a SubscriptionCreated event with a job's limits, and register its feed.

    `detail` is the event's own. What was found in the last 15 minutes is taken as it is. Raises InvalidInput (`url`)
    for a detail that names none, and what the stores raise.
    """
    raise NotImplementedError
