"""Generated requests with and without keys: no 5xx, no answer that breaks its schema, no security check that fails."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import positive_data_acceptance

from feedward.access.caller import Scope
from feedward.api.openapi import openapi_document
from tests.fakes.directory import NOW
from tests.fakes.gateway import FakeGateway, as_wsgi
from tests.functions.conftest import SITES

# One of each way in which an operation takes its input; the others are generated without keys (test_openapi.py).
OPERATIONS = [
    "PATCH /v1/feeds/{id}",
    "GET /v1/feeds",
    "GET /v1/feeds/{id}",
    "POST /v1/feeds/{id}/pause",
    "POST /v1/subscriptions",
    "DELETE /v1/subscriptions/{id}",
    "GET /v1/search/index",
    "GET /v1/openapi.json",
]


# A schema cannot describe a valid cursor or URL: such requests may be refused.
NOT_CHECKED = [positive_data_acceptance]


def statuses_of(gateway: FakeGateway, operation: str, key: str) -> set[int]:
    """Send a few generated requests with the key, check each answer, and return the statuses."""
    schema = schemathesis.openapi.from_dict(openapi_document())
    schema.app = as_wsgi(gateway)
    method, path = operation.split()
    statuses = set()

    @given(case=schema[path][method].as_strategy(generation_mode=GenerationMode.POSITIVE))
    @settings(max_examples=4, suppress_health_check=list(HealthCheck), database=None, deadline=None)
    def every_case(case: schemathesis.Case) -> None:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {key}"}
        case.headers.pop("Idempotency-Key", None)  # one that was drawn before has another body
        statuses.add(case.call_and_validate(excluded_checks=NOT_CHECKED).status_code)

    every_case()
    return statuses


@pytest.mark.parametrize("scope", [Scope.READ, Scope.OPERATOR])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_generated_requests_with_a_key_get_described_answers(operation: str, scope: Scope) -> None:
    gateway = FakeGateway(SITES)
    gateway.function.ports.search_feed.rebuild([], now=NOW)
    statuses = statuses_of(gateway, operation, gateway.new_key(None, scope).text)

    assert statuses
    assert not statuses & {401, 500, 503}


def test_an_api_that_ignores_keys_fails_the_check() -> None:
    gateway = FakeGateway(SITES)
    key = gateway.new_key(None, Scope.OPERATOR).text
    real = gateway.ask
    gateway.ask = lambda _sent, *asked, **given: real(f"Bearer {key}", *asked, **given)  # type: ignore[method-assign]

    with pytest.raises(FailureGroup) as caught:
        statuses_of(gateway, "GET /v1/feeds", key)
    assert {type(each).__name__ for each in caught.value.exceptions} == {"IgnoredAuth"}
