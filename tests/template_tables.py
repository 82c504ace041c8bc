"""Makes the tables for tests from template.yaml itself, so that the two cannot drift."""

from __future__ import annotations

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
    resources = template()["Resources"]
    for logical_id in _TABLES:
        properties = resources[logical_id]["Properties"]
        members = {name: properties[name] for name in _MEMBERS if name in properties}
        client.create_table(TableName=prefix + logical_id, **members)
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
