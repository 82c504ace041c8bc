"""Each function's role allows its adapters' actions, action by action and resource by resource, and no more."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from feedward.access.caller import Caller, Scope
from feedward.access.key import new_key
from feedward.access.stored_key import StoredKey
from feedward.access.tenant import Tenant
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.access.presented_keys import DynamoPresentedKeys
from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox, DynamoPending
from feedward.adapters.dynamodb.feeds.revivals import DynamoRevivals
from feedward.adapters.dynamodb.feeds.sweep_store import DynamoSlotStore, DynamoSweepStore
from feedward.adapters.dynamodb.push.hub_rows import DynamoHubs
from feedward.adapters.dynamodb.push.subscriptions import DynamoPush
from feedward.adapters.dynamodb.sites.site_store import CANDIDATES_AT_ONCE, DynamoSiteStore
from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.state.idempotency import ROW_CHARACTERS, DynamoIdempotencyRecords
from feedward.adapters.dynamodb.state.move_observations import DynamoMoveObservations
from feedward.adapters.dynamodb.state.outages import DynamoOutages
from feedward.adapters.dynamodb.state.quota_counters import DynamoQuotaCounters
from feedward.adapters.dynamodb.state.slot_loads import DynamoSlotLoads
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.tenants.subscriptions import DynamoSubscriptions
from feedward.adapters.eventbridge import BusPublisher
from feedward.adapters.sqs import SqsDiscoverQueue, SqsWorkQueue
from feedward.adapters.ssm import SsmParameter
from feedward.discovery.candidate import DiscoveredFrom, Kind, Source, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.discovery.site import Job, JobStatus, Site, SiteCandidate, StoredSite
from feedward.errors import Throttled
from feedward.events.envelope import RevivalRequested, revival_requested
from feedward.health.decision import FeedUpdate, RevivalReason
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.health.feed_texts import texts_of
from feedward.health.moves import MoveObservation, MoveReason
from feedward.health.outage import LEAST_HOSTS
from feedward.health.recent_items import Recent
from feedward.health.relocation import FeedMove, MoveOutcome
from feedward.health.shared_target import SharedTarget
from feedward.model import OutboxEntry, Outcome
from feedward.ports.idempotency import KeyedRequest
from feedward.push.push_record import PushRecord, Trust
from feedward.quotas.quota import DEFAULT_LIMITS, read_limits
from feedward.registration import NewFeed
from feedward.scheduling.shards import due_shard
from feedward.scheduling.slots import Place
from feedward.services.access.authorize import authorize
from feedward.services.quotas.meter import Meter
from feedward.subscriptions.subscription import Failure, Subscription, failed, new_subscription, tried_again
from tests.fakes.directory import FakeClock
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
UNDELIVERED = OutboxEntry(feed_id="0" * 26, entry_id="1" * 26, detail_type="FeedDiscovered", detail={})
MESSAGE = HealthMessage(entries=(), sent_at=NOW)
# Lambda's own rights in the function's name, to read its queue.
EVENT_SOURCE = ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")

ACTIONS = {
    "get_item": "GetItem",
    "query": "Query",
    "scan": "Scan",
    "put_item": "PutItem",
    "update_item": "UpdateItem",
    "delete_item": "DeleteItem",
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}


class Recorder:
    """A client that records its IAM requests."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.asked: set[tuple[str, str]] = set()

    def __getattr__(self, operation: str) -> Any:
        def call(**request: Any) -> Any:
            self.asked |= set(needs(operation, request))
            return getattr(self.client, operation)(**request)

        return call


class AwsClient:
    """A client of another service that accepts everything and records its IAM requests."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __getattr__(self, operation: str) -> Any:
        def call(**request: Any) -> Any:
            # A batch needs the action of its entries.
            self.asked.add("".join(word.title() for word in operation.removesuffix("_batch").split("_")))
            entries = request.get("Entries", ())
            sent = [{"Id": entry.get("Id"), "EventId": "1"} for entry in entries]
            return {"Entries": sent, "Successful": sent, "Parameter": {"Value": "key"}}

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


def granted(role: str, *policies: dict[str, Any]) -> set[tuple[str, str]]:
    """The rights of a role, or of these policies."""
    return {
        (action.removeprefix("dynamodb:"), resource_name(resource))
        for policy in policies or properties("AWS::IAM::Role")[role].get("Policies", [])
        for statement in policy["PolicyDocument"]["Statement"]
        for action in as_list(statement["Action"])
        for resource in as_list(statement["Resource"])
    }


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def resource_name(resource: dict[str, Any]) -> str:
    """`!GetAtt T.Arn` and `!Sub ${T.Arn}/index/x` as the names that `create_tables` gives."""
    if "Fn::GetAtt" in resource:
        return str(resource["Fn::GetAtt"][0])
    return str(resource["Fn::Sub"]).replace("${", "").replace(".Arn}", "")


def new_feed(number: int, *urls: str) -> NewFeed:
    return NewFeed(feed_id=f"{number:026d}", url=urls[0], aliases=urls, now=NOW + number)


def register_in_every_way(recorder: Recorder, names: TableNames) -> None:
    store = DynamoFeedStore(Tables(recorder, names))  # type: ignore[arg-type]
    a, b, c, d = (f"https://example.com/{name}" for name in "abcd")

    store.find([a, b])
    store.register(new_feed(1, a))
    store.register(new_feed(2, a, b))  # attaches b to the first
    store.register(new_feed(3, c))
    store.register(new_feed(4, d, a, c))  # bridges two feeds, which are merged
    store.find([c])
    store.respell(new_feed(1, a).feed_id, f"{a}/", now=NOW)  # another spelling becomes its URL


def mark_undelivered_events_sent(recorder: Recorder, names: TableNames) -> None:
    outbox = DynamoOutbox(Tables(recorder, names))  # type: ignore[arg-type]

    undelivered = outbox.outbox_entries(new_feed(1, "x").feed_id)
    outbox.events_sent(undelivered)

    assert undelivered


def answer_a_request_with_a_key_in_every_way(recorder: Recorder, names: TableNames) -> None:
    records = DynamoIdempotencyRecords(Tables(recorder, names))  # type: ignore[arg-type]
    request = KeyedRequest(request_id="r", fingerprint="f", attempt_id="1", until=NOW + 60)
    answer = random.Random(1).randbytes(ROW_CHARACTERS).hex()  # more than one row takes

    assert records.begin(request, now=NOW) is None
    records.finish(request, answer=answer, until=NOW + 60)
    again = records.begin(replace(request, attempt_id="2"), now=NOW)
    assert again is not None
    assert again.answer == answer
    records.forget(request)


def charge_in_every_way(recorder: Recorder, names: TableNames) -> None:
    """Like a function that charges tenants for its work."""
    counters = DynamoQuotaCounters(Tables(recorder, names))  # type: ignore[arg-type]
    clock, caller = FakeClock(), Caller("t1", "k1", Scope.WRITE)
    meter = Meter(counters, clock, default=read_limits(DEFAULT_LIMITS), places=1)

    with meter.place(caller, "discover", within_s=4), meter.charged(caller, "discoveries"):
        pass
    with pytest.raises(Throttled), meter.charged(caller, "canonicalizations"):
        raise Throttled("given back")


def keep_a_site_in_every_way(recorder: Recorder, names: TableNames) -> None:
    store = DynamoSiteStore(Tables(recorder, names))  # type: ignore[arg-type]
    found = [candidate(number) for number in range(CANDIDATES_AT_ONCE + 1)]  # more than one transaction takes

    assert store.save(StoredSite(site=SITE), changed=found, seen_rev=0)
    assert store.site(SITE.site_id)
    store.open_job(JOB)
    assert store.take_job(JOB.job_id, now=NOW)
    assert store.end_job(JOB.job_id, status=JobStatus.DONE, now=NOW)
    assert store.job(JOB.job_id)
    assert store.feeds_of_domain("example.com", scope="")


def settle_subscriptions_in_every_way(recorder: Recorder, names: TableNames) -> None:
    """As a worker does; their first writer is another function."""
    mine = DynamoSubscriptions(Tables(recorder, names))  # type: ignore[arg-type]
    theirs = DynamoSubscriptions(Tables(recorder.client, names))
    first, second, third = (theirs.open(subscription(number)) for number in range(3))
    fourth = theirs.open(replace(subscription(3), import_entry=f"{26 * '0'}#0#1"))
    feed_id = new_feed(1, "x").feed_id

    assert mine.get(None, first.subscription_id) == first
    assert mine.make_ready(first, feed_id=feed_id, now=NOW)
    assert mine.make_ready(second, feed_id=feed_id, now=NOW)  # brings the first nothing new
    assert mine.make_ready(third, feed_id=feed_id, now=NOW)  # brings it a tag
    assert mine.save(failed(fourth, failure=Failure.NO_FEED, reason="none", now=NOW))


# --- health ----------------------------------------------------------------------------------------


def a_due_feed(client: Any, names: TableNames, number: int = 1) -> DueFeed:
    """A feed that another function registered."""
    url = f"https://example.com/{number}"
    DynamoFeedStore(Tables(client, names)).register(new_feed(number, url))
    found = DynamoCheckStore(Tables(client, names)).due_feed(f"{number:026d}")
    assert found is not None
    return found


def check_in_every_way(recorder: Recorder, names: TableNames) -> None:
    """The reads and writes of a check with any result, and of a batch of checks."""
    client: Any = recorder
    checks, outbox = DynamoCheckStore(Tables(client, names)), DynamoOutbox(Tables(client, names))
    assert [feed for feed in checks.healthy_feeds() if feed.health.consecutive_failures] == []
    before = a_due_feed(recorder.client, names)
    once = replace(before, rev=before.rev + 1, place=Place(from_s=before.place.from_s + 60))
    twice = replace(once, rev=once.rev + 1, content_hash="0" * 64)
    event = events_of_a_revival(twice)

    assert checks.write(FeedUpdate(before=before, after=once)) is None
    texts = texts_of(title="T", description=None, site_url=None, language=None, hub_urls=(), format=None)
    update = FeedUpdate(before=once, after=twice, recent=Recent(), texts=texts, events=event)
    assert checks.write(update) is None
    assert checks.write(update) is None  # it is there already
    assert checks.remembered(before.feed_id).texts is not None
    assert list(checks.host_feeds(before.host, None))
    outbox.events_sent(outbox.outbox_entries(before.feed_id))
    observations = DynamoMoveObservations(Tables(client, names))
    observations.remember(before.feed_id, MoveObservation(target="x", first_seen_at=NOW, last_seen_at=NOW))
    assert observations.observation(before.feed_id, now=NOW)
    assert observations.save_shared_target("x", SharedTarget(), seen_rev=0, now=NOW)
    assert observations.shared_target("x", now=NOW)[1] == 1
    outages = DynamoOutages(Tables(client, names))
    outages.add([(NOW, f"site{number}.example", Outcome.TIMEOUT) for number in range(LEAST_HOSTS)], now=NOW)
    assert outages.marked(now=NOW)
    limiter = DynamoHostLimiter(Tables(client, names))
    limiter.cool_down("example.com", until=NOW + 60, now=NOW)
    assert limiter.stops(["example.com"], now=NOW).hosts
    assert limiter.cooldown_until("example.com", now=NOW)
    assert limiter.take_slot("queue example.com", now_ms=NOW * 1000, pause_ms=1000, wait_ms=5000) == 0
    assert limiter.hold("example.com", holder="a worker", until=NOW + 60, now=NOW) == 0
    limiter.release("example.com", holder="a worker")
    begun = DynamoBegunTasks(Tables(client, names))
    assert begun.begin(before.feed_id, now=NOW) == 1
    begun.end(before.feed_id)


def events_of_a_revival(feed: DueFeed) -> tuple[OutboxEntry, ...]:
    asked = RevivalRequested(event_id="2" * 26, feed_id=feed.feed_id, reason=RevivalReason.GONE, occurred_at=NOW)
    detail = revival_requested(asked)
    told = OutboxEntry(feed_id=feed.feed_id, entry_id=asked.event_id, detail_type="RevivalRequested", detail=detail)
    return (told,)


def sweep_in_every_way(recorder: Recorder, names: TableNames) -> None:
    store = DynamoSweepStore(Tables(recorder, names))  # type: ignore[arg-type]
    feed = a_due_feed(recorder.client, names, 2)
    shard = next(each for each in store.shards() if each.shard == due_shard(feed.host))

    page = store.due(shard.shard, after=None, until=feed.place.from_s)
    held = store.take_lease(shard, holder="me", until=NOW + 60)
    assert held
    assert store.move_cursor(held, cursor=page.end, busy={}, lease_until=0)
    slots = DynamoSlotStore(Tables(recorder, names))  # type: ignore[arg-type]
    assert feed.place.slot is not None
    assert slots.due(feed.place.slot, after=None, until=feed.place.from_s).due
    minutes = slots.take_lease(slots.minutes()[0], holder="me", until=NOW + 60)
    assert minutes
    assert slots.move_cursor(minutes, cursor=None, busy={}, lease_until=0)
    loads = DynamoSlotLoads(Tables(recorder, names))  # type: ignore[arg-type]
    loads.record(NOW // 60, 5)
    assert loads.read()
    assert store.reschedule(feed, feed.place.from_s + 60)
    assert store.postpone(feed.feed_id, seen=feed.place.from_s + 60, to=feed.place.from_s + 120)


def move_in_every_way(recorder: Recorder, names: TableNames) -> None:
    moves = DynamoFeedMoves(Tables(recorder, names))  # type: ignore[arg-type]
    first, second = (a_due_feed(recorder.client, names, number) for number in (21, 22))

    def a_move(feed: DueFeed, to: str, rev: int, *aliases: str) -> FeedMove:
        return FeedMove(
            feed_id=feed.feed_id,
            url=feed.url if rev == feed.rev else "https://example.com/moved",
            to=to,
            seen_rev=rev,
            reason=MoveReason.PERMANENT_REDIRECT,
            by="check",
            now=NOW,
            aliases=aliases,
        )

    moved = moves.move(a_move(first, "https://example.com/moved", first.rev, "https://example.com/alias"))
    assert moved.outcome is MoveOutcome.MOVED
    merged = moves.move(a_move(first, second.url, first.rev + 1))
    assert merged.outcome is MoveOutcome.MERGED


def drive_on_in_every_way(recorder: Recorder, names: TableNames) -> None:
    """Unfinished work: a merge, a job, subscriptions."""
    client: Any = recorder
    feeds, sites = DynamoFeedStore(Tables(client, names)), DynamoSiteStore(Tables(client, names))
    pending, theirs = DynamoPending(Tables(client, names)), DynamoSubscriptions(Tables(recorder.client, names))
    mine = DynamoSubscriptions(Tables(client, names))
    late = NOW + 10**7
    first, second, third = (theirs.open(subscription(number)) for number in range(3))
    a, b = "https://example.net/a", "https://example.net/b"
    others = DynamoFeedStore(Tables(recorder.client, names))
    stays, goes = (others.register(new_feed(*each)).feed_id for each in ((31, a), (32, b)))
    for each, feed_id in ((first, stays), (second, goes)):  # the second brings the first nothing new
        assert theirs.make_ready(each, feed_id=feed_id, now=NOW)
    assert others.register(new_feed(34, f"{a}/too", a, b)).feed_id == stays
    DynamoSiteStore(Tables(recorder.client, names)).open_job(JOB)

    assert list(pending.feeds_with_outbox(before=late))
    for feed_id in (f"{22:026d}", goes):
        mine.repoint(feed_id, now=late)
        feeds.repoint(feed_id, now=late)
    (job,) = pending.left_jobs(before=late)
    pending.job_sent_again(job, now=NOW)
    assert sites.end_job(JOB.job_id, status=JobStatus.FAILED, now=NOW, reason="given up")
    assert mine.pending(before=late, limit=10)
    found = mine.get(None, third.subscription_id)
    assert found
    assert mine.save(tried_again(found, now=NOW))
    imported = theirs.open(replace(subscription(4), import_entry=f"{26 * '0'}#0#1"))
    assert mine.save(failed(imported, failure=Failure.GIVEN_UP, reason="none", now=NOW))


def revive_in_every_way(recorder: Recorder, names: TableNames) -> None:
    client: Any = recorder
    revivals, checks = DynamoRevivals(Tables(client, names)), DynamoCheckStore(Tables(client, names))
    feed = a_due_feed(recorder.client, names, 41)
    asked = RevivalRequested(event_id="3" * 26, feed_id=feed.feed_id, reason=RevivalReason.REQUESTED, occurred_at=NOW)

    assert revivals.lost_feed(feed.feed_id)
    assert revivals.begin(asked)
    revivals.end(asked, now=NOW, outcome="nothing_found", evidence={}, is_told=True)
    assert checks.due_feed(feed.feed_id)


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


def test_canonicalize_has_exactly_the_permissions_that_its_store_uses() -> None:
    recorder = Recorder(InMemoryDynamoDB())

    names = create_tables(recorder.client)

    register_in_every_way(recorder, names)
    answer_a_request_with_a_key_in_every_way(recorder, names)
    charge_in_every_way(recorder, names)

    assert granted("CanonicalizeFunctionRole") == recorder.asked


def test_discover_has_exactly_the_permissions_that_its_adapters_use_and_those_to_read_its_queue() -> None:
    recorder = Recorder(InMemoryDynamoDB())
    names = create_tables(recorder.client)
    queue, bus = AwsClient(), AwsClient()

    register_in_every_way(recorder, names)
    answer_a_request_with_a_key_in_every_way(recorder, names)
    charge_in_every_way(recorder, names)
    mark_undelivered_events_sent(recorder, names)
    keep_a_site_in_every_way(recorder, names)
    settle_subscriptions_in_every_way(recorder, names)
    revive_in_every_way(recorder, names)
    move_in_every_way(recorder, names)
    health_queue = AwsClient()
    SqsDiscoverQueue(queue, "DiscoverQueue").send({})  # type: ignore[arg-type]
    SqsWorkQueue(health_queue, "HealthQueue").send_batch([MESSAGE])  # type: ignore[arg-type]
    BusPublisher(bus, "EventBus").publish([UNDELIVERED])  # type: ignore[arg-type]

    asked = recorder.asked | {(f"sqs:{name}", "DiscoverQueue") for name in queue.asked}
    asked |= {(f"sqs:{name}", "HealthQueue") for name in health_queue.asked}
    asked |= {(f"events:{name}", "EventBus") for name in bus.asked}
    assert granted("DiscoverFunctionRole") == asked | {(action, "DiscoverQueue") for action in EVENT_SOURCE}


def subscribe_in_every_way(recorder: Recorder, names: TableNames) -> None:
    """The needs of subscriptions to hubs: trust that is gained and lost, standings of hubs, due subscriptions."""
    client: Any = recorder
    push, hubs = DynamoPush(Tables(client, names)), DynamoHubs(Tables(client, names))
    feed_id = DynamoFeedStore(Tables(recorder.client, names)).register(new_feed(41, "https://example.net/push")).feed_id
    record = PushRecord(
        feed_id=feed_id, hub="https://hub.example/", topic="https://example.net/push", token_hash="0", sealed="0",
        state_since=NOW, try_at=NOW,
    )  # fmt: skip
    stored = push.save(None, record)
    assert stored is not None
    assert push.save_push_check(stored, replace(stored, push_check_at=NOW))
    assert list(push.due(now=NOW)) == [feed_id]
    assert list(push.newly_named(now=NOW)) == []
    push.seen_named(feed_id)
    planned = push.get(feed_id)
    assert planned is not None
    trusted = push.trust(planned, replace(planned, trust=Trust.TRUSTED), every=240)
    assert trusted is not None
    assert list(push.trusting(record.hub)) == [feed_id]
    assert push.free(trusted, replace(trusted, trust=Trust.NONE), at=NOW)
    hubs.save(hubs.get(record.hub), hubs.get(record.hub))
    hubs.note_told(record.hub, now=NOW)
    hubs.watch(record.hub, is_on=True)
    assert hubs.watched() == (record.hub,)


def test_the_health_check_has_exactly_the_permissions_that_its_adapters_use_and_those_to_read_its_queue() -> None:
    recorder = Recorder(InMemoryDynamoDB())
    names = create_tables(recorder.client)
    queue, jobs, bus = AwsClient(), AwsClient(), AwsClient()

    check_in_every_way(recorder, names)
    sweep_in_every_way(recorder, names)
    move_in_every_way(recorder, names)
    drive_on_in_every_way(recorder, names)
    subscribe_in_every_way(recorder, names)
    SqsWorkQueue(queue, "HealthQueue").send_batch([MESSAGE])  # type: ignore[arg-type]
    SqsDiscoverQueue(jobs, "DiscoverQueue").send({})  # type: ignore[arg-type]
    BusPublisher(bus, "EventBus").publish([UNDELIVERED])  # type: ignore[arg-type]

    asked = recorder.asked | {(f"sqs:{name}", "HealthQueue") for name in queue.asked}
    asked |= {(f"sqs:{name}", "DiscoverQueue") for name in jobs.asked}
    asked |= {(f"events:{name}", "EventBus") for name in bus.asked}
    asked |= {("kms:Encrypt", "WebhookKey"), ("kms:Decrypt", "WebhookKey")}  # tests/unit/adapters/test_kms.py
    assert granted("HealthCheckFunctionRole") == asked | {(action, "HealthQueue") for action in EVENT_SOURCE}


def test_schedules_may_wake_the_health_check_and_keep_undelivered_events() -> None:
    assert granted("HealthScheduleRole") == {
        ("lambda:InvokeFunction", "HealthCheckFunction"),
        ("sqs:SendMessage", "ScheduleDeadLetterQueue"),
    }


def test_the_access_key_is_granted_by_its_name_and_only_where_there_is_one() -> None:
    policy = resources("AWS::IAM::Policy")["RsshubAccessKeyPolicy"]
    (statement,) = policy["Properties"]["PolicyDocument"]["Statement"]

    assert policy["Condition"] == "HasRsshubAccessKey"
    # Every function that fetches may be asked for a route of RSSHub.
    others = {"Authorize", "Directory", "Index", "Notify", "Page", "Push"}
    functions = sorted(resources("AWS::Lambda::Function").keys() - {f"{name}Function" for name in others})
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


def test_the_authorizer_has_exactly_the_permissions_that_it_uses() -> None:
    client = InMemoryDynamoDB()
    names = create_tables(client)
    recorder = Recorder(client)
    made = new_key()
    stored = StoredKey(
        key_id=made.key_id, sha256=made.sha256, tenant_id=None, scope=Scope.READ, name="x", created_at=NOW
    )
    assert DynamoKeyStore(Tables(client, names)).save(Tenant(tenant_id=None, created_at=NOW), new=[stored])  # type: ignore[arg-type]
    assert authorize(f"Bearer {made.text}", keys=DynamoPresentedKeys(Tables(recorder, names)), now=NOW)  # type: ignore[arg-type]

    assert granted("AuthorizeFunctionRole") == recorder.asked
