"""Every route of the API with every kind of key: without a right key there are neither data nor hints.

The routes are those of the API's description, so that a new one fails here until it is classified.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest

from feedward.access.caller import SELF_HOSTED, Scope
from feedward.access.key import new_key
from feedward.api.openapi import openapi_document
from feedward.errors import StoreUnavailable
from feedward.exports.job import ExportFormat, ExportJob, ExportQuery
from feedward.services.access.manage_keys import NewKey, revoke_key
from feedward.ulid import new_ulid
from tests.fakes.directory import NOW
from tests.fakes.gateway import KEPT_S, Answered, FakeGateway

DOCUMENT: Final = openapi_document()
OPERATIONS: Final = sorted(f"{method.upper()} {path}" for path, item in DOCUMENT["paths"].items() for method in item)
OPEN: Final = ("GET /v1/health",)
CLOSED: Final = tuple(each for each in OPERATIONS if each not in OPEN)
SCOPES: Final = tuple(Scope)
SECRET: Final = "9f3a71c2d4e5b6a7"
PAGE: Final = f"https://pages.example/own?token={SECRET}"
PRIVATE_SITE: Final = f"https://sites.example/?token={SECRET}"
SLOW_SITE: Final = f"https://slow.example/?token={SECRET}"
PAGES: Final[dict[str, dict[str, Any]]] = {
    PAGE: {"body": "<html><body>It has some text of its own</body></html>"},
    PRIVATE_SITE: {"body": "<html><head><title>Own</title></head><body>No feed here</body></html>"},
    SLOW_SITE: {"body": "<html><head><title>Slow</title></head><body>No feed here</body></html>", "delay_s": 6},
    "https://pages.example/robots.txt": {"status": 404},
}
# The owner of the resource that a path's id names: all may see shared ones, and their tenant its own. Each id has the
# right form, and no resource has it.
OWN_IDS: Final = {
    "/v1/feeds": "0" * 26,
    "/v1/subscriptions": "0" * 26,
    "/v1/frontier": "0" * 26,
    "/v1/runs": "0" * 26,
    "/v1/items": "0" * 26,
    "/v1/imports": "0" * 26,
    "/v1/exports/jobs": "0" * 26,
    "/v1/keys": "0" * 12,
    "/v1/tenants": "unknown",
    "/v1/discoveries": f"{'0' * 64}.{'0' * 26}",
    "/v1/sites": "0" * 64,
    "/v1/webhooks": "0" * 26,
}
OTHERS: Final = {"format": "json", "delivery_id": "0" * 26, "tenant": "alder"}
BODIES: Final[dict[str, Any]] = {
    "POST /v1/canonicalize": {"url": "https://pages.example/feed"},
    "POST /v1/discoveries": {"url": "https://pages.example/"},
    "POST /v1/subscriptions": {"url": "https://pages.example/feed"},
    "POST /v1/frontier": {"urls": ["https://pages.example/own"]},
    "POST /v1/runs": {"urls": ["https://pages.example/own"]},
    "POST /v1/imports": {"text": "https://pages.example/feed\n", "into": "subscriptions"},
    "PATCH /v1/feeds/{id}": {"collect_items": True},
    "POST /v1/feeds/{id}/topics": {"approve": ["News"]},
    "POST /v1/keys": {"name": "another", "scope": "read"},
    "POST /v1/webhooks": {"url": "https://receiver.example/hook", "events": ["feed.*"]},
    "PATCH /v1/webhooks/{id}": {"events": ["items.published"]},
    "POST /v1/webhooks/{id}/replay": {"since": NOW},
}
PARAMETERS: Final = {"GET /v1/frontier": {"url": PAGE}, "GET /v1/items": {"url": PAGE}, "GET /v1/search": {"q": "own"}}


def scope_of(operation: str) -> Scope:
    """The scope that the description names."""
    method, path = operation.split()
    ((scope,),) = (each["key"] for each in DOCUMENT["paths"][path][method.lower()]["security"])
    return Scope(scope)


def kind_of(path: str) -> str:
    """The owner of the ids in a path. A new route belongs into the table."""
    return next(known for known in OWN_IDS if path.startswith(f"{known}/{{id}}"))


def ask(
    gateway: FakeGateway, authorization: str | None, operation: str, thing: str | None = None, **also: str
) -> Answered:
    """Return the answer to an operation. `also` are more query parameters."""
    method, path = operation.split()
    if "{id}" in path:
        path = path.replace("{id}", thing or OWN_IDS[kind_of(path)])
    given: dict[str, Any] = {"parameters": {**PARAMETERS.get(operation, {}), **also}}
    if operation in BODIES:
        given["body"] = BODIES[operation]
    for name, value in OTHERS.items():
        path = path.replace(f"{{{name}}}", value)
    assert "{" not in path, "add the parameter of this path to OTHERS"
    return gateway.ask(authorization, method, path, **given)


def with_index(gateway: FakeGateway) -> FakeGateway:
    gateway.function.ports.search_feed.rebuild([], now=NOW)
    return gateway


def bearer(key: NewKey) -> str:
    return f"Bearer {key.text}"


@pytest.fixture(scope="module")
def gateway() -> FakeGateway:
    return with_index(FakeGateway(PAGES))


@pytest.fixture(scope="module")
def keys(gateway: FakeGateway) -> Mapping[str, NewKey]:
    """A key of each scope, by its name: admin and below of a tenant, operator of the deployment."""
    return {each: gateway.new_key(None if each is Scope.OPERATOR else "alder", each) for each in SCOPES}


def test_every_route_is_classified() -> None:
    assert {each for each in OPERATIONS if "{id}" in each and not kind_of(each.split()[1])} == set()
    assert {Scope.READ, Scope.WRITE, Scope.OPERATOR} <= {scope_of(each) for each in CLOSED} <= set(SCOPES)


# --- no right key ---------------------------------------------------------------------------------


def wrong_keys(known: NewKey) -> dict[str, str | None]:
    """Invalid keys, by their kind; the last two have the form of a key."""
    text = known.text
    typed_wrongly = text[:-8] + ("aa" if text[-8:-6] != "aa" else "bb") + text[-6:]
    other = new_key()
    another_secret = type(other)(key_id=known.key.key_id, secret=other.secret).text
    return {
        "none": None,
        "empty": "",
        "no secret": "Bearer",
        "no key": "Bearer nonsense",
        "another scheme": f"Basic {text}",
        "no scheme": text,
        "two keys": f"Bearer {text},Bearer {text}",
        "too long": f"Bearer {text}{'x' * 9000}",
        "more behind it": f"Bearer {text}{' ' * 300}x",
        "not ASCII": f"Bearer {text[:-1]}\N{LATIN SMALL LETTER E WITH ACUTE}",
        "a signature": "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261127/eu-central-1/execute-api/aws4",
        "typed wrongly": f"Bearer {typed_wrongly}",
        "unknown": f"Bearer {other.text}",
        "another secret": f"Bearer {another_secret}",
    }


@pytest.mark.parametrize("operation", CLOSED)
def test_an_invalid_key_gets_a_bare_refusal_before_any_function(
    gateway: FakeGateway, keys: Mapping[str, NewKey], operation: str
) -> None:
    for kind, sent in wrong_keys(keys[Scope.OPERATOR]).items():
        before = gateway.passed
        answer = ask(gateway, sent, operation)
        assert (answer.status, answer.is_bare) == (401 if not sent else 403, True), kind
        assert gateway.passed == before, kind


@pytest.mark.parametrize("operation", OPEN)
def test_an_open_route_needs_no_key_and_reveals_no_tenant(gateway: FakeGateway, operation: str) -> None:
    answer = ask(gateway, None, operation)

    assert (answer.status, set(answer.body)) == (200, {"status", "version"})


def test_a_wrong_form_is_refused_without_a_read(gateway: FakeGateway, keys: Mapping[str, NewKey]) -> None:
    class NoStore:
        def within(self, _deadline: object) -> Any:
            raise AssertionError("the store was asked")

    forms = wrong_keys(keys[Scope.OPERATOR])
    for kind in ("unknown", "another secret", "none", "empty"):
        del forms[kind]
    parts, gateway.parts = gateway.parts, type("Parts", (), {"presented_keys": NoStore(), "clock": gateway.clock})()
    try:
        fresh = FakeGateway()
        fresh.parts = gateway.parts
        assert {fresh.ask(sent, "GET", "/v1/feeds").status for sent in forms.values()} == {403}
    finally:
        gateway.parts = parts


# --- keys that have ended -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ended(gateway: FakeGateway) -> Mapping[str, NewKey]:
    """Keys of a tenant that have ended, by the code that they get."""
    expired = gateway.new_key("alder", Scope.ADMIN, expires_at=gateway.clock.now() + 1)
    revoked = gateway.new_key("alder", Scope.ADMIN)
    revoke_key(SELF_HOSTED, revoked.key.key_id, ports=gateway, tenant_id="alder", keep_an_admin=False)
    gateway.clock.advance(2)
    return {"key_expired": expired, "key_revoked": revoked}


@pytest.mark.parametrize("code", ["key_expired", "key_revoked"])
@pytest.mark.parametrize("operation", CLOSED)
def test_a_key_that_has_ended_gets_a_problem_and_nothing_else(
    gateway: FakeGateway, ended: Mapping[str, NewKey], operation: str, code: str
) -> None:
    answer = ask(gateway, bearer(ended[code]), operation)

    assert (answer.status, answer.body["code"]) == (401, code)
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")
    assert set(answer.body) == {"type", "title", "status", "code", "detail", "instance"}


def test_the_reason_of_a_refusal_is_told_only_to_a_caller_with_the_secret(
    gateway: FakeGateway, ended: Mapping[str, NewKey]
) -> None:
    for key in ended.values():
        guessed = type(new_key())(key_id=key.key.key_id, secret=new_key().secret)
        answer = gateway.ask(f"Bearer {guessed.text}", "GET", "/v1/feeds")
        assert (answer.status, answer.body) == (403, {"message": "Forbidden"})


# --- scopes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", CLOSED)
def test_a_key_is_refused_operations_outside_its_scope(
    gateway: FakeGateway, keys: Mapping[str, NewKey], operation: str
) -> None:
    needed = scope_of(operation)
    for scope, key in keys.items():
        answer = ask(gateway, bearer(key), operation)
        if Scope(scope).includes(needed):
            assert answer.status not in {401, 405}, (scope, answer)
            assert answer.status != 403 or answer.body["scope"] == "operator", (scope, answer)
        else:
            assert (answer.status, answer.body["code"], answer.body["scope"]) == (403, "scope_missing", needed), scope
            assert f'scope="{needed}"' in answer.headers["WWW-Authenticate"]
        assert answer.status < 500, (scope, answer)


def test_every_write_requires_more_than_read() -> None:
    reading = {each for each in CLOSED if scope_of(each) is Scope.READ and not each.startswith("GET ")}

    assert reading <= {"POST /v1/canonicalize", "DELETE /v1/keys/{id}"}  # neither registers, nor ends others' keys


def test_a_key_that_may_only_read_registers_nothing(gateway: FakeGateway, keys: Mapping[str, NewKey]) -> None:
    body = {"url": "https://pages.example/feed", "register": True}
    answer = gateway.ask(bearer(keys[Scope.READ]), "POST", "/v1/canonicalize", body=body)

    assert (answer.status, answer.body["scope"]) == (403, "write")


# --- other tenants --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def world() -> tuple[FakeGateway, Mapping[str, NewKey], Mapping[str, str]]:
    """Two tenants with an admin's key each, and the first one's objects, by kind."""
    gateway = with_index(FakeGateway(PAGES))
    keys = {each: gateway.new_key(each, Scope.ADMIN) for each in ("alder", "zulu")}
    own = bearer(keys["alder"])

    def made(method: str, path: str, body: object = None) -> Any:
        answer = gateway.ask(own, method, path, body=body)
        assert answer.status < 300, answer
        return answer.body

    subscription = made("POST", "/v1/subscriptions", {"url": "https://alder.example/"})["id"]
    run = made("POST", "/v1/runs", {"urls": [PAGE]})["id"]
    row = made("POST", "/v1/frontier", {"urls": [PAGE]})["results"][0]["row"]["id"]
    imported = made("POST", "/v1/imports", {"text": "https://b.example/feed\n", "into": "subscriptions"})["id"]
    site = made("POST", "/v1/discoveries", {"url": PRIVATE_SITE})["site"]["id"]
    job = made("POST", "/v1/discoveries", {"url": SLOW_SITE})["id"]
    export = ExportJob(
        export_id=new_ulid(NOW),
        tenant_id="alder",
        query=ExportQuery(format=ExportFormat.JSON),
        created_at=NOW,
        updated_at=NOW,
    )
    gateway.function.ports.export_jobs.open(export)
    gateway.function.import_all_and_collect()
    (item, *_) = gateway.ask(own, "GET", "/v1/items", parameters={"url": PAGE}).body["items"]
    webhook = made("POST", "/v1/webhooks", {"url": f"https://receiver.example/{SECRET}", "events": ["feed.*"]})["id"]
    feed = gateway.function.feed("own", f"{PAGE}&feed=1", scope="alder")
    return (
        gateway,
        keys,
        {
            "/v1/subscriptions": subscription,
            "/v1/runs": run,
            "/v1/frontier": row,
            "/v1/imports": imported,
            "/v1/items": item["id"],
            "/v1/feeds": feed,
            "/v1/sites": site,
            "/v1/discoveries": job,
            "/v1/exports/jobs": export.export_id,
            "/v1/keys": keys["alder"].key.key_id,
            "/v1/tenants": "alder",
            "/v1/webhooks": webhook,
        },
    )


@pytest.mark.parametrize("operation", [each for each in CLOSED if "{id}" in each])
def test_data_of_another_tenant_is_answered_like_missing_data(world: Any, operation: str) -> None:
    gateway, keys, things = world
    kind = kind_of(operation.split()[1])
    foreign, absent = (ask(gateway, bearer(keys["zulu"]), operation, each) for each in (things[kind], None))

    assert (foreign.said, foreign.headers) == (absent.said, absent.headers)
    assert foreign.status == (404 if keys["zulu"].key.scope.includes(scope_of(operation)) else 403)


@pytest.mark.parametrize("operation", [each for each in CLOSED if "{id}" not in each and each.startswith("GET ")])
def test_no_list_has_anything_of_another_tenant(world: Any, operation: str) -> None:
    gateway, keys, things = world
    answer = ask(gateway, bearer(keys["zulu"]), operation)

    assert answer.status == (200 if keys["zulu"].key.scope.includes(scope_of(operation)) else 403), answer
    said = json.dumps(answer.body)
    assert SECRET not in said
    assert not [each for each in things.values() if each in said]


READABLE: Final = tuple(each for each in CLOSED if each.startswith("GET ") and scope_of(each) is Scope.READ)


@pytest.mark.parametrize("operation", READABLE)
def test_a_key_that_may_only_read_sees_no_token(world: Any, operation: str) -> None:
    gateway, _keys, things = world
    kind = kind_of(operation.split()[1]) if "{id}" in operation else ""
    reader = _reader(gateway)
    answer = ask(gateway, reader, operation, things.get(kind))

    assert answer.status not in {401, 403}, answer
    assert SECRET not in json.dumps(answer.body)


def _reader(gateway: FakeGateway) -> str:
    if not hasattr(gateway, "reader"):
        gateway.reader = bearer(gateway.new_key("alder", Scope.READ))  # type: ignore[attr-defined]
    return str(gateway.reader)  # type: ignore[attr-defined]


def test_the_owner_sees_the_token_that_a_reader_does_not(world: Any) -> None:
    gateway, keys, things = world
    answers = [
        ask(gateway, who, "GET /v1/frontier/{id}", things["/v1/frontier"]).body["url"]
        for who in (bearer(keys["alder"]), _reader(gateway))
    ]

    assert answers == [PAGE, "https://pages.example/own?token=..."]


# --- time -----------------------------------------------------------------------------------------


def test_a_revoked_key_works_until_the_gateway_forgets_it_and_no_longer() -> None:
    gateway = FakeGateway()
    key = gateway.new_key("alder", Scope.READ)
    gateway.ask(bearer(key), "GET", "/v1/feeds")
    revoke_key(SELF_HOSTED, key.key.key_id, ports=gateway, tenant_id="alder")

    gateway.clock.advance(KEPT_S - 1)
    assert gateway.ask(bearer(key), "GET", "/v1/feeds").status == 200
    gateway.clock.advance(1)
    assert gateway.ask(bearer(key), "GET", "/v1/feeds").body["code"] == "key_revoked"


def test_a_key_expires_to_the_second_even_if_the_gateway_caches_it() -> None:
    gateway = FakeGateway()
    key = gateway.new_key("alder", Scope.READ, expires_at=gateway.clock.now() + 10)

    assert gateway.ask(bearer(key), "GET", "/v1/feeds").status == 200
    gateway.clock.advance(9)
    assert gateway.ask(bearer(key), "GET", "/v1/feeds").status == 200
    gateway.clock.advance(1)
    assert gateway.ask(bearer(key), "GET", "/v1/feeds").body["code"] == "key_expired"
    assert gateway.asked == 1


def test_an_outage_of_the_store_refuses_no_key_for_longer_than_it_lasts() -> None:
    gateway = FakeGateway()
    key = gateway.new_key("alder", Scope.READ)

    class Away:
        def within(self, _deadline: object) -> Any:
            raise StoreUnavailable("away")

    parts, gateway.parts = gateway.parts, type("Parts", (), {"presented_keys": Away(), "clock": gateway.clock})()
    gateway._judge = _judge_of(gateway)
    assert gateway.ask(bearer(key), "GET", "/v1/feeds").status == 500
    gateway.parts = parts
    gateway._judge = _judge_of(gateway)
    assert gateway.ask(bearer(key), "GET", "/v1/feeds").status == 200


def _judge_of(gateway: FakeGateway) -> Any:
    from tests.functions.conftest import load_function

    return load_function("authorize").make_handler(lambda: gateway.parts)
