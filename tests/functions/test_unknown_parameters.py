"""Every route with an id in its path, and every GET, names a query parameter that it does not take."""

from __future__ import annotations

import pytest

from feedward.access.caller import Scope
from tests.fakes.gateway import FakeGateway
from tests.functions.test_keys_of_routes import OPEN, OPERATIONS, ask, bearer

FILE = "GET /v1/openapi.json"  # always the same
STRICT = [each for each in OPERATIONS if ("{" in each or each.startswith("GET ")) and each not in (*OPEN, FILE)]


@pytest.fixture(scope="module")
def gateway() -> FakeGateway:
    return FakeGateway()


@pytest.fixture(scope="module")
def operator(gateway: FakeGateway) -> str:
    return bearer(gateway.new_key(None, Scope.OPERATOR))


@pytest.mark.parametrize("operation", STRICT)
def test_an_unknown_parameter_is_named(gateway: FakeGateway, operator: str, operation: str) -> None:
    answer = ask(gateway, operator, operation, colour="red")

    assert (answer.status, answer.body.get("field")) == (400, "colour")
