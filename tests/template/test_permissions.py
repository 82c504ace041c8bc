"""Each function's role holds what its adapters do, action by action and resource by resource, and no more."""

from __future__ import annotations

import re
from typing import Any

from feedward.adapters.dynamodb.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.keys import TableNames
from feedward.adapters.dynamodb.outbox import DynamoOutbox
from feedward.adapters.dynamodb.sites import CANDIDATES_AT_ONCE, DynamoSiteStore
from feedward.adapters.dynamodb.subscriptions import DynamoSubscriptions
from feedward.adapters.eventbridge import BusPublisher
from feedward.adapters.sqs import SqsDiscoverQueue
from feedward.adapters.ssm import SsmParameter
from feedward.discovery.candidate import DiscoveredFrom, Kind, Source, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.discovery.site import Job, JobStatus, Site, SiteCandidate, StoredSite
from feedward.model import NewFeed, OwedEvent
from feedward.subscriptions.subscription import Failure, Subscription, failed, new_subscription
from tests.fakes.dynamodb import InMemoryDynamoDB
from tests.template.translation import properties, resources, source
from tests.template_tables import create_tables

NOW = 1_800_000_000
SITE = Site(
    site_id="5" * 64,
    input_url="example.com",
    url="https://example.com/",
    canonical_url="https://example.com/",
    domain="example.com",
    outcome=DiscoveryOutcome.NO_FEED,
    complete=True,
    intent=Kind.MAIN,
    last_discovered_at=NOW,
    created_at=NOW,
)
JOB = Job(
    job_id=f"{SITE.site_id}.{'0' * 26}",
    site_id=SITE.site_id,
    url=SITE.url,
    status=JobStatus.PENDING,
    created_at=NOW,
    updated_at=NOW,
)
OWED = OwedEvent(feed_id="0" * 26, entry_id="1" * 26, detail_type="FeedDiscovered", detail={})
# What Lambda asks for in the function's name, to read its queue.
EVENT_SOURCE = ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")

ACTIONS = {
    "get_item": "GetItem",
    "query": "Query",
    "put_item": "PutItem",
    "update_item": "UpdateItem",
    "delete_item": "DeleteItem",
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}


class Recorder:
    """A client that notes what IAM would be asked for."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.asked: set[tuple[str, str]] = set()

    def __getattr__(self, operation: str) -> Any:
        def call(**request: Any) -> Any:
            self.asked |= set(needs(operation, request))
            return getattr(self.client, operation)(**request)

        return call


class AwsClient:
    """A client of another service that takes everything and notes what IAM would be asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __getattr__(self, operation: str) -> Any:
        def call(**request: Any) -> Any:
            self.asked.add("".join(word.title() for word in operation.split("_")))
            return {"Entries": [{"EventId": "1"} for _ in request.get("Entries", ())], "Parameter": {"Value": "key"}}

        return call


def needs(operation: str, request: dict[str, Any]) -> list[tuple[str, str]]:
    """(action, table or table/index/name) of one call. A transaction needs the action of each of its writes."""
    if operation == "transact_write_items":
        writes = [(verb, write["TableName"]) for item in request["TransactItems"] for verb, write in item.items()]
        return [(ACTIONS[verb], table) for verb, table in writes]
    if operation == "batch_get_item":
        return [("BatchGetItem", table) for table in request["RequestItems"]]
    index = f"/index/{request['IndexName']}" if "IndexName" in request else ""
    return [(ACTIONS[operation], request["TableName"] + index)]


def granted(role: str) -> set[tuple[str, str]]:
    pairs = set()
    for policy in properties("AWS::IAM::Role")[role]["Policies"]:
        for statement in policy["PolicyDocument"]["Statement"]:
            actions = statement["Action"]
            for action in [actions] if isinstance(actions, str) else actions:
                pairs.add((action.removeprefix("dynamodb:"), resource_name(statement["Resource"])))
    return pairs


def resource_name(resource: dict[str, Any]) -> str:
    """`!GetAtt T.Arn` and `!Sub ${T.Arn}/index/x` as the names that `create_tables` gives."""
    if "Fn::GetAtt" in resource:
        return str(resource["Fn::GetAtt"][0])
    return str(resource["Fn::Sub"]).replace("${", "").replace(".Arn}", "")


def new_feed(number: int, *urls: str) -> NewFeed:
    return NewFeed(feed_id=f"{number:026d}", url=urls[0], aliases=urls, now=NOW + number)


def register_in_every_way(recorder: Recorder, names: TableNames) -> None:
    store = DynamoFeedStore(recorder, names)  # type: ignore[arg-type]
    a, b, c, d = (f"https://example.com/{name}" for name in "abcd")

    store.find([a, b])
    store.register(new_feed(1, a))
    store.register(new_feed(2, a, b))  # attaches b to the first
    store.register(new_feed(3, c))
    store.register(new_feed(4, d, a, c))  # bridges two feeds, which are merged
    store.find([c])


def pay_what_is_owed(recorder: Recorder, names: TableNames) -> None:
    outbox = DynamoOutbox(recorder, names)  # type: ignore[arg-type]

    owed = outbox.owed_events(new_feed(1, "x").feed_id)
    outbox.events_sent(owed)

    assert owed


def keep_a_site_in_every_way(recorder: Recorder, names: TableNames) -> None:
    store = DynamoSiteStore(recorder, names)  # type: ignore[arg-type]
    found = [candidate(number) for number in range(CANDIDATES_AT_ONCE + 1)]  # more than one transaction takes

    assert store.save(StoredSite(site=SITE), changed=found, seen_rev=0)
    assert store.site(SITE.site_id)
    store.open_job(JOB)
    assert store.take_job(JOB.job_id, now=NOW)
    assert store.end_job(JOB.job_id, status=JobStatus.DONE, now=NOW)
    assert store.job(JOB.job_id)


def settle_subscriptions_in_every_way(recorder: Recorder, names: TableNames) -> None:
    """As a worker does; who writes them first is another function."""
    mine = DynamoSubscriptions(recorder, names)  # type: ignore[arg-type]
    theirs = DynamoSubscriptions(recorder.client, names)
    first, second, third, fourth = (theirs.open(subscription(number)) for number in range(4))
    feed_id = new_feed(1, "x").feed_id

    assert mine.get(None, first.subscription_id) == first
    assert mine.make_ready(first, feed_id=feed_id, now=NOW)
    assert mine.make_ready(second, feed_id=feed_id, now=NOW)  # brings the first nothing new
    assert mine.make_ready(third, feed_id=feed_id, now=NOW)  # brings it a tag
    assert mine.save(failed(fourth, failure=Failure.NO_FEED, reason="none", now=NOW))


def subscription(number: int) -> Subscription:
    tags = (f"tag {number}",) if number > 1 else ()
    return new_subscription(f"{number:026d}", tenant_id=None, url="x", url_hash=f"{number:064x}", now=NOW, tags=tags)


def candidate(number: int) -> SiteCandidate:
    return SiteCandidate(
        url_hash=f"{number:064x}",
        candidate_url=f"https://example.com/{number}",
        final_url=None,
        source=Source.GUESS_ROOT,
        discovered_from=(DiscoveredFrom.GUESS,),
        why="",
        kind=Kind.MAIN,
        score=1,
        parts={},
        validation_status=ValidationStatus.UNTESTED,
        first_seen_at=NOW,
    )


def test_canonicalize_may_do_exactly_what_its_store_asks_for() -> None:
    recorder = Recorder(InMemoryDynamoDB())

    register_in_every_way(recorder, create_tables(recorder.client))

    assert granted("CanonicalizeFunctionRole") == recorder.asked


def test_discover_may_do_exactly_what_its_adapters_ask_for_and_read_its_queue() -> None:
    recorder = Recorder(InMemoryDynamoDB())
    names = create_tables(recorder.client)
    queue, bus = AwsClient(), AwsClient()

    register_in_every_way(recorder, names)
    pay_what_is_owed(recorder, names)
    keep_a_site_in_every_way(recorder, names)
    settle_subscriptions_in_every_way(recorder, names)
    SqsDiscoverQueue(queue, "DiscoverQueue").send({})  # type: ignore[arg-type]
    BusPublisher(bus, "EventBus").publish([OWED])  # type: ignore[arg-type]

    asked = recorder.asked | {(f"sqs:{name}", "DiscoverQueue") for name in queue.asked}
    asked |= {(f"events:{name}", "EventBus") for name in bus.asked}
    assert granted("DiscoverFunctionRole") == asked | {(action, "DiscoverQueue") for action in EVENT_SOURCE}


def test_the_access_key_is_granted_by_its_name_and_only_where_there_is_one() -> None:
    (policy,) = resources("AWS::IAM::Policy").values()
    (statement,) = policy["Properties"]["PolicyDocument"]["Statement"]

    assert policy["Condition"] == "HasRsshubAccessKey"
    # Every function that fetches may be asked for a route of RSSHub.
    functions = sorted(resources("AWS::Lambda::Function").keys() - {"DirectoryFunction"})
    assert policy["Properties"]["Roles"] == [{"Ref": f"{name}Role"} for name in functions]
    ssm = AwsClient()
    SsmParameter("/rsshub/key", lambda: ssm).value()  # type: ignore[arg-type,return-value]
    assert {statement["Action"]} == {f"ssm:{name}" for name in ssm.asked}
    assert statement["Resource"]["Fn::Sub"].endswith(":parameter${RsshubAccessKeyParameter}")
    allowed = re.compile(source()["Parameters"]["RsshubAccessKeyParameter"]["AllowedPattern"])
    assert [bool(allowed.search(name)) for name in ("", "/rsshub/key", "key", "/*", "/a/")] == [
        True,
        True,
        *[False] * 3,
    ]
