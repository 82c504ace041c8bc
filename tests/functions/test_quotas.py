"""Quotas through the functions: charged and free requests, and the answers to refusals (rules QT1 to QT5, QT7, QT8)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from feedward.adapters.dynamodb.state.quota_counters import DynamoQuotaCounters
from feedward.canonical.result import CanonicalResult
from feedward.errors import DeadlinePassed, Throttled
from feedward.quotas.quota import Quota, span_at
from feedward.services.canonicalize import canonicalize_urls
from feedward.services.canonicalize.canonicalize import canonicalize as canonicalize_url
from tests.fakes.directory import FakeDirectory
from tests.fakes.dynamodb_table import client_error
from tests.functions.conftest import CLEAN, SENT, Answer, Discover, Function, read_event
from tests.functions.directory_function import DirectoryFunction, event_of
from tests.functions.test_openapi import check

Call = Callable[[Any], dict[str, Any]]
ACME, OTHER = "acme", "other"


def keyed(event: Any, tenant: str = ACME, scope: str = "write") -> Any:
    """The event as the authorizer lets it pass for a tenant's key."""
    verdict = {"verdict": "ok", "tenant": tenant, "key_id": f"key{tenant}", "scope": scope, "expires_at": 0}
    context = {**event["requestContext"], "authorizer": {"lambda": verdict}}
    return {**event, "requestContext": context}


def answered(handler: Callable[[Any, Any], dict[str, Any]], event: Any, context: Any) -> Answer:
    answer = handler(event, context)
    return Answer(answer["statusCode"], answer["headers"], json.loads(answer["body"]))


class Tenants:
    """Tenants of a directory: their limits, their usage, and calls with their keys."""

    def __init__(self, directory: FakeDirectory) -> None:
        self.clock = directory.clock
        self.counters = DynamoQuotaCounters(directory.tables)

    def limit(self, tenant: str = ACME, /, **limits: int) -> None:
        self.counters.set_limits(tenant, {Quota(name): limit for name, limit in limits.items()})

    def used(self, quota: str, tenant: str = ACME) -> int:
        return self.counters.used(tenant, span_at(Quota(quota), self.clock.now())) or 0


# --- discoveries ----------------------------------------------------------------------------------


def search(discover: Discover, url: str, tenant: str = ACME, **body: object) -> Answer:
    event = read_event("http_discover") | {"body": json.dumps({"url": url, **body})}
    return answered(discover.handler, keyed(event, tenant), discover.context)


def test_a_search_is_charged_and_a_known_answer_is_free_even_above_the_quota(discover: Discover) -> None:
    tenants = Tenants(discover.directory)
    tenants.limit(discoveries_per_day=1)

    assert search(discover, "garden.example").status == 200
    assert search(discover, "garden.example").body["site"]
    assert tenants.used("discoveries_per_day") == 1

    refused = search(discover, "plaque.example")
    assert (refused.status, refused.body["code"]) == (429, "quota_exceeded")
    check(refused.body, "Problem")
    told = {name: refused.body[name] for name in ("quota", "limit", "used", "window")}
    assert told == {"quota": "discoveries_per_day", "limit": 1, "used": 1, "window": "day"}
    assert refused.body["opens_at"] == tenants.clock.now() + int(refused.headers["Retry-After"])
    assert search(discover, "garden.example").status == 200
    assert search(discover, "plaque.example", OTHER).status == 200


def test_a_refused_search_asks_no_site(discover: Discover) -> None:
    Tenants(discover.directory).limit(discoveries_per_minute=0)

    refused = search(discover, "garden.example")

    assert (refused.status, refused.body["opens_at"], "Retry-After" in refused.headers) == (429, None, False)
    assert discover.directory.internet.requests == []


def test_an_impossible_url_is_free(discover: Discover) -> None:
    tenants = Tenants(discover.directory)
    tenants.limit(discoveries_per_day=1)

    search(discover, "http://127.0.0.1/")
    search(discover, "ftp://garden.example/")

    assert tenants.used("discoveries_per_day") == 0


def test_without_counters_known_answers_go_on_and_searches_are_refused_with_503(discover: Discover) -> None:
    Tenants(discover.directory).limit(discoveries_per_day=5)
    assert search(discover, "garden.example").status == 200
    faults: Any = discover.directory.faults

    class Away:
        """The store with unreachable counters."""

        def __getattr__(self, name: str) -> Any:
            return getattr(faults, name)

        def update_item(self, **request: Any) -> Any:
            if "QUOTA#" in json.dumps(request["Key"]):
                raise client_error("ThrottlingException", "UpdateItem")
            return faults.update_item(**request)

    tables: Any = discover.directory.store.tables
    tables._client = Away()

    assert search(discover, "garden.example").status == 200
    refused = search(discover, "plaque.example")
    assert (refused.status, refused.body["code"]) == (503, "throttled")


# --- the directory --------------------------------------------------------------------------------


def post(directory: DirectoryFunction, path: str, body: object, tenant: str = ACME) -> Answer:
    return answered(directory.handler, keyed(event_of("POST", path, body=body), tenant), directory.context)


def test_a_new_subscription_is_charged_a_known_one_is_free_and_a_deleted_one_makes_room(
    directory: DirectoryFunction,
) -> None:
    tenants = Tenants(directory.directory)
    tenants.limit(subscriptions=2)
    kept, further = (post(directory, "/v1/subscriptions", {"url": f"{name}.example"}) for name in ("a", "b"))
    assert (kept.status, further.status) == (202, 202)

    refused = post(directory, "/v1/subscriptions", {"url": "c.example"})
    assert (refused.status, refused.body["quota"], refused.body["opens_at"]) == (429, "subscriptions", None)
    assert post(directory, "/v1/subscriptions", {"url": "http://b.example/"}).status in (200, 202)

    gone = keyed(event_of("DELETE", f"/v1/subscriptions/{kept.body['id']}"))
    assert directory.handler(gone, directory.context)["statusCode"] == 204
    assert post(directory, "/v1/subscriptions", {"url": "c.example"}).status == 202


def test_the_subscriptions_that_a_tenant_had_before_count(directory: DirectoryFunction) -> None:
    for name in ("a", "b"):
        post(directory, "/v1/subscriptions", {"url": f"{name}.example"})
    Tenants(directory.directory).limit(subscriptions=2)
    directory.directory.clock.advance(60)

    assert post(directory, "/v1/subscriptions", {"url": "c.example"}).status == 429


def test_pages_are_charged_by_page_after_they_were_judged_and_a_submission_whole_or_not_at_all(
    directory: DirectoryFunction,
) -> None:
    tenants = Tenants(directory.directory)
    tenants.limit(pages_per_day=3)
    urls = ["https://a.example/1", "https://a.example/1#top", "ftp://a.example/", "https://a.example/2"]

    assert post(directory, "/v1/frontier", {"urls": urls}).status == 202
    assert tenants.used("pages_per_day") == 2
    refused = post(directory, "/v1/frontier", {"urls": ["https://a.example/3", "https://a.example/4"]})

    assert (refused.status, refused.body["used"]) == (429, 2)
    assert len(directory.directory.contents.frontier()) == 2
    assert post(directory, "/v1/runs", {"urls": ["https://a.example/5"]}).status == 202
    assert post(directory, "/v1/runs", {"urls": ["https://a.example/6"]}).status == 429


def test_imports_are_charged_and_one_that_cannot_be_used_is_free(directory: DirectoryFunction) -> None:
    tenants = Tenants(directory.directory)
    tenants.limit(imports_per_day=1)

    assert post(directory, "/v1/imports", {"bytes": 10**12}).status == 400
    assert tenants.used("imports_per_day") == 0
    assert post(directory, "/v1/imports", {"text": "https://a.example"}).status == 202
    assert post(directory, "/v1/imports", {"text": "https://b.example"}).status == 429


def test_reading_is_free(directory: DirectoryFunction) -> None:
    Tenants(directory.directory).limit(**{quota.value: 0 for quota in Quota})

    for path in ("/v1/feeds", "/v1/subscriptions", "/v1/runs", "/v1/imports", "/v1/quotas"):
        event = keyed(event_of("GET", path), scope="read")
        assert directory.handler(event, directory.context)["statusCode"] == 200


def test_a_repeated_request_is_charged_once_and_a_refusal_is_not_remembered(directory: DirectoryFunction) -> None:
    tenants = Tenants(directory.directory)
    tenants.limit(pages_per_day=1)

    def submit(url: str, key: str) -> Answer:
        event = keyed(event_of("POST", "/v1/frontier", body={"urls": [url]}))
        headers = {**event["headers"], "idempotency-key": key}
        return answered(directory.handler, {**event, "headers": headers}, directory.context)

    first = submit("https://a.example/1", "one")
    assert (first.status, submit("https://a.example/1", "one").body) == (202, first.body)
    assert submit("https://a.example/2", "two").status == 429

    tenants.limit(pages_per_day=5)
    directory.directory.clock.advance(60)
    assert submit("https://a.example/2", "two").status == 202


# --- remaining quotas -----------------------------------------------------------------------------


def quotas(directory: DirectoryFunction, path: str, scope: str, method: str = "GET", body: object = None) -> Answer:
    return answered(directory.handler, keyed(event_of(method, path, body=body), scope=scope), directory.context)


def test_a_tenant_sees_its_own_remaining_quotas_only(directory: DirectoryFunction) -> None:
    tenants = Tenants(directory.directory)
    tenants.limit(pages_per_day=3)
    post(directory, "/v1/frontier", {"urls": ["https://a.example/1"]})

    own = quotas(directory, "/v1/quotas", "read")

    check(own.body, "Quotas")
    (pages,) = (each for each in own.body["quotas"] if each["quota"] == "pages_per_day")
    assert (own.body["tenant"], pages["limit"], pages["used"], pages["is_default"]) == (ACME, 3, 1, False)
    assert quotas(directory, f"/v1/quotas/{OTHER}", "admin").status == 403


def known_tenant(directory: DirectoryFunction, name: str = OTHER) -> None:
    """Let a tenant have its first key."""
    body = {"name": "first", "scope": "admin", "tenant_id": name}
    assert quotas(directory, "/v1/keys", "operator", "POST", body).status == 201


def test_an_operator_changes_the_limits_of_a_tenant(directory: DirectoryFunction) -> None:
    known_tenant(directory)
    changed = quotas(
        directory, f"/v1/quotas/{OTHER}", "operator", "PATCH", {"pages_per_day": 7, "imports_per_day": "unlimited"}
    )
    check(changed.body, "Quotas")
    again = quotas(directory, f"/v1/quotas/{OTHER}", "operator", "PATCH", {"imports_per_day": None})

    assert [changed.status, again.status] == [200, 200]
    limits = {each["quota"]: (each["limit"], each["is_default"]) for each in again.body["quotas"]}
    assert limits["pages_per_day"] == (7, False)
    assert limits["imports_per_day"] == (None, True)
    assert quotas(directory, f"/v1/quotas/{OTHER}", "operator").body == again.body


def test_a_tenant_without_a_key_has_no_quotas_and_gets_none(directory: DirectoryFunction) -> None:
    known_tenant(directory, "gone")
    assert quotas(directory, "/v1/tenants/gone", "operator", "DELETE").status == 202
    for name in ("never-known", "gone", "No Tenant", "x" * 65):
        for method, body in (("GET", None), ("PATCH", {"pages_per_day": 1})):
            answer = quotas(directory, f"/v1/quotas/{name}", "operator", method, body)
            assert (answer.status, answer.body["code"]) == (404, "not_found")
            check(answer.body, "Problem")

    assert not Tenants(directory.directory).counters.limits("never-known")
    assert quotas(directory, "/v1/quotas/_self", "operator", "PATCH", {"pages_per_day": 7.0}).status == 200


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        (OTHER, {"feeds": 1}, "feeds"),
        (OTHER, {"x" * 5000: 1}, "x" * 100),
        (OTHER, {"pages_per_day": 10**30}, "pages_per_day"),
        (OTHER, {"pages_per_day": [1]}, "pages_per_day"),
        (OTHER, {"pages_per_day": -1}, "pages_per_day"),
        (OTHER, {"pages_per_day": 1.5}, "pages_per_day"),
        (OTHER, {"pages_per_day": True}, "pages_per_day"),
        (OTHER, {"pages_per_day": "many"}, "pages_per_day"),
    ],
)
def test_a_limit_that_cannot_be_used_names_its_field(
    directory: DirectoryFunction, path: str, body: object, field: str
) -> None:
    answer = quotas(directory, f"/v1/quotas/{path}", "operator", "PATCH", body)

    assert (answer.status, answer.body["field"]) == (400, field)


# --- canonicalizations ----------------------------------------------------------------------------


def canonicalize(function: Function, tenant: str = ACME, **body: object) -> Answer:
    event = read_event("http_canonicalize_one") | {"body": json.dumps(body)}
    return answered(function.handler, keyed(event, tenant), function.context)


@pytest.fixture
def counters(function: Function) -> DynamoQuotaCounters:
    return DynamoQuotaCounters(function.services.tables)


def used(function: Function, counters: DynamoQuotaCounters) -> int:
    return counters.used(ACME, span_at(Quota.CANONICALIZATIONS_PER_DAY, function.services.clock.now())) or 0


def test_each_url_of_a_batch_is_charged_once_and_refused_urls_are_free(
    function: Function, counters: DynamoQuotaCounters
) -> None:
    counters.set_limits(ACME, {Quota.CANONICALIZATIONS_PER_DAY: 2})

    answer = canonicalize(function, urls=[SENT, SENT, "http://127.0.0.1/", "no url at all"])

    assert (answer.status, used(function, counters)) == (200, 1)
    refused = canonicalize(function, urls=[SENT, "https://www.example.com/other"])
    assert (refused.status, refused.body["quota"], used(function, counters)) == (429, "canonicalizations_per_day", 1)


@pytest.mark.parametrize("error", [Throttled("busy"), DeadlinePassed("late"), ValueError("a fault of ours")])
def test_our_own_failures_in_a_batch_are_refunded_and_the_rest_is_not(
    function: Function, counters: DynamoQuotaCounters, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    counters.set_limits(ACME, {Quota.CANONICALIZATIONS_PER_DAY: 3})

    def fail_at_one(url: str, **options: Any) -> CanonicalResult:
        if url != SENT:
            raise error
        return canonicalize_url(url, **options)

    monkeypatch.setattr(canonicalize_urls, "canonicalize", fail_at_one)
    other = "https://www.example.com/other"

    answer = canonicalize(function, urls=[SENT, other, other, "https://www.example.com/third"])

    assert (answer.status, used(function, counters)) == (200, 1)
    assert ["problem" in each for each in answer.body["results"]] == [False, True, True, True]


def test_a_known_feed_that_is_looked_up_first_is_free_though_the_quota_is_used_up(
    function: Function, counters: DynamoQuotaCounters
) -> None:
    counters.set_limits(ACME, {Quota.CANONICALIZATIONS_PER_DAY: 1})
    assert canonicalize(function, url=SENT, register=True).status == 200

    known = canonicalize(function, url=CLEAN, check_before_fetch=True)

    assert (known.status, known.body["reason"]) == (200, "exists_in_db")
    assert canonicalize(function, url=CLEAN, check_before_fetch=False).status == 429


def test_one_tenant_has_a_quarter_of_the_places_and_the_next_call_is_told_so(
    function: Function, counters: DynamoQuotaCounters
) -> None:
    now = function.services.clock.now()
    for _ in range(2):
        assert counters.take_place(ACME, "canonicalize", places=2, now=now, until=now + 30)

    refused = canonicalize(function, url=SENT)

    assert (refused.status, refused.body["code"], refused.body["limit"]) == (429, "too_many_at_once", 2)
    assert refused.headers["Retry-After"] == "1"
    check(refused.body, "Problem")
    assert used(function, counters) == 0
    assert canonicalize(function, OTHER, url=SENT).status == 200
