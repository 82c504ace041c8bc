"""Queues with the depths that SQS reports."""

from __future__ import annotations

import json
from typing import Any

QUEUES = "https://sqs.eu-west-1.amazonaws.com/123456789012"
_ARN = "arn:aws:sqs:eu-west-1:123456789012"


class FakeDepths:
    """An SQS client that knows two queues, of which one has dead letters."""

    def __init__(self) -> None:
        self.dead: dict[str, list[str]] = {}
        self.waiting = {"frontier": 7, "health": 0, "frontier-dead": 2, "health-dead": 0}

    def receive_message(self, **asked: Any) -> dict[str, Any]:
        """Return the dead letters of a queue, always the same; none is hidden afterwards."""
        assert (asked["VisibilityTimeout"], asked["MaxNumberOfMessages"]) == (2, 10)
        bodies = self.dead.get(asked["QueueUrl"].removeprefix(f"{QUEUES}/"), [])
        said = {"SentTimestamp": "1795780800123", "ApproximateReceiveCount": "6"}
        return {
            "Messages": [{"MessageId": f"m{at}", "Body": body, "Attributes": said} for at, body in enumerate(bodies)]
        }

    def get_queue_attributes(self, **asked: Any) -> dict[str, Any]:
        assert asked["AttributeNames"] == ["All"]
        name = asked["QueueUrl"].removeprefix(f"{QUEUES}/")
        redrive = {"deadLetterTargetArn": f"{_ARN}:{name}-dead", "maxReceiveCount": 5}
        return {
            "Attributes": {
                "ApproximateNumberOfMessages": str(self.waiting[name]),
                "ApproximateNumberOfMessagesDelayed": "1",
                "ApproximateNumberOfMessagesNotVisible": "3",
                **({} if name.endswith("-dead") else {"RedrivePolicy": json.dumps(redrive)}),
            }
        }
