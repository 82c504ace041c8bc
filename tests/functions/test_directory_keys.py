"""/v1/keys, and the same by direct invocation (rules AK2, AK9, AK10, TN12)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedward.access.key import parse_key
from tests.functions.conftest import Answer
from tests.functions.directory_function import DirectoryFunction

NEW = {"name": "A key", "scope": "write"}


def made(directory: DirectoryFunction, scope: str = "admin", tenant: str | None = "acme") -> dict[str, Any]:
    answer = directory.directly("POST /v1/keys", body={"name": "first", "scope": scope, "tenant_id": tenant})
    assert answer.status == 201
    body: dict[str, Any] = answer.body
    return body


def as_key(directory: DirectoryFunction, key: dict[str, Any], method: str, path: str, **given: Any) -> Answer:
    return directory.asked_by(key["tenant_id"] or "_self", key["scope"], method, path, key_id=key["id"], **given)


def test_the_first_key_is_made_by_direct_invocation_and_makes_others(directory: DirectoryFunction) -> None:
    admin = made(directory)
    answer = as_key(directory, admin, "POST", "/v1/keys", body=NEW)
    assert (answer.status, answer.headers["Cache-Control"]) == (201, "no-store")
    told = {name: answer.body[name] for name in ("tenant_id", "name", "scope", "status", "expires_at", "replaces")}
    assert told == {
        "tenant_id": "acme",
        "name": "A key",
        "scope": "write",
        "status": "live",
        "expires_at": None,
        "replaces": None,
    }
    key = parse_key(answer.body["key"])
    assert key is not None
    assert (key.key_id, answer.body["begins_with"]) == (answer.body["id"], f"fw_{key.key_id}_")
    listed = as_key(directory, admin, "GET", "/v1/keys").body["keys"]
    assert [each["id"] for each in listed] == [admin["id"], answer.body["id"]]
    assert not any("key" in each for each in listed)


def test_no_table_holds_the_secret_of_a_key_not_even_for_a_repeated_request(directory: DirectoryFunction) -> None:
    admin = made(directory)
    asked = {"body": NEW, "headers": {"idempotency-key": "once"}}
    first = as_key(directory, admin, "POST", "/v1/keys", **asked)
    again = as_key(directory, admin, "POST", "/v1/keys", **asked)
    assert (again.status, again.body) == (201, {**first.body, "key": None})
    kept = json.dumps(directory.directory.contents.everything(), default=str)
    for text in (admin["key"], first.body["key"]):
        key = parse_key(text)
        assert key is not None
        assert key.secret not in kept


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": "x"}, "scope"),
        ({"scope": "read"}, "name"),
        ({**NEW, "scope": "root"}, "scope"),
        ({**NEW, "scope": "operator"}, "scope"),
        ({**NEW, "name": "a\tb"}, "name"),
        ({**NEW, "name": "x" * 101}, "name"),
        ({**NEW, "expires_at": 1}, "expires_at"),
        ({**NEW, "expires_at": "soon"}, "expires_at"),
        ({**NEW, "tenant_id": "_self"}, "tenant_id"),
        ({**NEW, "tenant_id": "Acme"}, "tenant_id"),
        ({**NEW, "secret": "x"}, "secret"),
    ],
)
def test_a_wrong_field_is_named(directory: DirectoryFunction, body: dict[str, Any], field: str) -> None:
    admin = made(directory)
    answer = as_key(directory, admin, "POST", "/v1/keys", body=body)
    assert (answer.status, answer.body["field"]) == (400, field)


def test_a_rotation_shows_the_successor_and_the_end_of_the_old_one(directory: DirectoryFunction) -> None:
    admin = made(directory)
    answer = as_key(directory, admin, "POST", f"/v1/keys/{admin['id']}/rotate", body={"overlap_s": 60})
    now = directory.directory.clock.now()
    assert answer.status == 201
    assert (answer.body["replaces"]["id"], answer.body["replaces"]["expires_at"]) == (admin["id"], now + 60)
    assert answer.body["replaces"]["replaced_by"] == answer.body["id"]
    again = as_key(directory, admin, "POST", f"/v1/keys/{admin['id']}/rotate")
    assert (again.status, again.body["code"]) == (409, "wrong_state")


def test_even_a_read_key_may_revoke_itself(directory: DirectoryFunction) -> None:
    made(directory)
    reader = made(directory, "read")
    assert as_key(directory, reader, "DELETE", f"/v1/keys/{reader['id']}").status == 204
    statuses = {
        each["id"]: each["status"]
        for each in directory.directly("GET /v1/keys", query={"tenant_id": "acme"}).body["keys"]
    }
    assert statuses[reader["id"]] == "revoked"


@pytest.mark.parametrize("scope", ["read", "write"])
def test_a_caller_without_admin_sees_no_keys_and_makes_none(directory: DirectoryFunction, scope: str) -> None:
    key = made(directory, scope)
    for method, path, body in (
        ("GET", "/v1/keys", None),
        ("POST", "/v1/keys", NEW),
        ("POST", f"/v1/keys/{key['id']}/rotate", None),
    ):
        answer = as_key(directory, key, method, path, body=body)
        assert (answer.status, answer.body["code"], answer.body["scope"]) == (403, "scope_missing", "admin")


def test_the_last_admin_key_goes_by_hand_only(directory: DirectoryFunction) -> None:
    admin = made(directory)
    refused = as_key(directory, admin, "DELETE", f"/v1/keys/{admin['id']}")
    assert (refused.status, refused.body["code"]) == (409, "wrong_state")
    done = directory.directly("DELETE /v1/keys/{id}", id=admin["id"], query={"tenant_id": "acme"})
    assert done.status == 204


def test_another_tenants_key_is_answered_like_one_that_is_not_there(directory: DirectoryFunction) -> None:
    admin, theirs = made(directory), made(directory, tenant="zulu")
    for path in ("/v1/keys/{}/rotate", "/v1/keys/{}"):
        method = "POST" if path.endswith("rotate") else "DELETE"
        answers = [as_key(directory, admin, method, path.format(key)) for key in (theirs["id"], "x" * 12, "no id")]
        assert {answer.status for answer in answers} == {404}
        assert len({json.dumps({**each.body, "instance": None}) for each in answers}) == 1
    answers = [
        as_key(directory, admin, "GET", "/v1/keys", parameters={"tenant_id": name}) for name in ("zulu", "unknown")
    ]
    assert {answer.status for answer in answers} == {404}
    assert len({json.dumps({**each.body, "instance": None}) for each in answers}) == 1


def test_an_operator_makes_keys_for_any_tenant(directory: DirectoryFunction) -> None:
    operator = made(directory, "operator", None)
    answer = as_key(directory, operator, "POST", "/v1/keys", body={**NEW, "scope": "admin", "tenant_id": "zulu"})
    assert (answer.status, answer.body["tenant_id"]) == (201, "zulu")
    listed = as_key(directory, operator, "GET", "/v1/keys", parameters={"tenant_id": "zulu"}).body["keys"]
    assert [each["id"] for each in listed] == [answer.body["id"]]


def test_a_request_through_the_gateway_is_no_direct_invocation(directory: DirectoryFunction) -> None:
    answer = directory.asked_by("acme", "read", "POST", "/v1/keys", body={"do": "POST /v1/keys", **NEW})
    assert answer.status == 403


def test_a_direct_invocation_knows_the_operations_of_keys_only(directory: DirectoryFunction) -> None:
    answer = directory.directly("GET /v1/feeds")
    assert (answer.status, answer.body["code"]) == (404, "route_not_found")
