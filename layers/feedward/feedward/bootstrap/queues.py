"""The queues of a deployment for its operators: their depths and their dead letters."""

from __future__ import annotations

from feedward.adapters.calls import aws_client
from feedward.adapters.sqs_depths import SqsDepths
from feedward.config import Settings


def queue_depths(settings: Settings) -> SqsDepths:
    """Return the queues that are deployed."""
    urls = {
        "discover": settings.discover_queue_url,
        "frontier": settings.frontier_queue_url,
        "health": settings.health_queue_url,
        "webhooks": settings.webhook_queue_url,
    }
    return SqsDepths(aws_client("sqs"), {name: url for name, url in urls.items() if url})
