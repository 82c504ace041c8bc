"""Makes the tables for tests from template.yaml itself, so that the two cannot drift."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from feedward.adapters.dynamodb.store.keys import TableNames

TEMPLATE = Path(__file__).parents[1] / "template.yaml"
_TABLES = (
    "UrlsTable",
    "FeedsTable",
    "SitesTable",
    "StateTable",
    "TenantsTable",
    "FrontierTable",
    "LineageTable",
    "WebhooksTable",
    "KeysTable",
)
# The definition of a table, without the protection of a deployed one.
_MEMBERS = ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "BillingMode")


class _CloudFormationLoader(yaml.CSafeLoader):
    """YAML with the short forms of CloudFormation's functions, which are kept as nothing but their arguments."""


def _intrinsic(loader: yaml.CSafeLoader, _: str, node: yaml.Node) -> Any:
    match node:
        case yaml.ScalarNode():
            return loader.construct_scalar(node)
        case yaml.SequenceNode():
            return loader.construct_sequence(node, deep=True)
        case yaml.MappingNode():
            return loader.construct_mapping(node, deep=True)


_CloudFormationLoader.add_multi_constructor("!", _intrinsic)


@cache
def template() -> dict[str, Any]:
    """Return template.yaml as plain data."""
    loaded: dict[str, Any] = yaml.load(TEMPLATE.read_text(), Loader=_CloudFormationLoader)
    return loaded


def create_tables(client: Any, prefix: str = "") -> TableNames:
    """Create the template's tables with their indexes, named `prefix` + logical id."""
    for logical_id in _TABLES:
        client.create_table(TableName=prefix + logical_id, **_definition(logical_id))
    return _names(prefix)


def _definition(logical_id: str) -> dict[str, Any]:
    properties = template()["Resources"][logical_id]["Properties"]
    return {name: properties[name] for name in _MEMBERS if name in properties}


def _names(prefix: str) -> TableNames:
    return TableNames(
        urls=f"{prefix}UrlsTable",
        feeds=f"{prefix}FeedsTable",
        sites=f"{prefix}SitesTable",
        state=f"{prefix}StateTable",
        tenants=f"{prefix}TenantsTable",
        frontier=f"{prefix}FrontierTable",
        lineage=f"{prefix}LineageTable",
        webhooks=f"{prefix}WebhooksTable",
        keys=f"{prefix}KeysTable",
    )


class TablesOnDemand:
    """A client that creates each of the template's tables before its first call: most tests use two or three."""

    def __init__(self, client: Any, prefix: str) -> None:
        self._client, self._prefix = client, prefix
        self.names = _names(prefix)
        self._missing = set(_TABLES)
        self._lock = threading.Lock()

    def __getattr__(self, operation: str) -> Any:
        method = getattr(self._client, operation)

        def call(**request: Any) -> Any:
            if self._missing:
                for table in _tables_of(request):
                    self._create(table.removeprefix(self._prefix))
            return method(**request)

        return call

    def _create(self, logical_id: str) -> None:
        with self._lock:
            if logical_id in self._missing:
                self._client.create_table(TableName=self._prefix + logical_id, **_definition(logical_id))
                self._missing.remove(logical_id)


def _tables_of(request: Mapping[str, Any]) -> Iterator[str]:
    """The tables that a call names: for itself, of a batch, or of the parts of a transaction."""
    if "TableName" in request:
        yield request["TableName"]
    yield from request.get("RequestItems", ())
    for each in request.get("TransactItems", ()):
        yield from (part["TableName"] for part in each.values())
