"""Routes of the frontier and of the lineage (rule G1). The first request of a group loads its modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from feedward.access.caller import Scope
from feedward.api.route import Route, Routes, later, route

if TYPE_CHECKING:
    from feedward.services.collect.ports import CollectPorts

_FRONTIER: Final = {
    "POST /v1/frontier": Scope.WRITE,
    "GET /v1/frontier": Scope.READ,
    "GET /v1/frontier/{id}": Scope.READ,
}
_LINEAGE: Final = {
    "POST /v1/runs": Scope.WRITE,
    "GET /v1/runs": Scope.READ,
    "GET /v1/runs/{id}": Scope.READ,
    "GET /v1/items": Scope.READ,
    "GET /v1/items/{id}": Scope.READ,
    "GET /v1/items/{id}/edges": Scope.READ,
    "GET /v1/items/{id}/chain": Scope.READ,
}


def collect_routes(ports: Callable[[], CollectPorts]) -> Routes:
    """Return the routes by "METHOD /path"."""
    return {
        **later(_FRONTIER, partial(_frontier_routes, ports)),
        **later(_LINEAGE, partial(_lineage_routes, ports)),
    }


def _frontier_routes(ports: Callable[[], CollectPorts]) -> Mapping[str, Route]:
    from feedward.api import frontier  # noqa: PLC0415
    from feedward.services.collect import read_frontier  # noqa: PLC0415

    steps: Mapping[str, tuple[Any, Any, Any]] = {
        "POST /v1/frontier": (frontier.decode_submission, read_frontier.submit_urls, frontier.encode_submission),
        "GET /v1/frontier": (frontier.decode_list, read_frontier.list_rows, frontier.encode_rows),
        "GET /v1/frontier/{id}": (frontier.decode_id, read_frontier.find_row, frontier.encode_row),
    }
    return {name: route(_FRONTIER[name], *three, ports) for name, three in steps.items()}


def _lineage_routes(ports: Callable[[], CollectPorts]) -> Mapping[str, Route]:
    from feedward.api import lineage  # noqa: PLC0415
    from feedward.services.collect import read_lineage  # noqa: PLC0415
    from feedward.services.collect.start_run import start_run  # noqa: PLC0415

    by_id = lineage.decode_item_id
    steps: Mapping[str, tuple[Any, Any, Any]] = {
        "POST /v1/runs": (lineage.decode_run, start_run, lineage.encode_started),
        "GET /v1/runs": (lineage.decode_runs, read_lineage.list_runs, lineage.encode_runs),
        "GET /v1/runs/{id}": (lineage.decode_run_id, read_lineage.find_run, lineage.encode_run),
        "GET /v1/items": (lineage.decode_items, read_lineage.list_items, lineage.encode_items),
        "GET /v1/items/{id}": (by_id, read_lineage.find_item, lineage.encode_item),
        "GET /v1/items/{id}/edges": (by_id, read_lineage.item_edges, lineage.encode_edges),
        "GET /v1/items/{id}/chain": (by_id, read_lineage.item_chain, lineage.encode_chain),
    }
    return {name: route(_LINEAGE[name], *three, ports) for name, three in steps.items()}
