"""A feed as the API shows it, and the filters and cursors of feed lists (rule D12). Pure data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from feedward.access.ownership import is_shared, is_visible
from feedward.health.cadence import Freshness, freshness
from feedward.health.feed_health import FeedHealth
from feedward.health.feed_texts import FeedTexts
from feedward.model import FeedState
from feedward.scheduling.slots import Place

if TYPE_CHECKING:  # a feed without topics does not load the closed list
    from feedward.topics.feed_topics import FeedTopics


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryFeed:
    """A feed that is not merged. Times are epoch seconds.

    `owner` is the tenant of a private feed, None for a shared one. `place` is its due time, None for a paused feed.
    `site_id` is the site whose discovery chose it, `canonical_score` its score there. If `collect_items` is set, the
    links of its new items go to the frontier. `push` is the trust in its pushes. `topics` have their states; only
    approved ones are listed and searched (rule T2).
    """

    feed_id: str
    url: str
    host: str
    rev: int
    health: FeedHealth
    owner: str | None = None
    place: Place | None = None
    created_at: int | None = None
    collect_items: bool = False
    texts: FeedTexts = field(default_factory=FeedTexts)
    site_id: str | None = None
    is_canonical: bool = False
    canonical_score: int | None = None
    push: str = "none"
    topics: FeedTopics = ()

    def next_check_at(self, now: int) -> int | None:
        """Return when the feed is checked next, or None for a paused feed."""
        return self.place.next_at(now) if self.place else None

    @property
    def check_every_s(self) -> int | None:
        """The check interval in seconds; None for a feed that is due by exception, or paused."""
        return self.place.slot.every_s if self.place and self.place.slot else None

    def is_stale(self, now: int) -> bool:
        """Return whether the feed is stale now (rule H4). The stored flag is only as recent as the last check."""
        health = self.health
        return freshness(health.latest_item_published_at, health.median_gap_s, now) is Freshness.STALE

    def has_topic(self, key: str) -> bool:
        """Return whether the topic with this key is approved."""
        return any(topic.key == key for topic in self.topics if topic.state == "approved")

    def is_visible_to(self, tenant_id: str | None) -> bool:
        """Return whether the tenant may see the feed: only its owner sees a private feed (rule I8)."""
        return is_visible(tenant_id, owner=self.owner, url=self.url)

    @property
    def is_shared(self) -> bool:
        """True for a feed of the shared directory, which all tenants see."""
        return is_shared(owner=self.owner, url=self.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedQuery:
    """The filters of a feed list; None does not filter. `domain` is a host and includes its subdomains.

    `topic` is the key of a topic (topics/closed_list.py): feeds for which it is approved.
    """

    state: FeedState | None = None
    domain: str | None = None
    stale: bool | None = None
    topic: str | None = None
    never_fetched: bool | None = None

    @property
    def takes_all(self) -> bool:
        """Return whether no index narrows the list: no index has staleness, or who was fetched."""
        return self.state is None and self.domain is None and self.topic is None

    def wants(self, feed: DirectoryFeed, now: int) -> bool:
        """Return whether the current feed matches. An index is eventually consistent, so its own match may be old."""
        return (
            self.state in (None, feed.health.state)
            and (self.domain is None or f".{feed.host}".endswith(f".{self.domain}"))
            and self.stale in (None, feed.is_stale(now))
            and self.never_fetched in (None, feed.health.never_fetched)
            and (self.topic is None or feed.has_topic(self.topic))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPlace:
    """A cursor in a list of feeds: the shard, and the last feed returned.

    A shard beyond those of the list stands for another tenant's feed, which is skipped.
    """

    shard: int
    feed_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An entry of an index: the current feed, or None if it was merged or no longer exists.

    `is_last`: the list ends with it.
    """

    place: ListPlace
    feed: DirectoryFeed | None
    is_last: bool
