"""How large messages of rows get: ten rows always fit, and what fits in none keeps no other from being sent."""

from __future__ import annotations

import functools
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.adapters.sqs import MESSAGE_BYTES
from feedward.frontier.changes import RUNS_AT_MOST, VALIDATOR_CHARS
from feedward.frontier.messages import BYTES_AT_MOST, ROWS_AT_MOST, CollectMessage, fitting
from feedward.frontier.row import FrontierRow
from feedward.model import Validators
from feedward.ulid import derived_ulid
from feedward.urls.safety import MAX_HOST_CHARS, MAX_URL_CHARS
from tests.unit.frontier.rows import NOW, row_of

URL = "https://a.example/?" + "x" * (MAX_URL_CHARS - 19)


def largest(name: str) -> FrontierRow:
    """A row with as much of everything as one can have."""
    runs = frozenset(derived_ulid(NOW, name, str(n)) for n in range(RUNS_AT_MOST))
    quotes = '"' * VALIDATOR_CHARS
    row = row_of(
        URL, row_id=derived_ulid(NOW, name), runs=runs, validators=Validators(etag=quotes, last_modified=quotes)
    )
    return replace(
        row,
        host="h" * MAX_HOST_CHARS,
        final_url=URL,
        owner="t" * 128,
        content_version="v" * 128,
        item_id="i" * 26,
        last_error="unexpected_status",
        attempts=5,
        http_status=500,
        last_fetched_at=NOW,
        created_at=NOW,
    )  # fmt: skip


@functools.cache
def runs(count: int) -> frozenset[str]:
    return frozenset(derived_ulid(NOW, "run", str(n)) for n in range(count))


def test_ten_rows_with_as_much_of_everything_as_one_can_have_are_one_message() -> None:
    rows = [largest(str(n)) for n in range(ROWS_AT_MOST)]

    (part,) = fitting(rows)

    assert part == tuple(rows)
    assert len(CollectMessage(rows=part, sent_at=NOW).to_text()) < MESSAGE_BYTES == BYTES_AT_MOST


@settings(max_examples=40)
@given(st.lists(st.sampled_from([0, 1, 200, 2_000, 4_500, 8_900, 9_100, 20_000]), max_size=12))
def test_parts_are_full_fit_and_hold_all_that_fits_in_any(counts: list[int]) -> None:
    rows = [row_of(f"https://a.example/{n}", runs=runs(count)) for n, count in enumerate(counts)]

    parts = list(fitting(rows))

    sizes = [len(CollectMessage(rows=part, sent_at=NOW).to_text()) for part in parts]
    assert all(0 < size <= BYTES_AT_MOST for size in sizes)
    left_out = [row for row in rows if row not in {each for part in parts for each in part}]
    assert [row for part in parts for row in part] == [row for row in rows if row not in left_out]
    assert all(len(row.runs) > 8_900 for row in left_out)
    if len(counts) <= ROWS_AT_MOST and max(counts, default=0) <= 200:
        assert len(parts) == bool(rows)
