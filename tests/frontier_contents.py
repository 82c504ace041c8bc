"""The contents of FrontierTable, in plain words, for tests: past the store's own reads."""

from __future__ import annotations

from feedward.adapters.dynamodb.store.codec import Item
from feedward.urls.key import url_hash
from tests.store_contents import StoreContents


class FrontierContents:
    """A view of the frontier's rows, and of the owner of each URL."""

    def __init__(self, contents: StoreContents) -> None:
        self._contents = contents
        self.names = contents.names

    def rows(self) -> dict[str, Item]:
        """All rows, by row_id."""
        return {row["row_id"]: row for row in self._contents.frontier()}

    def claims(self) -> dict[str, str]:
        """The row_id of each hash that a row has claimed."""
        return {each: row["row_id"] for each, row in self._contents.urls().items() if "row_id" in row}

    def due(self) -> set[str]:
        """The ids of rows that are in the due index."""
        return {row["row_id"] for row in self._contents.frontier(index="due")}

    def faults_of_form(self) -> list[str]:
        """Violations of rule I2: hashes that point to no row, rows that their own URL does not find, two that have one
        URL.
        """
        rows, claims = self.rows(), self.claims()
        faults = [f"{each} points to nowhere" for each, row_id in claims.items() if row_id not in rows]
        hashes: dict[str, str] = {}
        for row_id, row in rows.items():
            own = url_hash(row["url"], row.get("owner", ""))
            if row["url_hash"] != own or claims.get(own) != row_id:
                faults.append(f"{row_id} is not found by its own URL")
            if own in hashes:
                faults.append(f"{row_id} and {hashes[own]} have one URL")
            hashes[own] = row_id
            if ("due_shard" in row) != ("next_fetch_at" in row) or ("error_shard" in row) != ("last_error" in row):
                faults.append(f"{row_id} is on the wrong lists")
            if (row["status"] in ("fetched", "dead")) == ("next_fetch_at" in row):
                faults.append(f"{row_id} is {row['status']}, and due at {row.get('next_fetch_at')}")
            if row["status"] == "fetched" and row.get("runs"):
                faults.append(f"{row_id} is fetched, and runs wait for it")
        return faults
