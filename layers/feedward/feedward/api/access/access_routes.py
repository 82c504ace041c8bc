"""Routes of keys, quotas and tenants (rules G1, AK7, TN11). The first request of a group loads its modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from feedward.access.caller import Caller, Scope
from feedward.api.route import Route, Routes, later, route

# A key of any scope may end itself (rule AK9). The service decides which other keys it may end.
_KEYS: Final = {
    "POST /v1/keys": Scope.ADMIN,
    "GET /v1/keys": Scope.ADMIN,
    "POST /v1/keys/{id}/rotate": Scope.ADMIN,
    "DELETE /v1/keys/{id}": Scope.READ,
}
_OWN: Final = object()


def key_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of keys."""
    return later(_KEYS, partial(_key_routes, ports))


def keys_by_hand(ports: Callable[[], Any]) -> Mapping[str, Route]:
    """Return the operations for direct invocation: those of the API, which here may also revoke the last admin key."""
    return _key_routes(ports, keep_an_admin=False)


def _key_routes(ports: Callable[[], Any], *, keep_an_admin: bool = True) -> Mapping[str, Route]:
    from feedward.api.access import keys  # noqa: PLC0415
    from feedward.services.access import manage_keys  # noqa: PLC0415

    revoke = partial(manage_keys.revoke_key, keep_an_admin=keep_an_admin)
    parts: Mapping[str, tuple[Any, Any, Any]] = {
        "POST /v1/keys": (keys.decode_new, manage_keys.create_key, keys.encode_made),
        "GET /v1/keys": (keys.decode_list, manage_keys.list_keys, keys.encode_keys),
        "POST /v1/keys/{id}/rotate": (keys.decode_rotation, manage_keys.rotate_key, keys.encode_made),
        "DELETE /v1/keys/{id}": (keys.decode_id, revoke, keys.encode_revoked),
    }

    def made(name: str) -> Route:
        decode, serve, encode = parts[name]
        dated = lambda found: encode(found, now=ports().clock.now())  # noqa: E731
        return route(_KEYS[name], decode, partial(_of_tenant, serve), dated, ports)

    return {name: made(name) for name in parts}


def _of_tenant(serve: Callable[..., Any], caller: Caller, *, tenant_id: Any = _OWN, **given: Any) -> Any:
    """Call the service for the named tenant, by default the caller's own."""
    return serve(caller, tenant_id=caller.tenant_id if tenant_id is _OWN else tenant_id, **given)


_QUOTAS: Final = {
    "GET /v1/quotas": Scope.READ,
    "GET /v1/quotas/{tenant}": Scope.OPERATOR,
    "PATCH /v1/quotas/{tenant}": Scope.OPERATOR,
}


def quota_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the meter and the counters."""
    return later(_QUOTAS, partial(_quota_routes, ports))


def _quota_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api.access import tenants  # noqa: PLC0415
    from feedward.services.quotas import read_quotas  # noqa: PLC0415

    steps: Mapping[str, tuple[Any, Any]] = {
        "GET /v1/quotas": (tenants.decode_none, read_quotas.own_quotas),
        "GET /v1/quotas/{tenant}": (tenants.decode_tenant, read_quotas.quotas_of),
        "PATCH /v1/quotas/{tenant}": (tenants.decode_limits, read_quotas.set_quotas),
    }
    return {name: route(_QUOTAS[name], *two, tenants.encode_quotas, ports) for name, two in steps.items()}


_TENANTS: Final = ("GET /v1/tenants", "DELETE /v1/tenants/{id}")


def tenant_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of tenants."""
    return later(dict.fromkeys(_TENANTS, Scope.OPERATOR), partial(tenants_by_hand, ports))


def tenants_by_hand(ports: Callable[[], Any]) -> Mapping[str, Route]:
    """Return the operations for direct invocation: those of the API."""
    from feedward.api.access import tenants  # noqa: PLC0415
    from feedward.services.access import delete_tenant as served  # noqa: PLC0415

    parts: Mapping[str, tuple[Any, Any, Any]] = {
        "GET /v1/tenants": (tenants.decode_page, served.list_tenants, tenants.encode_tenants),
        "DELETE /v1/tenants/{id}": (tenants.decode_id, served.delete_and_begin, tenants.encode_deletion),
    }
    return {name: route(Scope.OPERATOR, *three, ports) for name, three in parts.items()}
