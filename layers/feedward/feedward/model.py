"""The data types that all packages share. Pure data without behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """The outcome of one fetch: the closed set of rule H1."""

    OK = "ok"
    NOT_MODIFIED = "not_modified"
    UNEXPECTED_304 = "unexpected_304"
    EMPTY_BODY = "empty_body"
    NOT_FEED = "not_feed"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    CHALLENGE = "challenge"
    NOT_FOUND = "not_found"
    GONE = "gone"
    LEGAL = "legal"
    RATE_LIMITED = "rate_limited"
    TIMEOUT_STATUS = "timeout_status"
    CLIENT_ERROR = "client_error"
    SERVER_ERROR = "server_error"
    UNEXPECTED_STATUS = "unexpected_status"
    BAD_REDIRECT = "bad_redirect"
    REDIRECT_LOOP = "redirect_loop"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    BLOCKED = "blocked"
    BAD_URL = "bad_url"
    DNS_ERROR = "dns_error"
    CONNECT_ERROR = "connect_error"
    TIMEOUT = "timeout"
    CONNECTION_RESET = "connection_reset"
    TLS_ERROR = "tls_error"
    TRUNCATED = "truncated"
    BAD_ENCODING = "bad_encoding"
    TOO_LARGE = "too_large"
    BAD_RESPONSE = "bad_response"
    GENERATOR_ERROR = "generator_error"


# --- fetching -------------------------------------------------------------------------------------

REFUSING_STATUSES = frozenset({402, 403, 406, 418, 999})
"""Statuses with which a server refuses the client: other clients may be able to read the URL (rule H1)."""


class Wanted(StrEnum):
    """The content that a request asks for, which decides its Accept header (rule H1)."""

    FEED = "feed"
    PAGE = "page"
    """A page that is collected, or searched for feeds."""
    RULES = "rules"
    """A robots.txt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """A server's validators for conditional GET, verbatim (rule H7)."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One redirect that was followed: the requested URL and its status."""

    url: str
    status: int

    @property
    def permanent(self) -> bool:
        """True for 301 and 308, the only redirects that may replace a stored URL (rule F2)."""
        return self.status in (301, 308)


LONGEST_RETRY_AFTER_S = 7 * 24 * 3600
"""The longest Retry-After that counts (rule N8)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchResult:
    """One fetch with all its redirects (rules H1, F1). `outcome` is `ok` if a complete 2xx body arrived.

    `url` is the last requested URL, serialized and without fragment. `requests` counts the requests sent.
    Header names are lower case. `retry_after_s` is whole seconds, capped at 7 days, on 429 and 503.
    `detail` is for people and never names a private address.

    Both times of a host's cooldown are epoch seconds. `held_back_until` is set if the last request, for `url`, was not
    sent because of the cooldown. `cooldown_until` is set if it was sent anyway, because a person waits for the answer.
    """

    outcome: Outcome
    url: str
    status: int | None = None
    hops: tuple[Hop, ...] = ()
    requests: int = 0
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)
    retry_after_s: int | None = None
    validators: Validators = field(default_factory=Validators)
    detail: str = ""
    held_back_until: int | None = None
    cooldown_until: int | None = None

    @property
    def content_type(self) -> str | None:
        """The Content-Type header as sent: a hint only (rule P1)."""
        return self.headers.get("content-type")


# --- feed documents -------------------------------------------------------------------------------


class FeedFormat(StrEnum):
    """The family of a feed document, by its root element."""

    RSS = "rss"
    ATOM = "atom"
    RDF = "rdf"
    JSON_FEED = "jsonfeed"


class RejectionReason(StrEnum):
    """Why a document is rejected as a feed."""

    EMPTY = "empty"
    NOT_A_FEED = "not_a_feed"
    HTML = "html"
    MALFORMED = "malformed"
    ENTITY_DECLARATION = "entity_declaration"
    TOO_DEEP = "too_deep"
    TOO_COMPLEX = "too_complex"
    UNSUPPORTED_ENCODING = "unsupported_encoding"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One entry of a feed. Texts are plain (rule P1); times are whole epoch seconds, UTC.

    `id_is_link` is true for an item of a document that has no id of its own. It is not stored.
    """

    id: str | None = None
    url: str | None = None
    title: str | None = None
    published_at: int | None = None
    updated_at: int | None = None
    id_is_link: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A parsed feed document (rule P1). URLs are as written, with xml:base applied; texts are plain.

    `repairs` names the repairs that were needed, in order. `truncated` is true if the document ended early; it then has
    only its complete items. `categories` are the feed's own, `item_categories` those of each of the last 20 items.
    """

    format: FeedFormat
    title: str | None = None
    description: str | None = None
    site_url: str | None = None
    self_url: str | None = None
    hub_urls: tuple[str, ...] = ()
    language: str | None = None
    ttl: str | None = None
    update_period: str | None = None
    update_frequency: str | None = None
    update_base: str | None = None
    new_feed_url: str | None = None
    categories: tuple[str, ...] = ()
    item_categories: tuple[tuple[str, ...], ...] = ()
    items: tuple[Item, ...] = ()
    repairs: tuple[str, ...] = ()
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A document that is not a feed, and why."""

    reason: RejectionReason
    detail: str = ""


# --- the directory --------------------------------------------------------------------------------


class FeedState(StrEnum):
    """The health of a feed (rule H2). `stale` is a separate flag, not a state."""

    HEALTHY = "healthy"
    DEGRADED = "degraded"
    UNHEALTHY = "unhealthy"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The result of `exists` (rule C10): the stored feed's canonical URL and the caller's own data about it.

    `is_failing`: the last check of that URL failed, so another spelling that works may take its place (rule H6).
    """

    url: str
    is_failing: bool = False
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxEntry:
    """An event in the outbox, stored until the bus accepts it (rule I7). `entry_id` is a ULID.

    `detail` is the event's detail. `feed_id` is the feed that it is about; empty for an event of a subscription.
    """

    feed_id: str
    entry_id: str
    detail_type: str
    detail: Mapping[str, Any]
