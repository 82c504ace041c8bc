"""Due entries at hosts, for tests of the common rules of feeds and rows."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from feedward.frontier.messages import CollectMessage, row_pace
from feedward.frontier.settings import FrontierSettings
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.health.feed_health import FeedHealth
from feedward.scheduling.message_plan import Pace
from feedward.scheduling.messages import WorkMessage
from feedward.scheduling.slots import Place
from feedward.services.sweep.sweep import FEED_PACE
from tests.unit.frontier.rows import NOW, row_of


def due_feed(url: str, **members: Any) -> DueFeed:
    """A feed of this URL, which names it, due 5 s before NOW."""
    given: dict[str, Any] = {"health": FeedHealth(feed_id=url), "place": Place(from_s=NOW - 5), "rev": 3, **members}
    return DueFeed(feed_id=url, url=url, url_hash=f"hash of {url}", host=_host(url), **given)


@dataclass(frozen=True)
class Kind:
    """A kind of entries: how to make one from a URL, the name of its message, and its pace."""

    make: Callable[..., Any]
    message: type[WorkMessage[Any]]
    pace: Pace[Any]

    def of_host(self, host: str, count: int) -> list[Any]:
        """So many entries of a host."""
        return [_made(self.make, f"https://{host}/{n}") for n in range(count)]


FEEDS = Kind(due_feed, HealthMessage, FEED_PACE)
ROWS = Kind(row_of, CollectMessage, row_pace(FrontierSettings(host_pause_s=1.0)))
EACH_KIND = pytest.mark.parametrize("kind", [pytest.param(FEEDS, id="feeds"), pytest.param(ROWS, id="rows")])


@functools.lru_cache(maxsize=20_000)
def _made(make: Callable[..., Any], url: str) -> Any:
    """Values that properties request repeatedly are made once."""
    return make(url)


def _host(url: str) -> str:
    return url.split("/")[2]
