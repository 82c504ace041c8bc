"""Feeds as JSON: requests, and a feed, its items and its audit log in responses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from feedward.api.event import Event, cursor, query_values, truth, whole_number
from feedward.api.fields import boolean, choice, json_object, known_fields, text, texts
from feedward.api.path_ids import path_id
from feedward.api.route import Reply
from feedward.errors import InvalidInput
from feedward.health.directory_feed import DirectoryFeed, FeedQuery
from feedward.health.outcomes import OUTCOMES
from feedward.health.recent_items import RecentItem
from feedward.health.relocation import AuditEntry
from feedward.model import FeedState
from feedward.page_cursor import is_entry_id
from feedward.urls.parse import parse_url
from feedward.urls.secrets import mask_tokens

FEEDS_AT_MOST: Final = 100
WHY_CHARACTERS_AT_MOST: Final = 500
DOMAIN_CHARACTERS_AT_MOST: Final = 253
TOPICS_AT_MOST: Final = 20
TOPIC_CHARS: Final = 80
# One host in ASCII, not a list.
HOST: Final = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")


def decode_id(event: Event) -> dict[str, Any]:
    """Return the feed's id in the path. Raises NotFound for an invalid id."""
    return {"feed_id": path_id(event, "feed")}


def decode_list(event: Event) -> dict[str, Any]:
    """Return the query, and `cursor` and `limit` if given. Raises InvalidInput, which names the parameter."""
    given = query_values(event, LIST_PARAMETERS)
    page = {name: given.pop(name) for name in PAGE_PARAMETERS if name in given}
    return {"query": FeedQuery(**given), **page}


def decode_audit(event: Event) -> dict[str, Any]:
    """Return the feed's id, `cursor` and `limit`. Errors are as above."""
    return {"feed_id": path_id(event, "feed", takes=PAGE_PARAMETERS), **query_values(event, PAGE_PARAMETERS)}


def decode_action(event: Event) -> dict[str, Any]:
    """Return the feed's id, and `why` if given. Raises NotFound or InvalidInput, which names the field."""
    return {**decode_id(event), **_body(event, ACTION_FIELDS)}


def decode_settings(event: Event) -> dict[str, Any]:
    """Return the same with the settings of the feed. The body must have at least one."""
    given = _read(json_object(event), SETTING_FIELDS)
    if not SETTINGS & given.keys():
        raise InvalidInput(min(SETTINGS), f"expected a setting: {', '.join(sorted(SETTINGS))}")
    return {**decode_id(event), **given}


def decode_undo(event: Event) -> dict[str, Any]:
    """Return the same with the `entry_id` of the relocation to undo, if given."""
    return {**decode_id(event), **_body(event, UNDO_FIELDS)}


def decode_topics(event: Event) -> dict[str, Any]:
    """Return the feed's id, and the names to `approve` and to `reject`: at least one."""
    given = _read(json_object(event), TOPIC_FIELDS)
    if not (given.get("approve") or given.get("reject")):
        raise InvalidInput("approve", "expected topics to approve or to reject")
    return {**decode_id(event), **given}


def decode_bare(event: Event) -> dict[str, Any]:
    """Return the feed's id. A check and a revival have no other parameters."""
    return {**decode_id(event), **_body(event, {})}


def _body(event: Event, fields: Mapping[str, Callable[[object, str], Any]]) -> dict[str, Any]:
    """Return the fields of the body, which may be missing."""
    return _read(json_object(event) if event.get("body") else {}, fields)


def _read(body: Mapping[str, Any], fields: Mapping[str, Callable[[object, str], Any]]) -> dict[str, Any]:
    known_fields(body, fields)
    return {name: fields[name](value, name) for name, value in body.items()}


# --- readers ------------------------------------------------------------------------------------------


def feed_state(value: str, name: str) -> FeedState:
    """Read the state of a feed, as a parameter."""
    return FeedState(choice(value, name, of=tuple(FeedState)))


def _domain(value: str, name: str) -> str:
    """Read a host name, in lower case and ASCII."""
    host = value.strip().rstrip(".")
    is_plain = 0 < len(host) <= DOMAIN_CHARACTERS_AT_MOST and not set("/?#@:\\% \t\r\n") & set(host)
    parsed = parse_url(f"https://{host}/") if is_plain else None
    if parsed is None or not HOST.fullmatch(parsed.hostname):
        raise InvalidInput(name, "expected the name of a host or a domain, such as example.com")
    return str(parsed.hostname)


def _why(value: object, path: str) -> str:
    return text(value, path, at_most=WHY_CHARACTERS_AT_MOST)


def _topics(value: object, path: str) -> tuple[str, ...]:
    return texts(value, path, at_most=TOPICS_AT_MOST, characters=TOPIC_CHARS)


def topic_name(value: str, name: str) -> str:
    """Read the name of a topic, as a parameter. Returns the name of the topic that it means."""
    from feedward.topics.closed_list import normal_topic  # noqa: PLC0415 - few lists are of a topic

    topic = normal_topic(value) if len(value) <= TOPIC_CHARS else None
    if topic is None:
        raise InvalidInput(name, f"expected the name of a topic, at most {TOPIC_CHARS} characters")
    return topic


def topic_as_key(value: str, name: str) -> str:
    """Read the name of a topic as its key in lists."""
    from feedward.topics.closed_list import topic_key  # noqa: PLC0415

    return topic_key(topic_name(value, name))


def _entry_id(value: object, path: str) -> str:
    given = text(value, path, at_most=100)
    if not is_entry_id(given):
        raise InvalidInput(path, "expected the id of an entry of the feed's audit")
    return given


PAGE_PARAMETERS: Final = {"cursor": cursor, "limit": whole_number(1, FEEDS_AT_MOST)}
LIST_PARAMETERS: Final = {
    "state": feed_state,
    "domain": _domain,
    "stale": truth,
    "never_fetched": truth,
    "topic": topic_as_key,
    **PAGE_PARAMETERS,
}
ACTION_FIELDS: Final = {"why": _why}
TOPIC_FIELDS: Final = {"approve": _topics, "reject": _topics, **ACTION_FIELDS}
SETTINGS: Final = frozenset({"collect_items"})
SETTING_FIELDS: Final = {"collect_items": boolean, **ACTION_FIELDS}
UNDO_FIELDS: Final = {**ACTION_FIELDS, "entry_id": _entry_id}


class Page(Protocol):
    """A page of feeds."""

    @property
    def feeds(self) -> Sequence[DirectoryFeed]: ...
    @property
    def cursor(self) -> str | None: ...


class Items(Protocol):
    """The recent items of a feed."""

    @property
    def feed_id(self) -> str: ...
    @property
    def items(self) -> Sequence[RecentItem]: ...


class History(Protocol):
    """A page of a feed's audit log."""

    @property
    def feed_id(self) -> str: ...
    @property
    def entries(self) -> Sequence[AuditEntry]: ...
    @property
    def cursor(self) -> str | None: ...


def encode_feed(feed: DirectoryFeed, *, now: int) -> dict[str, Any]:
    """Return the feed at the time `now`."""
    return {
        "id": feed.feed_id,
        "url": feed.url,
        "is_private": not feed.is_shared,
        "created_at": feed.created_at,
        "collect_items": feed.collect_items,
        **_health(feed, now),
        **_texts(feed),
        "topics": encode_topics(feed),
    }


def encode_listed_feed(feed: DirectoryFeed, *, now: int) -> dict[str, Any]:
    """Return the feed as lists show it: its tokens masked (rule T4), and only its approved topics (rule T2)."""
    topics = [topic for topic in encode_topics(feed) if topic["state"] == "approved"]
    return {**encode_feed(feed, now=now), "url": mask_tokens(feed.url), "topics": topics}


def encode_topics(feed: DirectoryFeed) -> list[dict[str, str]]:
    """Return the topics of a feed with their approval states."""
    return [{"id": topic.id, "name": topic.name, "state": topic.state.value} for topic in feed.topics]


def encode_feeds(page: Page, *, now: int) -> dict[str, Any]:
    """Return a page of feeds, their tokens masked (rule T4), and the cursor of the next page."""
    return {"feeds": [encode_listed_feed(feed, now=now) for feed in page.feeds], "cursor": page.cursor}


def encode_accepted(feed: DirectoryFeed, *, now: int) -> Reply:
    """Return the response to an action on a feed: 202 with the feed after the action."""
    return Reply(document=encode_feed(feed, now=now), status=202, headers={"Location": f"/v1/feeds/{feed.feed_id}"})


def encode_items(found: Items) -> dict[str, Any]:
    """Return the recent items, newest first, each with the time when it was first seen."""
    return {"feed_id": found.feed_id, "items": [_item(each) for each in found.items]}


def encode_audit(found: History) -> dict[str, Any]:
    """Return a page of the audit log, newest first, and the cursor of the next page."""
    from feedward.api.audit_entry import encode_entry  # noqa: PLC0415 - few requests ask for it

    return {
        "feed_id": found.feed_id,
        "entries": [encode_entry(entry) for entry in found.entries],
        "cursor": found.cursor,
    }


def _health(feed: DirectoryFeed, now: int) -> dict[str, Any]:
    health = feed.health
    outcome = health.last_outcome
    kind = OUTCOMES[outcome] if outcome else None
    return {
        "state": health.state.value,
        "stale": feed.is_stale(now),
        "consecutive_failures": health.consecutive_failures,
        "first_failure_at": health.first_failure_at,
        "unhealthy_since": health.unhealthy_since,
        "never_fetched": health.never_fetched,
        "last_success_at": health.last_success_at,
        "last_attempt_at": health.last_attempt_at,
        "last_http_status": health.last_http_status,
        "last_outcome": outcome.value if outcome else None,
        "last_error": kind.says if kind and not kind.is_success else None,
        "last_revival_at": health.last_revival_at,
        "next_check_at": feed.next_check_at(now),
        "check_every_s": feed.check_every_s,
        "push": feed.push,
        "latest_item_published_at": health.latest_item_published_at,
        "avg_update_interval": health.median_gap_s,
    }


def _texts(feed: DirectoryFeed) -> dict[str, Any]:
    texts = feed.texts
    return {
        "title": texts.title,
        "description": texts.description,
        "site_url": texts.site_url,
        "language": texts.language,
        "hub_urls": list(texts.hub_urls),
        "format": texts.format.value if texts.format else None,
        "site_id": feed.site_id,
        "is_canonical": feed.is_canonical,
        "canonical_score": feed.canonical_score,
    }


def _item(each: RecentItem) -> dict[str, Any]:
    item = each.item
    return {
        "id": item.id,
        "url": item.url,
        "title": item.title,
        "published_at": item.published_at,
        "updated_at": item.updated_at,
        "first_seen_at": each.first_seen_at,
    }
