"""A message of due entries arrives as it was sent, unreadable entries are reported, and a late one is dropped."""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.adapters.sqs import MESSAGE_BYTES
from feedward.errors import InvalidInput
from feedward.frontier.changes import RUNS_AT_MOST, VALIDATOR_CHARS
from feedward.frontier.messages import CollectMessage
from feedward.frontier.row import FrontierRow
from feedward.health.due_feed import HealthMessage
from feedward.health.feed_health import FeedHealth
from feedward.health.validators import StoredValidators
from feedward.model import FeedState, Validators
from feedward.scheduling.lateness import LATE_AFTER_S, is_late
from feedward.scheduling.messages import BYTES_AT_MOST, ENTRIES_AT_MOST, WorkMessage
from feedward.ulid import derived_ulid
from feedward.urls.safety import MAX_HOST_CHARS, MAX_URL_CHARS
from tests.unit.frontier.rows import NOW, row_of
from tests.unit.scheduling.entries import EACH_KIND, Kind, due_feed

A, B = "https://a.example/feed", "https://b.example/feed"
FAILING = FeedHealth(feed_id=B, state=FeedState.DEGRADED, consecutive_failures=2, network_failures=(1, 2))
FEED_MESSAGE = HealthMessage(
    entries=(
        due_feed(A, validators=StoredValidators(etag='W/"ü"', validators_url=A)),
        due_feed(B, owner="tenant", content_hash="ab" * 32, health=FAILING),
    ),
    sent_at=NOW + 30,
    delay_s=30,
)
ROW_MESSAGE = CollectMessage(
    entries=(
        row_of(A, validators=Validators(etag='W/"ü"'), runs=frozenset({"r1", "r2"})),
        row_of(B, owner="tenant", attempts=2),
    ),
    sent_at=NOW + 30,
    delay_s=30,
)
EACH_MESSAGE = pytest.mark.parametrize(
    "message", [pytest.param(FEED_MESSAGE, id="feeds"), pytest.param(ROW_MESSAGE, id="rows")]
)


# --- as it was sent -------------------------------------------------------------------------------------


@EACH_MESSAGE
def test_a_message_arrives_as_it_was_sent(message: WorkMessage[Any]) -> None:
    read = type(message).from_text(message.to_text())
    assert read.entries == tuple(replace(entry, sent_at=NOW + 30) for entry in message.entries)
    assert (read.sent_at, read.unreadable, read.is_alone, read.receives) == (NOW + 30, 0, False, 1)


@EACH_MESSAGE
def test_a_message_of_a_host_with_several_says_so(message: WorkMessage[Any]) -> None:
    assert type(message).from_text(replace(message, is_alone=True).to_text()).is_alone


@EACH_MESSAGE
def test_a_message_is_ascii_so_that_its_length_is_its_size(message: WorkMessage[Any]) -> None:
    assert message.to_text().isascii()


@EACH_MESSAGE
def test_a_message_that_is_sent_again_says_when_it_was_sent_then(message: WorkMessage[Any]) -> None:
    kind = type(message)
    left = kind.from_text(message.to_text()).entries[1:]
    again = kind.from_text(kind(entries=left, sent_at=NOW + 99).to_text())
    assert [entry.sent_at for entry in again.entries] == [NOW + 99]


@EACH_MESSAGE
def test_entries_are_late_a_quarter_of_an_hour_after_their_message_could_be_read(message: WorkMessage[Any]) -> None:
    for entry in type(message).from_text(message.to_text()).entries:
        assert not is_late(entry, NOW + 30 + LATE_AFTER_S)
        assert is_late(entry, NOW + 30 + LATE_AFTER_S + 1)


@EACH_KIND
def test_an_entry_without_a_message_is_never_late(kind: Kind) -> None:
    assert not is_late(kind.make(A), NOW + 10**6)


# --- unreadable entries ---------------------------------------------------------------------------------


@EACH_MESSAGE
@pytest.mark.parametrize("entry", [None, "x", {}, {"feed_id": 7}, {"row_id": 7}])
def test_an_entry_that_cannot_be_read_does_not_stop_the_others(message: WorkMessage[Any], entry: object) -> None:
    text = json.loads(message.to_text())
    text[message.format.member].insert(1, entry)
    read = type(message).from_text(json.dumps(text))
    assert [each.entry_id for each in read.entries] == [each.entry_id for each in message.entries]
    assert read.unreadable == 1


@EACH_MESSAGE
def test_an_entry_with_a_member_of_another_type_cannot_be_read(message: WorkMessage[Any]) -> None:
    text = json.loads(message.to_text())
    text[message.format.member][0]["rev"] = "3"
    read = type(message).from_text(json.dumps(text))
    assert ([each.entry_id for each in read.entries], read.unreadable) == ([message.entries[1].entry_id], 1)


@EACH_MESSAGE
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"version": 2}, "version"),
        ({"version": None}, "version"),
        ({"type": "discover"}, "type"),
        ({"type": None}, "type"),
        ({"sent_at": "now"}, "sent_at"),
        ({"sent_at": True}, "sent_at"),
    ],
)
def test_a_version_unknown_to_this_code_is_refused_by_its_name(
    message: WorkMessage[Any], change: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        type(message).from_text(json.dumps({**json.loads(message.to_text()), **change}))
    assert refused.value.field == field


@EACH_MESSAGE
@pytest.mark.parametrize("entries", [{}, None, "x"])
def test_a_message_without_a_list_of_entries_is_refused_by_its_name(message: WorkMessage[Any], entries: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        type(message).from_text(json.dumps({**json.loads(message.to_text()), message.format.member: entries}))
    assert refused.value.field == message.format.member


def test_no_kind_of_message_is_taken_for_another() -> None:
    for text, other in ((FEED_MESSAGE.to_text(), CollectMessage), (ROW_MESSAGE.to_text(), HealthMessage)):
        with pytest.raises(InvalidInput) as refused:
            other.from_text(text)
        assert refused.value.field == "type"


@EACH_KIND
@pytest.mark.parametrize("body", ["", "x", "[]", "null", None, 7, "[" * 100_000])
def test_a_text_that_is_no_json_object_is_refused(kind: Kind, body: object) -> None:
    with pytest.raises(InvalidInput):
        kind.message.from_text(body)


@EACH_MESSAGE
def test_members_that_are_not_known_are_let_be(message: WorkMessage[Any]) -> None:
    newer = {**json.loads(message.to_text()), "trace": "x"}
    assert type(message).from_text(json.dumps(newer)).entries[0].entry_id == message.entries[0].entry_id


# --- how large messages get -----------------------------------------------------------------------------


LONG_URL = "https://a.example/?" + "x" * (MAX_URL_CHARS - 19)


def largest(name: str) -> FrontierRow:
    """A row with the maximum of everything."""
    runs = frozenset(derived_ulid(NOW, name, str(n)) for n in range(RUNS_AT_MOST))
    quotes = '"' * VALIDATOR_CHARS
    row = row_of(
        LONG_URL, row_id=derived_ulid(NOW, name), runs=runs, validators=Validators(etag=quotes, last_modified=quotes)
    )
    return replace(
        row,
        host="h" * MAX_HOST_CHARS,
        final_url=LONG_URL,
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
    rows = [largest(str(n)) for n in range(ENTRIES_AT_MOST)]

    (part,) = CollectMessage.fitting(rows)

    assert part == tuple(rows)
    assert len(CollectMessage(entries=part, sent_at=NOW, is_alone=True).to_text()) < MESSAGE_BYTES == BYTES_AT_MOST


@settings(max_examples=40)
@given(st.lists(st.sampled_from([0, 1, 200, 2_000, 4_500, 8_900, 9_100, 20_000]), max_size=12))
def test_parts_are_full_fit_and_hold_all_that_fits_in_any(counts: list[int]) -> None:
    rows = [row_of(f"https://a.example/{n}", runs=runs(count)) for n, count in enumerate(counts)]

    parts = list(CollectMessage.fitting(rows))

    sizes = [len(CollectMessage(entries=part, sent_at=NOW, is_alone=True).to_text()) for part in parts]
    assert all(0 < size <= BYTES_AT_MOST for size in sizes)
    left_out = [row for row in rows if row not in {each for part in parts for each in part}]
    assert [row for part in parts for row in part] == [row for row in rows if row not in left_out]
    assert all(len(row.runs) > 8_900 for row in left_out)
    if len(counts) <= ENTRIES_AT_MOST and max(counts, default=0) <= 200:
        assert len(parts) == bool(rows)


@EACH_KIND
def test_ten_ordinary_entries_are_one_message(kind: Kind) -> None:
    entries = kind.of_host("a.example", ENTRIES_AT_MOST)
    assert list(kind.message.fitting(entries)) == [tuple(entries)]
