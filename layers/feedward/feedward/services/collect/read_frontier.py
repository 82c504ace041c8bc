"""Frontier rows for the API: submits URLs, reads one row, lists rows that failed for a reason (rule G1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from feedward.access.caller import Caller
from feedward.access.ownership import is_visible
from feedward.deadline import Deadline
from feedward.errors import InvalidInput, NotFound
from feedward.frontier.decide import REASONS
from feedward.frontier.row import FrontierRow
from feedward.page_cursor import decode_cursor, encode_cursor, is_ulid, own_list, require_limit
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.submit import Entry, Judged, judge, submit

URLS_AT_MOST: Final = 500
PAGE: Final = 50
PAGE_AT_MOST: Final = 100
ANSWER_S: Final = 10.0
SUBMIT_S: Final = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPage:
    """A page of rows. `cursor` is that of the next page, None on the last one."""

    rows: tuple[FrontierRow, ...]
    cursor: str | None


def submit_urls(caller: Caller, urls: Sequence[object], *, ports: CollectPorts) -> tuple[Entry, ...]:
    """Submit up to 500 URLs, each validated on its own (POST /v1/frontier).

    The tenant is charged for each page (rule QT3). Raises InvalidInput (`urls`), QuotaExceeded, and the errors of
    `submit` and the counters.
    """
    if not urls:
        raise InvalidInput("urls", "name at least one URL")
    if len(urls) > URLS_AT_MOST:
        raise InvalidInput("urls", f"{len(urls)} URLs are more than the {URLS_AT_MOST} of one request")
    own = frozenset[str]()
    if caller.tenant_id is not None:  # the items of a shared page are the tenant's own, as those of its runs are
        own = frozenset({ports.runs.standing(caller.tenant_id, ports.clock.now()).run_id})
    with ports.charges.charged(caller, "pages", _pages(caller, urls, ports)):
        entries = submit(urls, tenant_id=caller.tenant_id, ports=ports, runs=own, deadline=Deadline.after(SUBMIT_S))
    rows = [entry.row for entry in entries if not isinstance(entry, InvalidInput)]
    shown = iter(_shown(caller, rows, ports))
    return tuple(entry if isinstance(entry, InvalidInput) else replace(entry, row=next(shown)) for entry in entries)


def _pages(caller: Caller, urls: Sequence[object], ports: CollectPorts) -> int:
    """Return the number of pages in a submission. A known row counts too: it is fetched again for the tenant."""
    entries = (judge(url, "urls", caller.tenant_id, ports.url_policy) for url in urls)
    return len({each.url_hash for each in entries if isinstance(each, Judged)}) if caller.key_id is not None else 0


def find_row(caller: Caller, row_id: str, *, ports: CollectPorts) -> FrontierRow:
    """Return the row with this id (GET /v1/frontier/{id}).

    Raises NotFound, also for another tenant's private row (rule I8).
    """
    found = ports.frontier.within(Deadline.after(ANSWER_S)).row(row_id)
    if found is None or not is_visible(caller.tenant_id, owner=found.owner, url=found.url):
        raise NotFound("there is no frontier row with this id")
    return _shown(caller, [found], ports)[0]


def list_rows(
    caller: Caller,
    *,
    ports: CollectPorts,
    last_error: str | None = None,
    url: str | None = None,
    cursor: str | None = None,
    limit: int = PAGE,
) -> RowPage:
    """Return a page of rows: those that failed for a reason, by equality (rule F4), or the one of a URL.

    Raises InvalidInput (`last_error`, `cursor`, `limit`), also unless exactly one of the two filters is given, and the
    errors of the store.
    """
    if (last_error is None) == (url is None):
        raise InvalidInput("last_error", "give exactly one of last_error and url")
    if url is not None:
        return _rows_of(caller, url, ports)
    return _failed_rows(caller, last_error or "", ports, cursor, limit)


def _rows_of(caller: Caller, url: str, ports: CollectPorts) -> RowPage:
    """Return the row of a URL, by any URL that the row ever had; an empty page without one."""
    owners: list[str | None] = [None] if caller.tenant_id is None else [None, caller.tenant_id]
    for owner in owners:
        found = ports.frontier.within(Deadline.after(ANSWER_S)).find([url], owner=owner)
        if url in found:
            return RowPage(rows=(find_row(caller, found[url], ports=ports),), cursor=None)
    return RowPage(rows=(), cursor=None)


def _failed_rows(caller: Caller, last_error: str, ports: CollectPorts, cursor: str | None, limit: int) -> RowPage:
    if last_error not in REASONS:
        raise InvalidInput("last_error", f"expected one of {', '.join(sorted(REASONS))}")
    require_limit(limit, PAGE_AT_MOST)
    name = own_list(f"frontier:{last_error}", caller.tenant_id)
    after = str(decode_cursor(name, cursor, parts=(is_ulid,))[0]) if cursor else None
    listed = ports.frontier.within(Deadline.after(ANSWER_S)).listed(last_error=last_error, after=after)
    seen = (row for row in listed if is_visible(caller.tenant_id, owner=row.owner, url=row.url))
    rows = tuple(islice(seen, limit + 1))
    more = len(rows) > limit
    cursor = encode_cursor(name, rows[limit - 1].row_id) if more else None
    return RowPage(rows=tuple(_shown(caller, rows[:limit], ports)), cursor=cursor)


def _shown(caller: Caller, rows: Sequence[FrontierRow], ports: CollectPorts) -> list[FrontierRow]:
    """Return rows as the caller may see them: a shared row may have another tenant's item and runs (rule I8)."""
    ids = sorted({row.item_id for row in rows if row.item_id})
    own_items = {item.item_id for item in ports.lineage.items(ids) if item.scope == (caller.tenant_id or "")}
    runs = {run_id for row in rows for run_id in row.runs}
    own_runs = {run_id for run_id in runs if (run := ports.runs.find(run_id)) and run.tenant_id == caller.tenant_id}
    return [
        replace(row, item_id=row.item_id if row.item_id in own_items else None, runs=row.runs & own_runs)
        for row in rows
    ]
