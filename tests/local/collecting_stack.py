"""A running stack that collects pages, from outside and from inside."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.adapters.dynamodb.store.codec import decode
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.lineage.run import Run, RunKind
from feedward.lineage.version import CURRENT
from feedward.services.collect.collect_page import add_item
from feedward.ulid import new_ulid
from tests.fakes.code_version import OLDER
from tests.local.stack_aws import WORK_WITHIN_S, StackAws, wait_until
from tests.local.stack_process import StackProcess

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """The running stack, from outside and from inside."""

    process: StackProcess
    aws: StackAws

    def get(self, path: str) -> Any:
        status, _, document = self.process.call("GET", path)
        assert status == 200, document
        return document

    def post(self, path: str, body: object, **headers: str) -> Any:
        status, _, document = self.process.call("POST", path, body, headers)
        assert status == 202, document
        return document

    def refused(self, path: str, body: object) -> tuple[int, str, str]:
        status, kind, problem = self.process.call("POST", path, body)
        assert kind == "application/problem+json"
        return status, problem["field"], problem["detail"]

    def rows(self, urls: list[str]) -> dict[str, Any]:
        """Submit URLs, and return their rows once each was asked for."""
        results = self.post("/v1/frontier", {"urls": urls})["results"]
        ids = {url: result["row"]["id"] for url, result in zip(urls, results, strict=True)}
        return {url: self.asked_for(row_id) for url, row_id in ids.items()}

    def asked_for(self, row_id: str) -> Any:
        def look() -> Any:
            row = self.get(f"/v1/frontier/{row_id}")
            return row if row["status"] != "pending" else None

        return wait_until(look, WORK_WITHIN_S, f"the fetch of {row_id}")

    def run(self, **body: object) -> Any:
        """Begin a run, and return it once it is done; its counters never go down on the way, nor past its pages."""
        run_id = self.post("/v1/runs", body)["id"]
        ended = 0

        def look() -> Any:
            nonlocal ended
            run = self.get(f"/v1/runs/{run_id}")
            assert ended <= run["ended"]
            assert run["pages"] is None or run["ended"] <= run["pages"]
            ended = run["ended"]
            return run if run["status"] == "done" else None

        return wait_until(look, WORK_WITHIN_S, f"the end of run {run_id}")

    def items_of(self, run: Any) -> list[Any]:
        """The items that a run made, asked for one by one."""
        items, cursor = [], ""
        while True:
            page = self.get(f"/v1/items?run={run['id']}&limit=1{cursor}")
            items += page["items"]
            if page["cursor"] is None:
                return items
            cursor = f"&cursor={page['cursor']}"

    def item_of(self, url: str) -> Any:
        """The current item of a URL's row."""
        (row,) = self.get(f"/v1/frontier?url={url}")["rows"]
        return self.get(f"/v1/items/{row['item_id']}")

    def collected_before(self, items: list[Any]) -> str:
        """Store these items once more, as from a run of older code; the id of that run."""
        names = dict.fromkeys((each.name for each in fields(TableNames)), "")
        tables = Tables(self.aws.dynamodb, TableNames(**names | {"lineage": self.aws.ids["LineageTable"]}))
        lineage, now = DynamoLineageStore(tables), int(time.time())
        run = Run(
            run_id=new_ulid(now),
            kind=RunKind.URLS,
            collector=CURRENT.collector,
            normalization_version=OLDER,
            created_at=now,
            pages=len(items),
            started=True,
        )
        lineage.create_run(run)
        for each in items:
            found = lineage.item(each["id"])
            assert found is not None
            of_run = replace(found, item_id=new_ulid(now), run_id=run.run_id, normalization_version=OLDER)
            add_item(of_run, found.item_id, lineage=lineage)
        return run.run_id

    def stored_row(self, row_id: str) -> dict[str, Any]:
        (item,) = self.aws.items("FrontierTable", row_id=row_id)
        return decode(item)

    def do(self, task: str) -> Any:
        """Wake the collect function as its schedule does; the task's report."""
        payload = (ROOT / f"events/schedule_frontier_{task}.json").read_bytes()
        client = self.aws.client("lambda")
        answer = client.invoke(FunctionName=self.aws.ids["CollectFunction"], Payload=payload)
        report = json.load(answer["Payload"])
        assert "FunctionError" not in answer, report
        return report
