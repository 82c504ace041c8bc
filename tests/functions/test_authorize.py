"""The authorize function answers every request in the gateway's form."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.access.caller import Scope
from tests.fakes.gateway import FakeGateway
from tests.functions.conftest import LambdaContext, load_function


def judge(gateway: FakeGateway, event: Any) -> Any:
    return load_function("authorize").make_handler(lambda: gateway.parts)(event, LambdaContext())


def test_a_valid_key_passes_with_its_tenant_scope_and_expiry() -> None:
    gateway = FakeGateway()
    made = gateway.new_key(None, Scope.OPERATOR)
    said = judge(gateway, {"identitySource": [f"Bearer {made.text}"], "routeKey": "GET /v1/feeds"})

    assert said["isAuthorized"] is True
    assert said["context"] == {
        "verdict": "ok",
        "tenant": "_self",
        "key_id": made.key.key_id,
        "scope": "operator",
        "expires_at": 0,
    }


@pytest.mark.parametrize(
    "event",
    [
        {},
        None,
        [],
        "x",
        {"identitySource": None},
        {"identitySource": []},
        {"identitySource": [5]},
        {"identitySource": "Bearer x"},
        {"identitySource": ["Bearer x", "Bearer y"]},
        {"headers": {"authorization": "Bearer x"}},
    ],
)
def test_an_event_without_one_identity_source_is_refused(event: Any) -> None:
    assert judge(FakeGateway(), event) == {"isAuthorized": False}


def test_the_header_counts_for_nothing_beside_the_identity_source() -> None:
    gateway = FakeGateway()
    right = f"Bearer {gateway.new_key('acme', Scope.ADMIN).text}"

    assert judge(gateway, {"identitySource": ["Bearer x"], "headers": {"authorization": right}}) == {
        "isAuthorized": False
    }
