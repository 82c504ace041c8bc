"""Routes of the frontier and of the lineage (rule G1)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from feedward.access.caller import Scope
from feedward.api import frontier, lineage
from feedward.api import frontier as asked_frontier
from feedward.api import lineage as asked_lineage
from feedward.api.route import Routes, route
from feedward.services.collect import read_frontier, read_lineage
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.start_run import start_run


def collect_routes(ports: Callable[[], CollectPorts]) -> Routes:
    """Return the routes by "METHOD /path"."""
    return {**_frontier_routes(ports), **_lineage_routes(ports)}


def _frontier_routes(ports: Callable[[], CollectPorts]) -> Routes:
    serve, submission = partial(route, ports=ports), asked_frontier.decode_submission
    return {
        "POST /v1/frontier": serve(Scope.WRITE, submission, read_frontier.submit_urls, frontier.encode_submission),
        "GET /v1/frontier": serve(
            Scope.READ, asked_frontier.decode_list, read_frontier.list_rows, frontier.encode_rows
        ),
        "GET /v1/frontier/{id}": serve(
            Scope.READ, asked_frontier.decode_id, read_frontier.find_row, frontier.encode_row
        ),
    }


def _lineage_routes(ports: Callable[[], CollectPorts]) -> Routes:
    serve, by_id = partial(route, ports=ports), asked_lineage.decode_item_id
    return {
        "POST /v1/runs": serve(Scope.WRITE, asked_lineage.decode_run, start_run, lineage.encode_started),
        "GET /v1/runs": serve(Scope.READ, asked_lineage.decode_runs, read_lineage.list_runs, lineage.encode_runs),
        "GET /v1/runs/{id}": serve(Scope.READ, asked_lineage.decode_run_id, read_lineage.find_run, lineage.encode_run),
        "GET /v1/items": serve(Scope.READ, asked_lineage.decode_items, read_lineage.list_items, lineage.encode_items),
        "GET /v1/items/{id}": serve(Scope.READ, by_id, read_lineage.find_item, lineage.encode_item),
        "GET /v1/items/{id}/edges": serve(Scope.READ, by_id, read_lineage.item_edges, lineage.encode_edges),
        "GET /v1/items/{id}/chain": serve(Scope.READ, by_id, read_lineage.item_chain, lineage.encode_chain),
    }
