"""The push function's role allows the callback's actions, action by action and resource by resource, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.adapters.kms import KmsSecretBox
from feedward.push.hub_signature import signature
from tests.fakes.directory import FakeDirectory
from tests.fakes.kms import InMemoryKms
from tests.fakes.push import FakePush
from tests.functions.push_function import PushFunction
from tests.template.test_collect_permissions import Noting
from tests.template.test_permissions import Recorder, granted


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cached metrics of this process, if they were made here first."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "feedward")
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "feedward")


def test_the_push_function_has_exactly_the_permissions_that_it_uses() -> None:
    directory, kms = FakeDirectory({}), InMemoryKms()
    ours = FakePush(directory)
    ours.ports = replace(ours.ports, secrets=KmsSecretBox("key", lambda: kms))
    recorder, sqs = Recorder(directory.faults), Noting(directory.health_queue.sqs)
    theirs = FakePush(directory, recorder)
    directory.health_queue._client = sqs  # type: ignore[assignment]
    theirs.ports = replace(theirs.ports, secrets=KmsSecretBox("key", lambda: kms))
    function = PushFunction(theirs)
    ours.hub(verifies=False)
    request = ours.subscribed("01FEED")
    kms.asked.clear()
    sqs.asked.clear()

    said = {"hub.mode": "subscribe", "hub.topic": request.topic, "hub.challenge": "c"}
    assert function.get(request.callback, said)["statusCode"] == 200
    assert function.post(request.callback, b"x", signature("sha1", b"x", request.secret))["statusCode"] == 204

    names = {directory.contents.names.feeds: "FeedsTable"}
    asked = {(action, names[resource]) for action, resource in recorder.asked}
    asked |= {(f"sqs:{name}", "HealthQueue") for name in sqs.asked}
    asked |= {(f"kms:{name}", "WebhookKey") for name in kms.asked}
    assert granted("PushFunctionRole") == asked
