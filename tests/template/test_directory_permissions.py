"""The directory function's role allows its routes' actions, action by action and resource by resource, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.access.tenant import LOOK_AGAIN_S
from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.tenants.subscriptions import DynamoSubscriptions
from feedward.adapters.eventbridge import BusPublisher
from feedward.adapters.kms import KmsSecretBox
from feedward.adapters.sqs import SqsWorkQueue
from feedward.search.document import DocumentChange
from feedward.services.export import export_now
from feedward.subscriptions.subscription import Failure, failed
from tests.fakes.code_version import LATER, code_of
from tests.fakes.directory import NOW
from tests.fakes.directory_parts import FakeDirectoryParts
from tests.fakes.health_queue import URL
from tests.fakes.kms import InMemoryKms
from tests.fakes.search_bucket import FakeSearch
from tests.functions.conftest import load_function
from tests.functions.directory_function import DirectoryFunction, event_of, make_directory_function
from tests.template.test_collect_permissions import Noting
from tests.template.test_permissions import AwsClient, Recorder, answer_a_request_with_a_key_in_every_way, granted
from tests.unit.services.collect.collecting import A, B, page


class TakingQueue(AwsClient):
    """A queue that accepts messages."""

    def send_message_batch(self, **request: Any) -> Any:
        self.asked.add("SendMessage")  # the IAM action of a batch too
        return {"Successful": [{"Id": entry["Id"]} for entry in request["Entries"]]}


def use_every_route(function: DirectoryFunction) -> None:
    """Each route in each way that writes or reads something else."""
    garden, other = function.feed("garden"), function.feed("other")
    for path in ("", f"/{garden}", f"/{garden}/items", f"/{garden}/audit"):
        assert function.get(f"/v1/feeds{path}").status == 200
    for filters in ({"domain": "example.com"}, {"state": "paused"}, {"topic": "food"}):
        assert function.get("/v1/feeds", **filters).status == 200
    for action in ("pause", "resume", "check"):
        assert function.post(f"/v1/feeds/{garden}/{action}").status == 202
    for on in (True, False):
        assert function.patch(f"/v1/feeds/{garden}", {"collect_items": on}).status == 200
    for decision in ("approve", "reject"):
        assert function.post(f"/v1/feeds/{garden}/topics", {decision: ["food"]}).status == 200
    function.move(garden, "https://new.example.org/feed")
    assert function.post(f"/v1/feeds/{garden}/undo").status == 202
    function.write(other, state="degraded")
    assert function.post(f"/v1/feeds/{other}/revive").status == 202


def use_subscriptions(function: DirectoryFunction) -> None:
    feed_id = function.feed("subscribed")
    store = function.directory.subscriptions
    ids = [function.post("/v1/subscriptions", {"url": f"https://{n}.example/"}).body["id"] for n in range(3)]
    first, second, third = (store.get(None, each) for each in ids)
    assert first is not None
    assert second is not None
    assert third is not None
    store.make_ready(first, feed_id=feed_id, now=NOW)
    store.make_ready(second, feed_id=feed_id, now=NOW)  # a duplicate of the first
    store.save(failed(third, failure=Failure.NO_FEED, reason="none", now=NOW))
    assert function.post("/v1/subscriptions", {"url": "https://2.example/"}).status == 202  # asked for again
    assert function.post("/v1/subscriptions", {"url": "https://1.example/", "tags": ["x"]}).status == 200
    assert function.get("/v1/subscriptions").status == 200
    for each in ids:
        assert function.get(f"/v1/subscriptions/{each}").status == 200
    for each in (ids[0], ids[2]):  # the first takes its duplicate with it
        assert function.delete(f"/v1/subscriptions/{each}").status == 204


def use_imports(function: DirectoryFunction, worker: DirectoryFunction) -> None:
    """The worker's actions on the files belong to another role."""
    found = function.post("/v1/imports", {"text": "https://a.example/feed"}).headers["Location"]
    worker.import_all()
    assert function.get(found).body["status"] == "done"
    assert function.get("/v1/imports").body["imports"]
    (entry,) = function.get(f"{found}/entries").body["entries"]
    assert function.delete(f"/v1/subscriptions/{entry['subscription_id']}").status == 204  # which ends its entry
    announced = function.post("/v1/imports", {"bytes": 5}).headers["Location"]
    assert function.post(f"{announced}/start").status == 409


def use_frontier_and_lineage(function: DirectoryFunction, worker: DirectoryFunction) -> None:
    """The actions of the worker, which fetches the submitted pages, belong to another role."""
    sent = function.post("/v1/frontier", {"urls": [A, B]})
    assert [each["created"] for each in sent.body["results"]] == [True, True]
    assert not function.post("/v1/frontier", {"urls": [A]}).body["results"][0]["created"]
    worker.collect()
    row = function.get("/v1/frontier", url=A).body["rows"][0]
    assert function.get(f"/v1/frontier/{row['id']}").body["status"] == "fetched"
    assert function.get("/v1/frontier", last_error="not_found").body["rows"][0]["url"] == B
    runs = [function.post("/v1/runs", {"urls": urls}) for urls in ([A], [f"{A}{number}" for number in range(1700)])]
    worker.collect()
    run = function.get(f"/v1/runs/{runs[0].body['id']}").body
    assert run["status"] == "done"
    assert function.get("/v1/runs").body["runs"]
    (item,) = function.get("/v1/items", run=_run_of(function, row["item_id"])).body["items"]
    for list_of in ({"url": A}, {"content_sha256": item["content_sha256"]}):
        assert function.get("/v1/items", **list_of).body["items"] == [item]
    for path in ("", "/edges", "/chain"):
        assert function.get(f"/v1/items/{item['id']}{path}").status == 200
    with code_of(LATER):
        later = function.post("/v1/runs", {"reprocessing_of_run_id": item["run_id"]})
        assert later.status == 202
        assert function.get("/v1/items", outdated="true").body["items"]
        worker.collect()


def use_search(function: DirectoryFunction, search: FakeSearch) -> None:
    """A search before the index is there, one that loads it, and a request for a rebuild."""
    assert function.get("/v1/search", q="garden").status == 503
    search.feed.rebuild([], now=NOW)
    search.feed.send([DocumentChange("0" * 26, 1, None)], now=NOW)
    search.s3.asked.clear()
    assert function.get("/v1/search", q="https://example.com/garden").status == 200
    assert function.get("/v1/search", q="example.com").status == 200
    assert function.get("/v1/search/index").status == 200
    assert function.post("/v1/search/rebuild").status == 202


def use_webhooks(function: DirectoryFunction, worker: DirectoryFunction) -> None:
    """The actions of the worker, which sends the written deliveries, belong to another role."""
    made = [{"url": f"https://r{number}.example/hook", "events": ["feed.*"]} for number in range(2)]
    path, other = (function.post("/v1/webhooks", each).headers["Location"] for each in made)
    assert function.post("/v1/webhooks", made[0]).status == 200
    worker.ports.webhooks.queue.sqs.sent += function.ports.webhooks.queue.sqs.sent
    worker.ports.webhooks.work()
    for each in (path, "/v1/webhooks", f"{path}/deliveries"):
        assert function.get(each).status == 200
    assert function.patch(path, {"events": ["items.published"]}).status == 200
    assert function.patch(path, made[1]).status == 409
    assert function.post(f"{path}/rotate").status == 200
    assert function.post(f"{path}/test").status == 202
    (attempt,) = function.get(f"{path}/deliveries").body["attempts"]
    assert function.post(f"{path}/deliveries/{attempt['delivery_id']}/redeliver").status == 202
    assert function.post(f"{path}/replay", {"since": attempt["at"]}).status == 202
    assert function.delete(other).status == 204


def use_exports(function: DirectoryFunction, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export that is the answer, and one that becomes a job, whose file a link leads to."""
    for path, filters in (("json", {}), ("csv", {"topic": "food"}), ("opml", {"tag": ""})):
        assert function.call(event_of("GET", f"/v1/exports/{path}", parameters=filters), is_file=True).status == 200
    with monkeypatch.context() as patched:
        patched.setattr(export_now, "INLINE_BYTES", 10)
        job = function.get("/v1/exports/json")
    assert job.status == 202
    assert function.get(f"/v1/exports/jobs/{job.body['id']}").body["status"] == "waiting"


def use_keys_and_tenants(function: DirectoryFunction) -> None:
    """Keys that are created and end, and a tenant that is deleted with all its data."""
    keys = [function.directly("POST /v1/keys", body={"name": "k", "scope": "admin", "tenant_id": "acme"}) for _ in "ab"]
    first, second = (key.body["id"] for key in keys)
    function.directly("POST /v1/keys/{id}/rotate", id=first, body={"tenant_id": "acme"})
    function.directly("DELETE /v1/keys/{id}", id=second, query={"tenant_id": "acme"})
    function.feed("private", "https://a.example/feed?token=9f3a71c2d4e5", scope="acme")
    own: dict[str, dict[str, Any]] = {
        "sites": {"site_hash": "s", "sk": "SITE", "scope": "acme"},
        "state": {"pk": "EXPORT#x", "sk": "JOB", "tenant_id": "acme"},
    }
    for table, item in own.items():
        function.directory.contents.put_item(table, item)
    for path in ("/v1/frontier", "/v1/runs"):
        answer = function.asked_by(
            "acme", "write", "POST", path, body={"urls": ["https://a.example/?token=9f3a71c2d4e5", A]}
        )
        assert answer.status == 202
    assert function.directly("DELETE /v1/tenants/{id}", id="acme").status == 202
    function.directory.clock.advance(LOOK_AGAIN_S)
    assert function.handler({"do": "reconcile"}, function.context) == {"tenants": 1}
    assert function.directly("GET /v1/tenants").status == 200


def _run_of(function: DirectoryFunction, item_id: str) -> str:
    run_id: str = function.get(f"/v1/items/{item_id}").body["run_id"]
    return run_id


def test_the_directory_has_exactly_the_permissions_that_its_routes_use(monkeypatch: pytest.MonkeyPatch) -> None:
    function = make_directory_function({A: page("one"), B: {"status": 404}})
    worker = replace(function)
    contents = function.directory.contents
    recorder, queue, bus = Recorder(function.directory.faults), TakingQueue(), AwsClient()
    client: Any = recorder
    patient = Backoff()
    parts = FakeDirectoryParts(function.directory, client=client)
    parts.outbox = DynamoOutbox(Tables(client, contents.names, patient))
    parts.subscriptions = DynamoSubscriptions(Tables(client, contents.names, patient))
    parts.bus = BusPublisher(bus, "EventBus")  # type: ignore[arg-type,assignment]
    parts.health_queue = SqsWorkQueue(queue, "HealthQueue")  # type: ignore[arg-type,assignment]
    pages = Noting(function.ports.frontier_queue.sqs)
    parts.frontier_queue = SqsWorkQueue(pages, URL)  # type: ignore[arg-type,assignment]
    parts.collect = replace(parts.collect, queue=SqsWorkQueue(pages, URL))  # type: ignore[arg-type]
    parts.frontier_queue = SqsWorkQueue(pages, URL)  # type: ignore[arg-type,assignment]
    files = Noting(function.ports.import_files.s3)
    parts.import_files._s3 = lambda: files  # type: ignore[assignment, return-value]
    kms, tasks = InMemoryKms(), Noting(function.ports.webhooks.queue.sqs)
    hooks = replace(
        parts.webhook_ports,
        secrets=KmsSecretBox("key", lambda: kms),
        queue=SqsWorkQueue(tasks, URL),  # type: ignore[arg-type]
    )
    parts.webhook_ports = hooks
    worker.ports.webhooks.ports = replace(worker.ports.webhook_ports, secrets=KmsSecretBox("key", lambda: kms))
    function.handler = load_function("directory").make_handler(lambda: parts)

    use_every_route(function)
    use_subscriptions(function)
    use_search(function, parts.search)
    use_frontier_and_lineage(function, worker)
    use_imports(function, worker)
    use_keys_and_tenants(function)
    use_exports(function, monkeypatch)
    use_webhooks(function, worker)
    assert function.get("/v1/stats").status == 200
    assert function.get("/v1/dead-letters", queue="health").status == 200
    answer_a_request_with_a_key_in_every_way(recorder, contents.names)

    names = {
        contents.names.urls: "UrlsTable",
        contents.names.feeds: "FeedsTable",
        contents.names.tenants: "TenantsTable",
        contents.names.sites: "SitesTable",
        contents.names.state: "StateTable",
        contents.names.frontier: "FrontierTable",
        contents.names.lineage: "LineageTable",
        contents.names.webhooks: "WebhooksTable",
        contents.names.keys: "KeysTable",
    }
    asked = {(action, _named(resource, names)) for action, resource in recorder.asked}
    asked |= {(f"sqs:{name}", "HealthQueue") for name in queue.asked}
    asked |= {(f"sqs:{name}", "FrontierQueue") for name in pages.asked}
    asked |= {(f"events:{name}", "EventBus") for name in bus.asked}
    asked |= {(f"sqs:{name}", "WebhookQueue") for name in tasks.asked}
    asked |= {("kms:Encrypt", "WebhookKey")}
    assert "Encrypt" in kms.asked
    asked |= objects_asked_for(parts.search)
    asked |= {("s3:GetObject", "BodiesBucket/exports/*")}  # by the holder of a link that this role signed
    needed = {
        "HeadObject": "GetObject",
        "GeneratePresignedUrl": "PutObject",
    }  # the IAM actions; a missing file needs the list, too
    asked |= {(f"s3:{needed.get(name, name)}", "BodiesBucket/imports/*") for name in files.asked}
    asked |= {("s3:DeleteObject", f"BodiesBucket/{folder}/*") for folder in ("bodies", "exports", "imports")}
    dead_letters = {"DiscoverDeadLetterQueue", "FrontierDeadLetterQueue", "HealthDeadLetterQueue"}
    dead_letters |= {"WebhookDeadLetterQueue"}
    depths = {"DiscoverQueue", "FrontierQueue", "HealthQueue", "WebhookQueue"} | dead_letters
    asked |= {("sqs:GetQueueAttributes", name) for name in depths}
    asked |= {("sqs:ReceiveMessage", name) for name in dead_letters}
    assert granted("DirectoryFunctionRole") == asked | {("s3:ListBucket", "BodiesBucket")}


def objects_asked_for(search: FakeSearch) -> set[tuple[str, str]]:
    """The IAM actions of the calls of a bucket. Without ListBucket a missing object is a refusal."""
    folders = {(action, key if "/" not in key else f"{key.partition('/')[0]}/*") for action, key in search.s3.asked}
    return {(f"s3:{action}", f"SearchBucket/{key}") for action, key in folders} | {("s3:ListBucket", "SearchBucket")}


def _named(resource: str, names: dict[str, str]) -> str:
    table, _, index = resource.partition("/")
    return names[table] + (f"/{index}" if index else "")
