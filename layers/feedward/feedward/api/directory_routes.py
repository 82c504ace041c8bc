"""Routes of feeds, of search and of subscriptions (rule G1)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from feedward.access.caller import Scope
from feedward.api import feeds, subscriptions
from feedward.api import feeds as asked_feeds
from feedward.api import subscriptions as asked_subscriptions
from feedward.api.route import Routes, route
from feedward.api.search_routes import search_routes
from feedward.services.directory import act_on_feed, read_feeds
from feedward.services.subscribe import subscribe


def directory_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of the directory, with a clock."""
    return {**_feed_routes(ports), **search_routes(ports), **_subscription_routes(ports)}


def _feed_routes(ports: Callable[[], Any]) -> Routes:
    serve = partial(route, ports=ports)

    def dated(encode: Callable[..., object]) -> Callable[..., object]:
        """Pass the current time to `encode`: some fields of a feed depend on it."""
        return lambda found: encode(found, now=ports().clock.now())

    by_id, accepted = asked_feeds.decode_id, dated(feeds.encode_accepted)
    action, move = asked_feeds.decode_action, asked_feeds.decode_undo
    return {
        "GET /v1/feeds": serve(Scope.READ, asked_feeds.decode_list, read_feeds.list_feeds, dated(feeds.encode_feeds)),
        "GET /v1/feeds/{id}": serve(Scope.READ, by_id, read_feeds.find_feed, dated(feeds.encode_feed)),
        "PATCH /v1/feeds/{id}": serve(
            Scope.WRITE, asked_feeds.decode_settings, act_on_feed.set_collect_items, dated(feeds.encode_feed)
        ),
        "POST /v1/feeds/{id}/topics": serve(
            Scope.WRITE, asked_feeds.decode_topics, _decide_topics, dated(feeds.encode_feed)
        ),
        "GET /v1/feeds/{id}/items": serve(Scope.READ, by_id, read_feeds.feed_items, feeds.encode_items),
        "GET /v1/feeds/{id}/audit": serve(
            Scope.READ, asked_feeds.decode_audit, read_feeds.feed_audit, feeds.encode_audit
        ),
        "POST /v1/feeds/{id}/pause": serve(Scope.WRITE, action, act_on_feed.pause_feed, accepted),
        "POST /v1/feeds/{id}/resume": serve(Scope.WRITE, action, act_on_feed.resume_feed, accepted),
        "POST /v1/feeds/{id}/check": serve(Scope.WRITE, asked_feeds.decode_check, act_on_feed.check_feed_now, accepted),
        "POST /v1/feeds/{id}/revive": serve(
            Scope.WRITE, asked_feeds.decode_revive, act_on_feed.ask_for_revival, accepted
        ),
        "POST /v1/feeds/{id}/undo": serve(Scope.WRITE, move, act_on_feed.undo_last_move, accepted),
    }


def _decide_topics(*given: Any, **named: Any) -> Any:
    from feedward.services.directory.decide_topics import decide_topics  # noqa: PLC0415 - few requests decide

    return decide_topics(*given, **named)


def _subscription_routes(ports: Callable[[], Any]) -> Routes:
    serve, by_id = partial(route, ports=ports), asked_subscriptions.decode_id
    new, page = asked_subscriptions.decode_new, asked_subscriptions.decode_page
    return {
        "POST /v1/subscriptions": serve(Scope.WRITE, new, subscribe.subscribe, subscriptions.encode_subscribed),
        "GET /v1/subscriptions": serve(
            Scope.READ, page, subscribe.list_subscriptions, subscriptions.encode_subscriptions
        ),
        "GET /v1/subscriptions/{id}": serve(
            Scope.READ, by_id, subscribe.find_subscription, subscriptions.encode_subscription
        ),
        "DELETE /v1/subscriptions/{id}": serve(Scope.WRITE, by_id, subscribe.unsubscribe, subscriptions.encode_deleted),
    }
