"""A tenant is deleted with all its own data, and nothing else (rules TN3, TN11)."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.access.tenant import LOOK_AGAIN_S
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.errors import FeedwardError
from feedward.services.access.delete_tenant import continue_deletion, delete_tenant
from tests.functions.directory_function import DirectoryFunction, make_directory_function
from tests.functions.test_tenants_apart import PAGES, ROBOTS, SECRET, ask, made_by


@pytest.fixture
def stack() -> DirectoryFunction:
    return make_directory_function(PAGES | ROBOTS)


def keyed(stack: DirectoryFunction, *tenants: str) -> None:
    for tenant in tenants:
        body = {"name": "first", "scope": "admin", "tenant_id": tenant}
        assert stack.directly("POST /v1/keys", body=body).status == 201


def of(stack: DirectoryFunction, tenant: str) -> list[Any]:
    """Items that name a tenant in any table, except its own record, and the answers that are kept for a day."""
    stored = stack.directory.contents.everything()
    items = [item for item in stored if not str(item.get("pk")).startswith("IDEMPOTENCY#")]
    named = [item for item in items if tenant in json.dumps(item, default=str)]
    return [item for item in named if item.get("sk") not in ("TENANT", tenant)]


def objects(stack: DirectoryFunction) -> set[str]:
    bodies: Any = stack.ports.collect.bodies
    return set(bodies.s3.objects)


def deleted(stack: DirectoryFunction, tenant: str) -> Any:
    answer = stack.directly("DELETE /v1/tenants/{id}", id=tenant)
    assert answer.status in (200, 202), answer.body
    return answer.body


def test_all_data_of_a_tenant_is_deleted_and_all_other_data_stays(stack: DirectoryFunction) -> None:
    keyed(stack, "acme")
    made_by(stack, "zulu")
    shared = stack.feed("shared", "https://shared.example/feed")
    before, objects_before = of(stack, "zulu"), objects(stack)
    made_by(stack, "acme")
    everything_else = len(stack.directory.contents.everything()) - len(of(stack, "acme"))
    assert of(stack, "acme") != []

    said = deleted(stack, "acme")

    now = stack.directory.clock.now()
    assert (said["deleting_since"], said["deleted_at"], said["looks_again_at"]) == (now, None, now + LOOK_AGAIN_S)
    assert of(stack, "acme") == [key for key in of(stack, "acme") if "sha256" in key]
    assert of(stack, "zulu") == before
    assert objects(stack) == objects_before
    assert ask(stack, "zulu", "GET", f"/v1/feeds/{shared}").status == 200
    assert len(stack.directory.contents.everything()) <= everything_else + 1


def test_it_is_looked_at_again_an_hour_later_and_then_the_name_alone_is_left(
    stack: DirectoryFunction, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyed(stack, "acme")
    deleted(stack, "acme")
    with monkeypatch.context() as workers:
        workers.setattr(DynamoKeyStore, "is_gone", lambda *_: False)
        made_by(stack, "acme")  # work in flight at the mark
    assert stack.handler({"do": "reconcile"}, stack.context) == {"tenants": 0}
    assert of(stack, "acme") != []
    stack.directory.clock.advance(LOOK_AGAIN_S)

    assert stack.handler({"do": "reconcile"}, stack.context) == {"tenants": 1}

    assert of(stack, "acme") == []
    (tenant,) = stack.directly("GET /v1/tenants").body["tenants"]
    assert (tenant["id"], tenant["deleted_at"]) == ("acme", stack.directory.clock.now())
    again = stack.directly("POST /v1/keys", body={"name": "x", "scope": "read", "tenant_id": "acme"})
    assert (again.status, again.body["code"]) == (409, "wrong_state")
    assert deleted(stack, "acme") == tenant


def test_its_keys_are_revoked_with_the_mark(stack: DirectoryFunction) -> None:
    keyed(stack, "acme", "zulu")
    deleted(stack, "acme")
    statuses = {
        tenant: {each["status"] for each in stack.directly("GET /v1/keys", query={"tenant_id": tenant}).body["keys"]}
        for tenant in ("acme", "zulu")
    }
    assert statuses == {"acme": {"revoked"}, "zulu": {"live"}}


@pytest.mark.parametrize("scope", ["read", "write", "admin"])
def test_a_caller_without_operator_deletes_no_tenant_and_lists_none(stack: DirectoryFunction, scope: str) -> None:
    keyed(stack, "acme")
    for method, path in (("GET", "/v1/tenants"), ("DELETE", "/v1/tenants/acme"), ("DELETE", "/v1/tenants/unknown")):
        answer = stack.asked_by("acme", scope, method, path)
        assert (answer.status, answer.body["scope"]) == (403, "operator")


@pytest.mark.parametrize("name", ["unknown", "_self", "Acme"])
def test_an_unknown_tenant_is_not_found(stack: DirectoryFunction, name: str) -> None:
    assert stack.directly("DELETE /v1/tenants/{id}", id=name).status == 404


def test_a_deletion_that_is_killed_at_any_call_goes_on(stack: DirectoryFunction) -> None:
    keyed(stack, "acme")
    made_by(stack, "acme")
    delete_tenant(SELF_HOSTED, "acme", ports=stack.ports)
    calls = 0
    while True:
        calls += 7
        stack.directory.faults.throttles = 0
        died = _dying(stack, after=calls)
        try:
            continue_deletion("acme", ports=stack.ports, within_s=60.0)
        except FeedwardError:
            continue
        finally:
            died()
        break
    assert [each for each in of(stack, "acme") if "sha256" not in each] == []
    assert parts_without_their_record(stack) == []


def parts_without_their_record(stack: DirectoryFunction) -> list[Any]:
    """Parts of feeds, items and runs whose record is deleted: nothing finds them again."""
    stored = [each for each in stack.directory.contents.everything() if "sk" in each]
    whole = {each.get("feed_id", each.get("pk")) for each in stored if each["sk"] in ("FEED", "ITEM", "RUN")}
    parts = [each for each in stored if "feed_id" in each or str(each.get("pk")).startswith(("ITEM#", "RUN#"))]
    return [each for each in parts if each.get("feed_id", each.get("pk")) not in whole]


def _dying(stack: DirectoryFunction, *, after: int) -> Callable[[], None]:
    """Make the store unavailable after so many deletions; return a function that ends this."""
    client = stack.directory.faults._client
    real, left = client.delete_item, [after]

    def delete_item(**request: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise FeedwardError("killed")
        return real(**request)

    client.delete_item = delete_item

    def end() -> None:
        client.delete_item = real

    return end


def test_of_many_that_delete_and_make_at_once_nothing_is_left_half_done(stack: DirectoryFunction) -> None:
    keyed(stack, "acme", "zulu")
    made_by(stack, "zulu")
    before = of(stack, "zulu")

    def one(number: int) -> None:
        if number % 6 == 0:
            stack.directly("DELETE /v1/tenants/{id}", id="acme")
        elif number % 6 == 1:
            stack.directly("POST /v1/keys", body={"name": "late", "scope": "read", "tenant_id": "acme"})
        else:
            ask(stack, "acme", "POST", "/v1/subscriptions", body={"url": f"https://s{number}.example/"})

    with ThreadPoolExecutor(24) as pool:
        list(pool.map(one, range(96)))
    stack.directory.clock.advance(LOOK_AGAIN_S)
    stack.handler({"do": "reconcile"}, stack.context)
    assert of(stack, "acme") == []
    assert of(stack, "zulu") == before


def test_the_token_of_a_private_url_was_in_nothing_but_its_tenants_items(
    stack: DirectoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    keyed(stack, "acme")
    made_by(stack, "acme")
    assert SECRET in json.dumps(stack.directory.contents.everything(), default=str)

    deleted(stack, "acme")

    assert SECRET not in json.dumps(stack.directory.contents.everything(), default=str)
    assert SECRET not in json.dumps([entry["Detail"] for entry in stack.directory.bus.events.entries])
    assert SECRET not in capsys.readouterr().out
