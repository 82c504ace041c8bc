"""Reprocesses the items of a run of another version under the code's own, from the stored bodies (rules V3.3, L1).

The older items stay as they are, and no edge joins them to the new ones (rule V3.2). Each reprocessed item has a
marker, so the work can be killed at any item and repeated.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Final

from feedward.lineage.content import read_content
from feedward.lineage.item import Item
from feedward.lineage.run import ReprocessPlace, Run
from feedward.lineage.version import is_producible
from feedward.reading_budget import TooCostly
from feedward.services.collect.collect_page import add_item
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.start_run import RunStep, run_of_tenant
from feedward.ulid import derived_ulid
from feedward.urls.key import key

# The number of items between two writes of the cursor, and the time limit for them.
STEP_ITEMS: Final = 50
STEP_S: Final = 20.0


def reprocess(run_id: str, *, ports: CollectPorts, within_s: float) -> RunStep:
    """Continue a reprocessing run within `within_s` seconds. `done` False: another step is needed.

    An item counts as refused if its body was deleted or exceeds the reading budget, or if this code does not produce
    the version. Raises the errors of the stores, and MemoryBusy.
    """
    ends_at = ports.clock.monotonic() + within_s
    run = run_of_tenant(run_id, ports)
    pages = refused = 0
    while run is not None and (place := ports.lineage.reprocess_place(run_id)) is not None:
        if ends_at - ports.clock.monotonic() < STEP_S:
            return RunStep(run_id=run_id, pages=pages, refused=refused, done=False)
        gone_through, not_made = _step(run, place, ports)
        pages, refused = pages + gone_through, refused + not_made
    return RunStep(run_id=run_id, pages=pages, refused=refused)


def _step(run: Run, place: ReprocessPlace, ports: CollectPorts) -> tuple[int, int]:
    """Reprocess the next items. Return their number, and the number of refused ones."""
    older = run.reprocessing_of_run_id or ""
    ids = list(islice(ports.lineage.items_of_run(older, after=place.after), STEP_ITEMS))
    refused = sum(not _make_again(run, item_id, ports) for item_id in ids)
    ports.lineage.reprocess_advanced(
        run.run_id,
        place,
        to=ids[-1] if ids else place.after,
        pages=len(ids),
        refused=refused,
        done=len(ids) < STEP_ITEMS,
        now=ports.clock.now(),
    )
    return len(ids), refused


def _make_again(run: Run, older_id: str, ports: CollectPorts) -> bool:
    older = ports.lineage.item(older_id)
    if older is None or older.body_sha256 is None or not is_producible(run.normalization_version):
        return False
    body = ports.bodies.read(older.body_sha256, scope=older.scope)
    if body is None:
        return False
    try:
        with ports.memory.parsing(len(body)):
            again = _again(run, older, body, ports.clock.now())
    except TooCostly:
        return False
    add_item(again, older.item_id, lineage=ports.lineage)
    return True


def _again(run: Run, older: Item, body: bytes, now: int) -> Item:
    """Return the older item, read again from its body under the run's version."""
    content = read_content(body, content_type=older.content_type)
    return replace(
        older,
        item_id=derived_ulid(now, run.run_id, older.item_id),
        run_id=run.run_id,
        collector=run.collector,
        normalization_version=run.normalization_version,
        canonical_uri=key(older.fetched_url),
        content_sha256=content.content_sha256,
        title=content.title,
        text_length=content.text_length,
        created_at_ms=now * 1000,
        reprocessed_from=older.item_id,
        scope=run.tenant_id or "",
    )
