"""A feed gets another spelling of its URL, which a registration proved (rule H6): a relocation within one key."""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.feeds.relocation import move
from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import Conflict
from feedward.health.relocation import FeedMove, MoveOutcome
from feedward.health.spellings import return_to
from feedward.urls.key import key_or_text

_ROUNDS: Final = 20


def respell(tables: Tables, feed_id: str, url: str, now: int) -> str:
    """Implement ports.FeedStore.respell."""
    for _ in range(_ROUNDS):
        feed = live_feed(tables, feed_id)
        if feed is None or key_or_text(feed["url"]) != key_or_text(url):
            return url if feed is None else str(feed["url"])
        result = move(tables, _respelling(feed, url, now))
        if result.outcome is not MoveOutcome.CHANGED:
            return result.url
    raise Conflict("the feed kept changing")


def _respelling(feed: Item, url: str, now: int) -> FeedMove:
    return FeedMove(
        feed_id=feed["feed_id"],
        url=feed["url"],
        to=url,
        seen_rev=feed["rev"],
        reason=return_to(feed["url"], url, url).reason,
        by="register",
        now=now,
        why="this spelling was requested, and it works",
    )
