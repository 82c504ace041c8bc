"""A feed to register, and the result of that. Only a registration loads it: most lookups make none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from feedward.model import FeedFormat, Item, Validators

if TYPE_CHECKING:
    from feedward.topics.feed_topics import FeedTopics


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFeed:
    """A feed to register: its canonical URL, proven by fetching, all verified aliases, and its first document.

    `url` is registered whether or not `aliases` contains it. The caller creates `feed_id`, a ULID, which serves as the
    idempotency key of a retry. Times are whole epoch seconds. `median_gap_s` is the median gap between its items and
    `hint_s` the interval that it asks for (rule H3), or None if unknown. `site_id` is the site whose discovery chose
    it, `canonical_score` its score there. `validators_url` sent the validators, if it is not `url`. `items` and
    `signature` (feeds/signature.py) are those of its first document. `topics` are suggested, or approved by a seed.
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
    validators_url: str | None = None
    site_id: str | None = None
    is_canonical: bool = False
    canonical_score: int | None = None
    items: tuple[Item, ...] = field(default=(), repr=False)
    signature: str | None = None
    topics: FeedTopics = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """The result of a registration: the feed that owns the URLs, its canonical URL, and whether this call created
    it.
    """

    feed_id: str
    url: str
    created: bool
