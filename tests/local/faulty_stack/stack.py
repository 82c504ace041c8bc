"""The whole stack with mortal workers: template.yaml deployed into MiniStack, and the controls of a test.

No schedule calls the function but the test; the clock of the workers is the test's, and so are the feeds.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, Self

from botocore.config import Config

from feedward.adapters.dynamodb.store.keys import TableNames
from feedward_local.aws.ministack import MiniStack, own_client
from feedward_local.deployment.build import Target, build
from feedward_local.deployment.deploy import Deployment, deploy, open_queues, resources
from feedward_local.deployment.package import FUNCTION, LAYER, read_template, sources
from feedward_local.workspace import check_set_up, host_architecture, ministack_python_version, workspace_of
from tests.local.faulty_stack.feeds import FeedServer, MadeUpFeed
from tests.local.faulty_stack.inside.controls import FOLDER_VARIABLE, Controls
from tests.local.faulty_stack.throttling import Throttling
from tests.local.stack_aws import StackAws, wait_until

HEALTH_CHECK: Final = "HealthCheckFunction"
TO_HEALTH_CHECK: Final = "HealthQueueToFunction"
QUEUE: Final = "HealthQueue"
DEAD_LETTERS: Final = "HealthDeadLetterQueue"
INSIDE: Final = "tests/local/faulty_stack/inside"
HANDLER: Final = "tests.local.faulty_stack.inside.entry.handler"
# A visibility time longer than any batch, however loaded this machine is: entries that come again run one after the
# other, and one that a second worker begins while the first runs counts as one that killed a worker.
HIDDEN_S: Final = 40
# A message that failed among others comes again after 6 minutes.
IDLE_WITHIN_S: Final = 900.0
_COUNTS: Final = ("", "NotVisible", "Delayed")


class FaultyStack:
    """Started by entering it; its state is in `home`, and is not reused."""

    def __init__(self, home: Path, feeds: Sequence[MadeUpFeed]) -> None:
        self._workspace = workspace_of("faults", home=home)
        self._ending = ExitStack()
        self.server = FeedServer(feeds)
        self.controls = Controls(home / "controls")
        self._ahead_s = 0

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._ending.close()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        self._ending.close()

    def _start(self) -> None:
        check_set_up(self._workspace)
        self._workspace.state.mkdir(parents=True)
        self.controls.create(feed_port=self.server.port)
        self.server.start()
        self._ending.callback(self.server.stop)
        controls = str(self._workspace.state.parent / "controls")
        ministack = MiniStack(self._workspace, {FOLDER_VARIABLE: controls, "PERSIST_STATE": "0"})
        self._ending.callback(ministack.stop)
        deployment = self._build()
        ministack.wait_until_ready()
        deploy(ministack, deployment)
        open_queues(ministack, resources(ministack))
        self.aws = StackAws(self._workspace.state)
        # The client does not repeat a call of a killed worker, and waits for a cold start.
        config = Config(read_timeout=180, retries={"mode": "standard", "total_max_attempts": 1}, proxies={})
        self._functions = own_client("lambda", self.aws.endpoint, config)
        self._leave_others_idle()
        self.hide_for(HIDDEN_S)
        self._heard = self.aws.listen("ItemsPublished")

    def _build(self) -> Deployment:
        """The usual deployment, except for the entry of the health check."""
        workspace = self._workspace
        template = read_template(workspace.template)
        target = Target(python=workspace.ministack_python, python_version=ministack_python_version(workspace))
        entry = {INSIDE: workspace.project / INSIDE}
        archives = {
            source.logical_id: build(workspace, source, target, entry if source.logical_id == HEALTH_CHECK else None)
            for kind in (LAYER, FUNCTION)
            for source in sources(template, kind)
        }
        parameters = {
            "Architecture": host_architecture(),
            "TableDeletionProtection": "false",
            "SweepState": "DISABLED",
            "HealthMaximumConcurrency": "2",
        }
        handlers = {HEALTH_CHECK: HANDLER}
        return Deployment(template=template, archives=archives, handlers=handlers, parameters=parameters)

    def _leave_others_idle(self) -> None:
        """No other function gets messages or records, or is called by a schedule: they have tests of their own."""
        scheduler = self.aws.client("scheduler")
        for schedule in scheduler.list_schedules()["Schedules"]:
            scheduler.delete_schedule(Name=schedule["Name"])
        for mapping in self._functions.list_event_source_mappings()["EventSourceMappings"]:
            if mapping["UUID"] != self.aws.ids[TO_HEALTH_CHECK]:
                self._functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=False)

    @property
    def tables(self) -> TableNames:
        """The names of the tables."""
        ids = self.aws.ids
        return TableNames(urls=ids["UrlsTable"], feeds=ids["FeedsTable"], state=ids["StateTable"])

    # --- time --------------------------------------------------------------------------------------

    def now(self) -> int:
        """The time that the workers see."""
        return int(time.time()) + self._ahead_s

    def wait(self, seconds: int) -> None:
        """Let time pass for the workers."""
        self._ahead_s += seconds
        self.controls.move_clock(self._ahead_s)

    # --- the function ------------------------------------------------------------------------------

    def do(self, task: str) -> Mapping[str, Any] | None:
        """Call the function as its schedule does; its report, or None if its worker died or AWS took too long."""
        event = (self._workspace.project / "events" / f"schedule_{task}.json").read_text()
        answer = self._functions.invoke(FunctionName=self.aws.ids[HEALTH_CHECK], Payload=event)
        report: Mapping[str, Any] = json.loads(answer["Payload"].read())
        if "FunctionError" in answer:
            assert re.search("died|could not be reached", report["errorMessage"]), report
            return None
        return report

    def do_at_once(self, task: str, times: int) -> list[Mapping[str, Any] | None]:
        """Call the function several times at the same moment."""
        with ThreadPoolExecutor(times) as pool:
            return list(pool.map(self.do, [task] * times))

    @contextmanager
    def throttled(self, *, one_in: int) -> Iterator[Throttling]:
        """Let the function reach its AWS only through a proxy that throttles DynamoDB."""
        throttling = Throttling(self.aws.endpoint, self._workspace.state / "microburst.log", one_in=one_in)
        try:
            self._set_variables(AWS_ENDPOINT_URL=throttling.url)
            yield throttling
        finally:
            self._set_variables(AWS_ENDPOINT_URL=None)
            throttling.stop()

    def _set_variables(self, **changes: str | None) -> None:
        """Change the function's environment for later workers; the running ones are ended."""
        name = self.aws.ids[HEALTH_CHECK]
        variables = self._functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"] | changes
        kept = {name: value for name, value in variables.items() if value is not None}
        self._functions.update_function_configuration(FunctionName=name, Environment={"Variables": kept})

    # --- the queue ---------------------------------------------------------------------------------

    def hide_for(self, seconds: int) -> None:
        """Set the visibility timeout of messages received from now on."""
        url = self.aws.ids[QUEUE]
        self.aws.sqs.set_queue_attributes(QueueUrl=url, Attributes={"VisibilityTimeout": str(seconds)})

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Keep messages from all workers meanwhile."""
        self._deliver(on=False)
        try:
            yield
        finally:
            self._deliver(on=True)

    def _deliver(self, *, on: bool) -> None:
        self._functions.update_event_source_mapping(UUID=self.aws.ids[TO_HEALTH_CHECK], Enabled=on)

    def take_messages(self, queue: str = QUEUE) -> list[str]:
        """Take all messages of a queue, in its order."""
        url = self.aws.ids.get(queue, queue)
        taken: list[str] = []
        while True:
            got = self.aws.sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=0)
            messages = got.get("Messages", [])
            if not messages:
                return taken
            taken += [each["Body"] for each in messages]
            entries = [{"Id": str(n), "ReceiptHandle": each["ReceiptHandle"]} for n, each in enumerate(messages)]
            self.aws.sqs.delete_message_batch(QueueUrl=url, Entries=entries)

    def send_messages(self, bodies: Sequence[str]) -> None:
        """Put messages into the function's queue, in this order."""
        for start in range(0, len(bodies), 10):
            entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(bodies[start : start + 10])]
            self.aws.sqs.send_message_batch(QueueUrl=self.aws.ids[QUEUE], Entries=entries)

    def heard(self) -> list[Any]:
        """Take the events of new items that arrived on the bus since the last call."""
        return [json.loads(body)["detail"] for body in self.take_messages(self._heard)]

    def waiting(self, queue: str) -> int:
        """The number of messages in a queue: visible, hidden and delayed ones."""
        names = [f"ApproximateNumberOfMessages{count}" for count in _COUNTS]
        found = self.aws.sqs.get_queue_attributes(QueueUrl=self.aws.ids[queue], AttributeNames=names)
        return sum(int(value) for value in found["Attributes"].values())

    def wait_until_idle(self) -> None:
        """Return when all messages were processed, or became dead letters, and no worker has any of them."""
        wait_until(lambda: self.waiting(QUEUE) == 0 and not self.controls.at_work(), IDLE_WITHIN_S, "an idle queue")
