"""A look into the AWS of a running stack: its queues, its bus, its tables, and the processes of its functions."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from feedward_local.aws.ministack import own_client

STACK = "feedward"
Found = TypeVar("Found")
# Of work that waits in a queue. A message that the queue does not take in time, or that fails once, comes again after
# some minutes, and by the pass of each 15 minutes at the latest: on a machine that is too busy that does happen.
WORK_WITHIN_S: Final = 1320


class StackAws:
    """The AWS of the stack that keeps its state in `state`."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.endpoint = (state / "ministack.url").read_text()
        listed = self.client("cloudformation").describe_stack_resources(StackName=STACK)["StackResources"]
        self.ids = {one["LogicalResourceId"]: one["PhysicalResourceId"] for one in listed}
        self.sqs, self.events, self.dynamodb = (self.client(name) for name in ("sqs", "events", "dynamodb"))

    def client(self, service: str) -> Any:
        return own_client(service, self.endpoint)

    # --- queues ------------------------------------------------------------------------------------

    def hide_for(self, seconds: int) -> None:
        """Set the visibility timeout of messages of DiscoverQueue that are received from now on."""
        attributes = {"VisibilityTimeout": str(seconds)}
        self.sqs.set_queue_attributes(QueueUrl=self.ids["DiscoverQueue"], Attributes=attributes)

    def send(self, message: object) -> None:
        body = message if isinstance(message, str) else json.dumps(message)
        self.sqs.send_message(QueueUrl=self.ids["DiscoverQueue"], MessageBody=body)

    def waiting(self, queue: str) -> int:
        """The number of messages in a queue, hidden ones included."""
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        found = self.sqs.get_queue_attributes(QueueUrl=self.ids.get(queue, queue), AttributeNames=names)
        return sum(int(value) for value in found["Attributes"].values())

    def messages(self, queue: str) -> list[Any]:
        """Take up to 10 messages from a queue."""
        url = self.ids.get(queue, queue)
        got = self.sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=0)
        return [message["Body"] for message in got.get("Messages", [])]

    # --- the bus -----------------------------------------------------------------------------------

    def put_event(self, detail_type: str, detail: Mapping[str, Any]) -> None:
        entry = {"EventBusName": STACK, "Source": "feedward", "DetailType": detail_type, "Detail": json.dumps(detail)}
        assert self.events.put_events(Entries=[entry])["FailedEntryCount"] == 0

    def listen(self, detail_type: str) -> str:
        """A queue that gets each later event of a type."""
        url: str = self.sqs.create_queue(QueueName=f"heard-{detail_type}")["QueueUrl"]
        arn = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        pattern = json.dumps({"source": ["feedward"], "detail-type": [detail_type]})
        self.events.put_rule(Name=f"hear-{detail_type}", EventBusName=STACK, EventPattern=pattern)
        targets = [{"Id": "queue", "Arn": arn}]
        self.events.put_targets(Rule=f"hear-{detail_type}", EventBusName=STACK, Targets=targets)
        return url

    # --- tables ------------------------------------------------------------------------------------

    def items(self, table: str, **equal: str) -> list[dict[str, Any]]:
        """The items of a table whose attributes are `equal`, as DynamoDB has them."""
        scanned = self.dynamodb.get_paginator("scan").paginate(TableName=self.ids[table], ConsistentRead=True)
        items = [item for page in scanned for item in page["Items"]]
        return [item for item in items if all(item.get(name) == {"S": value} for name, value in equal.items())]

    # --- processes ---------------------------------------------------------------------------------

    def workers(self, function: str) -> list[int]:
        """The processes that currently run a function."""
        return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if self._is_worker(pid, function)]

    def _is_worker(self, pid: int, function: str) -> bool:
        try:
            folder = Path(f"/proc/{pid}/cwd").readlink()  # a worker has the command line of the server that forked it
        except OSError:
            return False
        return folder.is_relative_to(self.state / "tmp") and f"-{function}-" in str(folder)


def wait_until(look: Callable[[], Found | None], within_s: float, what: str) -> Found:
    """Look until there is something, and return it: less often the longer it takes, since each look costs."""
    ends_at, pause_s = time.monotonic() + within_s, 0.1
    while time.monotonic() < ends_at:
        found = look()
        if found:
            return found
        time.sleep(pause_s)
        pause_s = min(pause_s * 1.2, 0.5)
    raise AssertionError(f"within {within_s:.0f} s there was no sign of {what}")
