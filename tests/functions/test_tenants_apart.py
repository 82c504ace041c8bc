"""No tenant sees or changes data of another, nor learns that it exists (rules I8, TN4, TN7, TN8)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from feedward.registration import NewFeed
from feedward.ulid import derived_ulid
from tests.fakes.directory import NOW
from tests.functions.conftest import Answer
from tests.functions.directory_function import DirectoryFunction, event_of, make_directory_function

SECRET = "9f3a71c2d4e5b6a7"
OPEN = "https://pages.example/open"
OWN = f"https://pages.example/own?token={SECRET}"
TEXT = "<html><body>{} has some text</body></html>"
PAGES: dict[str, dict[str, Any]] = {url: {"body": TEXT.format(url)} for url in (OPEN, OWN)}
ROBOTS: dict[str, dict[str, Any]] = {"https://pages.example/robots.txt": {"status": 404}}
NOWHERE = "0" * 26


@pytest.fixture
def stack() -> DirectoryFunction:
    return make_directory_function(PAGES | ROBOTS)


def ask(stack: DirectoryFunction, tenant: str, method: str, path: str, **given: Any) -> Answer:
    return stack.asked_by(tenant, "operator" if tenant == "_self" else "admin", method, path, **given)


def made_by(stack: DirectoryFunction, tenant: str) -> dict[str, str]:
    """Let a tenant make one object of each kind; return the ids by the path that shows them."""
    subscription = ask(
        stack, tenant, "POST", "/v1/subscriptions", body={"url": f"https://{tenant.strip('_')}.example/"}
    )
    started = ask(stack, tenant, "POST", "/v1/runs", body={"urls": [OPEN, OWN]})
    rows = ask(stack, tenant, "POST", "/v1/frontier", body={"urls": [OWN]}).body["results"]
    imported = ask(
        stack, tenant, "POST", "/v1/imports", body={"text": "https://b.example/feed\n", "into": "subscriptions"}
    )
    feed = stack.feed(f"own feed of {tenant}", OWN + "&feed=1", scope="" if tenant == "_self" else tenant)
    stack.import_all_and_collect()
    run = started.body["id"]
    (item, *_) = ask(stack, tenant, "GET", "/v1/items", parameters={"run": run}).body["items"]
    return {
        "/v1/subscriptions/{}": subscription.body["id"],
        "/v1/runs/{}": run,
        "/v1/frontier/{}": rows[0]["row"]["id"],
        "/v1/items/{}": item["id"],
        "/v1/items/{}/edges": item["id"],
        "/v1/items/{}/chain": item["id"],
        "/v1/imports/{}": imported.body["id"],
        "/v1/imports/{}/entries": imported.body["id"],
        "/v1/feeds/{}": feed,
        "/v1/feeds/{}/items": feed,
        "/v1/feeds/{}/audit": feed,
    }


def said(answer: Answer) -> str:
    return json.dumps({**answer.body, "instance": None}, sort_keys=True)


def everything_listed(stack: DirectoryFunction, tenant: str) -> Iterator[Any]:
    lists: tuple[tuple[str, dict[str, str]], ...] = (
        ("/v1/subscriptions", {}),
        ("/v1/imports", {}),
        ("/v1/runs", {}),
        ("/v1/feeds", {}),
        ("/v1/feeds", {"domain": "pages.example"}),
        ("/v1/feeds", {"state": "healthy"}),
        ("/v1/frontier", {"url": OWN}),
        ("/v1/frontier", {"url": OPEN}),
        ("/v1/items", {"url": OWN}),
        ("/v1/items", {"url": OPEN}),
        ("/v1/exports/json", {"of": "subscriptions"}),
    )
    for path, parameters in lists:
        try:
            yield ask(stack, tenant, "GET", path, parameters=parameters).body
        except AssertionError:
            yield ask_file(stack, tenant, path, parameters)


def ask_file(stack: DirectoryFunction, tenant: str, path: str, parameters: dict[str, str]) -> str:
    event_answer = stack.asked_by(tenant, "admin", "GET", path, parameters=parameters, is_file=True)
    return str(event_answer.body.decode())


@pytest.mark.parametrize(("owner", "other"), [("acme", "zulu"), ("_self", "zulu"), ("acme", "_self")])
def test_foreign_objects_are_answered_like_missing_ones(stack: DirectoryFunction, owner: str, other: str) -> None:
    made = made_by(stack, owner)
    made_by(stack, other)
    for path, found in made.items():
        assert ask(stack, owner, "GET", path.format(found)).status == 200, path
        foreign, absent = (ask(stack, other, "GET", path.format(each)) for each in (found, NOWHERE))
        assert (foreign.status, said(foreign)) == (404, said(absent)), path


@pytest.mark.parametrize(("owner", "other"), [("acme", "zulu"), ("_self", "zulu"), ("acme", "_self")])
def test_no_list_of_another_tenant_has_an_id_or_a_token_of_the_owner(
    stack: DirectoryFunction, owner: str, other: str
) -> None:
    made = made_by(stack, owner)
    listed = json.dumps(list(everything_listed(stack, other)))
    assert [each for each in {*made.values()} if each in listed] == []
    assert SECRET not in listed


@pytest.mark.parametrize(("owner", "other"), [("acme", "zulu"), ("_self", "zulu"), ("acme", "_self")])
def test_no_request_of_another_tenant_changes_the_owners_data(stack: DirectoryFunction, owner: str, other: str) -> None:
    made = made_by(stack, owner)
    feed = made["/v1/feeds/{}"]
    requests: list[tuple[str, str, Any]] = [
        ("DELETE", f"/v1/subscriptions/{made['/v1/subscriptions/{}']}", None),
        ("POST", f"/v1/imports/{made['/v1/imports/{}']}/start", None),
        ("POST", "/v1/runs", {"reprocessing_of_run_id": made["/v1/runs/{}"]}),
        ("PATCH", f"/v1/feeds/{feed}", {"collect_items": True}),
        *(("POST", f"/v1/feeds/{feed}/{act}", None) for act in ("pause", "resume", "check", "revive", "undo")),
        ("POST", f"/v1/feeds/{feed}/topics", {"approve": ["News"]}),
    ]
    before = stack.directory.contents.everything()
    for method, path, body in requests:
        answer = stack.asked_by(other, "operator", method, path, body=body)
        assert answer.status == 404, (method, path, answer.body)
    assert stack.directory.contents.everything() == before


def test_a_shared_page_is_fetched_once_and_each_tenant_has_an_item_of_its_own(stack: DirectoryFunction) -> None:
    for tenant in ("acme", "zulu"):
        assert ask(stack, tenant, "POST", "/v1/frontier", body={"urls": [OPEN]}).status == 202
    stack.collect()
    items = {}
    for tenant in ("acme", "zulu"):
        (row,) = ask(stack, tenant, "GET", "/v1/frontier", parameters={"url": OPEN}).body["rows"]
        (item,) = ask(stack, tenant, "GET", "/v1/items", parameters={"url": OPEN}).body["items"]
        assert row["item_id"] in (item["id"], None)
        items[tenant] = item["id"]
    assert items["acme"] != items["zulu"]
    assert [url for url in stack.directory.internet.requests if url == OPEN] == [OPEN]
    bodies = stack.ports.collect.bodies.s3.objects  # type: ignore[attr-defined]
    assert sorted(key.split("/")[1] for key in bodies) == ["_acme", "_zulu"]


def test_a_cursor_of_another_tenant_leads_to_nothing_of_it(stack: DirectoryFunction) -> None:
    for number in range(3):
        ask(stack, "acme", "POST", "/v1/subscriptions", body={"url": f"https://a{number}.example/"})
    cursor = ask(stack, "acme", "GET", "/v1/subscriptions", parameters={"limit": "1"}).body["cursor"]
    answer = ask(stack, "zulu", "GET", "/v1/subscriptions", parameters={"cursor": cursor})
    assert (answer.status, answer.body["field"]) == (400, "cursor")


def test_an_idempotency_key_of_another_tenant_is_a_key_like_any_other(stack: DirectoryFunction) -> None:
    asked = {"body": {"url": "https://a.example/"}, "headers": {"idempotency-key": "the-same"}}
    first, second = (ask(stack, tenant, "POST", "/v1/subscriptions", **asked) for tenant in ("acme", "zulu"))
    assert (first.status, second.status) == (202, 202)
    assert first.body["id"] != second.body["id"]


def test_the_history_of_a_shared_feed_names_a_key_to_its_own_tenant_only(stack: DirectoryFunction) -> None:
    feed = stack.feed("a", "https://shared.example/feed")
    assert stack.asked_by("_self", "operator", "POST", f"/v1/feeds/{feed}/pause", key_id="Operator0001").status == 202
    by = {
        tenant: ask(stack, tenant, "GET", f"/v1/feeds/{feed}/audit").body["entries"][0]["by"]
        for tenant in ("_self", "acme")
    }
    assert by == {"_self": "_self/Operator0001", "acme": "another tenant"}


def test_a_caller_without_operator_changes_no_shared_feed(stack: DirectoryFunction) -> None:
    feed = stack.feed("a", "https://shared.example/feed")
    for path in ("pause", "resume", "check", "revive", "undo"):
        answer = ask(stack, "acme", "POST", f"/v1/feeds/{feed}/{path}")
        assert (answer.status, answer.body["code"]) == (403, "scope_missing"), path


def test_a_caller_without_operator_imports_nothing_into_the_directory(stack: DirectoryFunction) -> None:
    seeds = [{"title": "Alpha", "url": "https://a.example/feed", "category": "News"}]
    refused = ask(stack, "acme", "POST", "/v1/imports", body={"text": "https://a.example/\n", "into": "directory"})
    assert (refused.status, refused.body["scope"]) == (403, "operator")
    taken = ask(stack, "acme", "POST", "/v1/imports", body=seeds)
    stack.import_all()
    done = ask(stack, "acme", "GET", f"/v1/imports/{taken.body['id']}").body
    assert (done["into"], ask(stack, "zulu", "GET", "/v1/feeds").body["feeds"]) == ("subscriptions", [])


def test_a_deployment_that_ran_open_and_turns_keys_on_keeps_all_it_had(stack: DirectoryFunction) -> None:
    stack.ports.is_open = True
    made = made_by(Openly(stack), "_self")
    stack.ports.is_open = False
    for path, found in made.items():
        assert ask(stack, "_self", "GET", path.format(found)).status == 200, path
        assert ask(stack, "acme", "GET", path.format(found)).status == 404, path
    assert stack.call(without_key("GET", "/v1/feeds")).status == 401


class Openly(DirectoryFunction):
    """The same function, called without a key, as before there were keys."""

    __slots__ = ()

    def __init__(self, stack: DirectoryFunction) -> None:
        super().__init__(stack.directory, stack.ports, stack.handler)

    def asked_by(self, tenant: str, scope: str, method: str, path: str, **given: Any) -> Answer:
        assert (tenant, scope) == ("_self", "operator")
        return self.call(without_key(method, path, **given))


def without_key(method: str, path: str, **given: Any) -> Any:
    event = event_of(method, path, **given)
    return {**event, "requestContext": {**event["requestContext"], "authorizer": None}}


def test_an_import_of_a_tenant_finds_no_feed_that_is_the_deployments_own(stack: DirectoryFunction) -> None:
    """Before there were keys, the private feed of a URL with a token could have shared URLs as aliases."""
    url = "https://own.example/feed"
    own = derived_ulid(NOW, "own")
    stack.directory.store.register(NewFeed(feed_id=own, url=f"{url}?token={SECRET}", aliases=(url,), now=NOW))
    for tenant, found in (("_self", own), ("acme", None)):
        body = {"text": f"{url}\n", "into": "subscriptions"}
        made = ask(stack, tenant, "POST", "/v1/imports", body=body)
        stack.import_all()
        assert ask(stack, tenant, "GET", f"/v1/imports/{made.body['id']}").body["status"] == "done"
        (subscription,) = ask(stack, tenant, "GET", "/v1/subscriptions").body["subscriptions"]
        assert subscription["feed_id"] == found
