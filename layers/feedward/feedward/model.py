"""The words of the rules: what flows between the parts. Pure data, no behaviour beyond small facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """How one fetch ended: the closed set of rule H1. Every consumer has one row for each."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """What a server gave to ask "has it changed?" with, verbatim (rule H7)."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One redirect that was followed: the URL asked and the status it answered with."""

    url: str
    status: int

    @property
    def permanent(self) -> bool:
        """True for 301 and 308: the only ones that may replace a stored URL (rule F2)."""
        return self.status in (301, 308)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchResult:
    """One fetch with all its redirects (rules H1, F1). `outcome` is `ok` when a whole 2xx body with_arrival.

    `url` is the last URL asked, as serialized and without fragment. `requests` counts what was sent.
    Header names are lower case. `retry_after_s` is whole seconds, capped at 7 days, on 429 and 503.
    `detail` is for people and never names a private address.

    Epoch seconds of a host's cooldown: `held_back_until` where the last request was not sent because of it (`url` is
    what was not asked), `cooldown_until` where it was sent all the same, for a person waits for the answer.
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
    """Why a document is not taken as a feed."""

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
    """One entry of a feed. Texts are plain (rule P1); times are whole epoch seconds, UTC."""

    id: str | None = None
    url: str | None = None
    title: str | None = None
    published_at: int | None = None
    updated_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A parsed feed document (rule P1). URLs stand as written, xml:base applied; texts are plain.

    `repairs` names what had to be mended, in order; `truncated` says that the document ended early
    and only its complete items are here.
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
    items: tuple[Item, ...] = ()
    repairs: tuple[str, ...] = ()
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A document that is no feed, and why."""

    reason: RejectionReason
    detail: str = ""


# --- the directory --------------------------------------------------------------------------------


class FeedState(StrEnum):
    """Health of a feed (rule H2). `stale` is a flag beside it, not a state."""

    HEALTHY = "healthy"
    DEGRADED = "degraded"
    UNHEALTHY = "unhealthy"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Answer of `exists` (rule C10): the stored feed's canonical URL and what the caller keeps about it."""

    url: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFeed:
    """What Register needs: a canonical URL proven by fetching, all verified aliases, and the first document.

    `url` is among the hashed URLs whether or not `aliases` names it. `feed_id` is a ULID made by the caller,
    so that a retry of the same call is the same operation. Times are whole epoch seconds. `median_gap_s` is the median
    gap between its items and `hint_s` the interval that it asks for itself (rule H3), where they are known. `site_id`
    is the site whose discovery chose it, `canonical_score` its score there. `items` are its first document's, and
    `signature` is that document's (feeds/signature.py).
    """

    feed_id: str
    url: str
    aliases: tuple[str, ...]
    now: int
    title: str | None = None
    description: str | None = None
    site_url: str | None = None
    language: str | None = None
    hub_urls: tuple[str, ...] = ()
    format: FeedFormat | None = None
    http_status: int | None = None
    validators: Validators = field(default_factory=Validators)
    content_hash: str | None = None
    latest_item_published_at: int | None = None
    median_gap_s: int | None = None
    hint_s: int | None = None
    scope: str = ""
    site_id: str | None = None
    is_canonical: bool = False
    canonical_score: int | None = None
    items: tuple[Item, ...] = field(default=(), repr=False)
    signature: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """Result of Register: the feed that now owns the URLs, whether this call made it, and its canonical URL."""

    feed_id: str
    url: str
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxEntry:
    """An event that is stored until the bus has it (rule I7). `entry_id` is a ULID, `detail` the event's own detail.

    `feed_id` is the feed that owes it; empty for an event of a subscription.
    """

    feed_id: str
    entry_id: str
    detail_type: str
    detail: Mapping[str, Any]
