"""Routes of webhooks, for a tenant's admin (rules G1, TN12). Their first request loads their modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from feedward.access.caller import Scope
from feedward.api.route import Route, Routes, later, route

_NAMES: Final = (
    "POST /v1/webhooks",
    "GET /v1/webhooks",
    "GET /v1/webhooks/{id}",
    "PATCH /v1/webhooks/{id}",
    "DELETE /v1/webhooks/{id}",
    "POST /v1/webhooks/{id}/rotate",
    "POST /v1/webhooks/{id}/test",
    "POST /v1/webhooks/{id}/replay",
    "GET /v1/webhooks/{id}/deliveries",
    "POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver",
)


def webhook_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of webhooks."""
    return later(dict.fromkeys(_NAMES, Scope.ADMIN), partial(_routes, ports))


def _routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api.webhooks import webhooks as said  # noqa: PLC0415
    from feedward.services.webhooks import manage, send_again  # noqa: PLC0415

    parts: tuple[tuple[Any, Any, Any], ...] = (
        (said.decode_new, manage.create_webhook, said.encode_created),
        (said.decode_none, manage.list_webhooks, said.encode_webhooks),
        (said.decode_id, manage.find_webhook, said.encode_webhook),
        (said.decode_change, manage.change_webhook, said.encode_webhook),
        (said.decode_id, manage.delete_webhook, said.encode_deleted),
        (said.decode_act, manage.rotate_secret, said.encode_rotated),
        (said.decode_act, manage.send_test_event, said.encode_sent),
        (said.decode_replay, send_again.replay_since, said.encode_replay),
        (said.decode_attempts, send_again.list_attempts, said.encode_attempts),
        (said.decode_redelivery, send_again.redeliver, said.encode_sent),
    )
    return {name: route(Scope.ADMIN, *three, ports) for name, three in zip(_NAMES, parts, strict=True)}
