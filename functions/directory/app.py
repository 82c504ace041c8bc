"""The directory function: feeds, subscriptions, frontier and lineage. Each route: decode, one service, encode."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import feedward.cold_start
from feedward import bootstrap
from feedward.http import feeds_request as asked_feeds
from feedward.http import feeds_response as feeds
from feedward.http import frontier_request as asked_frontier
from feedward.http import frontier_response as frontier
from feedward.http import lineage_request as asked_lineage
from feedward.http import lineage_response as lineage
from feedward.http import subscriptions_request as asked_subscriptions
from feedward.http import subscriptions_response as subscriptions
from feedward.http.api import Answer, Api, Event
from feedward.observability import logged
from feedward.services.collect import read_frontier, read_lineage
from feedward.services.collect.start_run import start_run
from feedward.services.directory import act_on_feed, read_feeds
from feedward.services.subscribe import subscribe

TENANT = None  # the deployment's own user, until there are tenants (spec T1)
Route = Callable[[Event, Any], object]


def make_routes(services: Callable[[], bootstrap.Services]) -> Mapping[str, Route]:
    """What may be asked of feeds and of subscriptions."""

    def route(
        decode: Callable[[Event], dict[str, Any]], serve: Callable[..., Any], encode: Callable[..., object]
    ) -> Route:
        """What is decoded are the service's arguments; what it returns is encoded."""
        return lambda event, _context: encode(serve(TENANT, **decode(event), parts=services()))

    def dated(encode: Callable[..., object]) -> Callable[..., object]:
        """What a feed is like depends on when it is asked."""
        return lambda found: encode(found, now=services().clock.now())

    by_id, accepted = asked_feeds.decode_id, dated(feeds.encode_accepted)
    action, move = asked_feeds.decode_action, asked_feeds.decode_undo
    subscription_by_id = asked_subscriptions.decode_id
    return {
        "GET /v1/feeds": route(asked_feeds.decode_list, read_feeds.list_feeds, dated(feeds.encode_feeds)),
        "GET /v1/feeds/{id}": route(by_id, read_feeds.find_feed, dated(feeds.encode_feed)),
        "GET /v1/feeds/{id}/items": route(by_id, read_feeds.feed_items, feeds.encode_items),
        "GET /v1/feeds/{id}/audit": route(asked_feeds.decode_audit, read_feeds.feed_audit, feeds.encode_audit),
        "POST /v1/feeds/{id}/pause": route(action, act_on_feed.pause_feed, accepted),
        "POST /v1/feeds/{id}/resume": route(action, act_on_feed.resume_feed, accepted),
        "POST /v1/feeds/{id}/check": route(asked_feeds.decode_check, act_on_feed.check_feed_now, accepted),
        "POST /v1/feeds/{id}/revive": route(asked_feeds.decode_revive, act_on_feed.ask_for_revival, accepted),
        "POST /v1/feeds/{id}/undo": route(move, act_on_feed.undo_last_move, accepted),
        "POST /v1/subscriptions": route(
            asked_subscriptions.decode_new, subscribe.subscribe, subscriptions.encode_subscribed
        ),
        "GET /v1/subscriptions": route(
            asked_subscriptions.decode_page, subscribe.list_subscriptions, subscriptions.encode_subscriptions
        ),
        "GET /v1/subscriptions/{id}": route(
            subscription_by_id, subscribe.find_subscription, subscriptions.encode_subscription
        ),
        "DELETE /v1/subscriptions/{id}": route(subscription_by_id, subscribe.unsubscribe, subscriptions.encode_deleted),
    }


def make_collect_routes(services: Callable[[], bootstrap.Services]) -> Mapping[str, Route]:
    """What may be asked of the frontier and of what was collected."""

    def route(
        decode: Callable[[Event], dict[str, Any]], serve: Callable[..., Any], encode: Callable[..., object]
    ) -> Route:
        """As above, with the parts of collecting."""
        return lambda event, _context: encode(serve(TENANT, **decode(event), parts=services().collect))

    item = asked_lineage.decode_item_id
    return {
        "POST /v1/frontier": route(
            asked_frontier.decode_submission, read_frontier.submit_urls, frontier.encode_submission
        ),
        "GET /v1/frontier": route(asked_frontier.decode_list, read_frontier.list_rows, frontier.encode_rows),
        "GET /v1/frontier/{id}": route(asked_frontier.decode_id, read_frontier.find_row, frontier.encode_row),
        "POST /v1/runs": route(asked_lineage.decode_run, start_run, lineage.encode_started),
        "GET /v1/runs/{id}": route(asked_lineage.decode_run_id, read_lineage.find_run, lineage.encode_run),
        "GET /v1/items": route(asked_lineage.decode_items, read_lineage.list_items, lineage.encode_items),
        "GET /v1/items/{id}": route(item, read_lineage.find_item, lineage.encode_item),
        "GET /v1/items/{id}/edges": route(item, read_lineage.item_edges, lineage.encode_edges),
        "GET /v1/items/{id}/chain": route(item, read_lineage.item_chain, lineage.encode_chain),
    }


def make_handler(build_services: Callable[[], bootstrap.Services]) -> Callable[[Event, Any], Answer]:
    """A Lambda handler over the services that `build_services` makes, once, when they are first needed."""
    services = functools.cache(build_services)
    return logged(Api({**make_routes(services), **make_collect_routes(services)}, services).answer)


handler = make_handler(bootstrap.services)
feedward.cold_start.finish()
