"""A SecureString of the Parameter Store, read as the functions read it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_localstack.session import RunningSession

from feedward.adapters.aws_calls import aws_client
from feedward.adapters.ssm import SsmParameter
from feedward.errors import NotFound


@pytest.fixture(scope="session")
def ssm(aws_session: RunningSession) -> Iterator[Any]:
    with aws_session.botocore.patch_botocore():
        client = aws_client("ssm")
    yield client
    client.close()


def test_a_secure_string_comes_decrypted(ssm: Any) -> None:
    name = f"/feedward/{uuid.uuid4().hex}"
    ssm.put_parameter(Name=name, Value="1L0veRSSHub", Type="SecureString")

    assert SsmParameter(name, lambda: ssm).value() == "1L0veRSSHub"


def test_a_parameter_that_is_not_there_is_not_found(ssm: Any) -> None:
    with pytest.raises(NotFound, match="/feedward/none"):
        SsmParameter("/feedward/none", lambda: ssm).value()
