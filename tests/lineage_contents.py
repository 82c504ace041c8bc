"""The contents of LineageTable, in plain words, for tests: past the store's own reads."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any

from feedward.adapters.dynamodb.store.codec import Item
from feedward.lineage.run import Counters
from tests.store_contents import StoreContents


class LineageContents:
    """A view of LineageTable."""

    def __init__(self, contents: StoreContents, rows: Sequence[Item] | None = None) -> None:
        """`rows` are all rows of the table, if they were read already."""
        self._contents, self._rows = contents, rows
        self.names = contents.names

    def now(self) -> LineageContents:
        """The current contents, read once for all questions."""
        return self if self._rows is not None else LineageContents(self._contents, self._contents.lineage())

    def rows(self, pk: str = "", sk: str = "") -> list[Item]:
        """All rows with this prefix of their keys."""
        rows = self._contents.lineage() if self._rows is None else self._rows
        return [row for row in rows if row["pk"].startswith(pk) and row["sk"].startswith(sk)]

    def items(self) -> dict[str, Item]:
        """All items, by their ids."""
        return {row["item_id"]: row for row in self.rows("ITEM#", "ITEM")}

    def edges(self) -> dict[tuple[str, str], Item]:
        """All edges, (newer, older) -> the row under the newer item."""
        return {(row["newer"], row["older"]): row for row in self.rows("ITEM#", "SUPERSEDES#")}

    def duplicate_fetches(self, run_id: str = "") -> list[Item]:
        """The duplicate fetches of a run, or of all, in the lists of their items."""
        rows = self.rows(f"RUN#{run_id}", "URL#")
        return [row for row in rows if row.get("list_shard") == f"SEEN#{row['item_id']}"]

    def heads(self) -> list[Item]:
        """All heads."""
        return self.rows("HEAD#")

    def counters(self, run_id: str) -> Counters:
        """A run's counters, added up."""
        rows = self.rows(f"RUN#{run_id}", "COUNT#")
        return Counters(**{name.name: sum(row.get(name.name, 0) for row in rows) for name in fields(Counters)})

    def done(self, run_id: str) -> Counters:
        """The work of a run, counted from its items, duplicate fetches and edges; without work that leaves no trace."""
        there = self.now()
        items = {item_id for item_id, item in there.items().items() if item["run_id"] == run_id}
        edges = [edge for (newer, _), edge in there.edges().items() if newer in items]
        return Counters(
            items=len(items),
            sightings=len(there.duplicate_fetches(run_id)),
            superseded=len(edges),
            conflicts=sum(edge["metadata"]["conflict_resolved"] for edge in edges),
        )

    def faults_of_lineage(self) -> list[str]:
        """Violations of the rules of lineage: two heads, forks, cycles, edges between versions, metadata that is not
        true.
        """
        there = self.now()
        items, edges = there.items(), there.edges()
        backwards = {(row["newer"], row["older"]): row for row in there.rows("ITEM#", "SUPERSEDED_BY#")}
        faults = [] if _plain(backwards) == _plain(edges) else ["edges that are there in one direction only"]
        for (newer, older), edge in edges.items():
            faults += _faults_of_edge(items[newer], items[older], edge)
        matches = {newer: edge["metadata"] for (newer, _), edge in edges.items()}
        if len(matches) < len(edges):
            faults.append("an item that supersedes two")
        for kind in ("canonical_uri", "content_sha256"):
            faults += there._faults_of_chains(kind, matches)
        same = Counter(map(_said_and_where, items.values()))
        faults += [f"{number} items of one URI and content" for number in same.values() if number > 1]
        return faults

    def _faults_of_chains(self, kind: str, matches: dict[str, Item]) -> list[str]:
        """Each item's match must be the one before it: then there is one chain, and one head at its end."""
        faults = []
        heads = {(row["item_id"], row["rev"]) for row in self.heads() if kind not in row}
        for chain in _chains(self.items().values(), kind):
            for before, item in pairwise([None, *chain]):
                met = matches.get(item["item_id"], {}).get(f"{kind}_match") if item else None
                if item and met != (before["item_id"] if before else None):
                    faults.append(f"{item['item_id']} met {met} by its {kind}")
                if item and before and item["created_at_ms"] <= before["created_at_ms"]:
                    faults.append(f"{item['item_id']} is as old as what it met")
            if (chain[-1]["item_id"], len(chain)) not in heads:
                faults.append(f"{chain[-1]['item_id']} is no head of its {kind}")
        if len(heads) != len(_chains(self.items().values(), kind)):
            faults.append(f"there are {len(heads)} heads by {kind}")
        return faults


def _said_and_where(item: Item) -> tuple[Any, ...]:
    return item.get("scope"), item["normalization_version"], item["canonical_uri"], item["content_sha256"]


def _chains(items: Any, kind: str) -> list[list[Item]]:
    found: defaultdict[tuple[str, ...], list[Item]] = defaultdict(list)
    for item in items:
        is_apart = kind == "content_sha256" and item.get("text_length") == 0
        place = item["canonical_uri"] if is_apart else ""
        found[(item.get("scope", ""), item["normalization_version"], item[kind], place)].append(item)
    order: Callable[[Item], Any] = lambda item: (item["created_at_ms"], item["item_id"])  # noqa: E731
    return [sorted(chain, key=order) for chain in found.values()]


def _faults_of_edge(newer: Item, older: Item, edge: Item) -> list[str]:
    metadata, faults = edge["metadata"], []
    selected = metadata["selected"]
    if newer["normalization_version"] != older["normalization_version"]:
        faults.append("an edge between versions")
    if newer["created_at_ms"] <= older["created_at_ms"]:
        faults.append("an edge to what is not older")
    if metadata["reason"] != f"same_{selected}" or newer[selected] != older[selected]:
        faults.append(f"{metadata['reason']} is not the reason")
    if metadata[f"{selected}_match"] != older["item_id"]:
        faults.append("the match that was selected is not superseded")
    met = {metadata["canonical_uri_match"], metadata["content_sha256_match"]} - {None}
    if metadata["conflict_resolved"] != (len(met) == 2):
        faults.append("a conflict that is not recorded, or one that is none")
    if (selected == "content_sha256") != (metadata["content_sha256_match"] is not None):
        faults.append("content does not win")
    return faults


def _plain(edges: dict[tuple[str, str], Item]) -> dict[tuple[str, str], Item]:
    return {
        ends: {name: value for name, value in edge.items() if name not in ("pk", "sk")} for ends, edge in edges.items()
    }
