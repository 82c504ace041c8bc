"""Invalid fields are told with the allowed values. Each body ends in an object or in an error with the reason."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.api.canonicalize import CanonicalizeRequest, decode_request
from feedward.api.fields import BODY_BYTES_AT_MOST, json_object, known_fields
from feedward.api.problems import BodyTooLarge, HttpError, MalformedJson
from feedward.errors import InvalidInput
from tests.effort import costs_at_most


@pytest.mark.parametrize(("known", "there_are"), [(("url", "title"), "url, title"), ((), "none")])
def test_an_unknown_field_is_refused_with_the_known_ones(known: tuple[str, ...], there_are: str) -> None:
    with pytest.raises(InvalidInput, match=f"unknown field; known fields: {there_are}$") as refused:
        known_fields({"ulr": 1}, known, "filter.")
    assert refused.value.field == "filter.ulr"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
fields = st.sampled_from(["url", "urls", "presets", "levels", "rewrites", "probes", "max_requests", "register", "x"])


def outcome_of(call: Callable[[], Any]) -> Any:
    """The result of a call, or its feedward error; any other error propagates."""
    try:
        return call()
    except (HttpError, InvalidInput) as error:
        return error


@given(st.binary() | st.text().map(str.encode), st.booleans())
def test_any_bytes_are_an_object_or_an_error_of_ours(raw: bytes, is_base64: bool) -> None:
    body = base64.b64encode(raw).decode() if is_base64 else raw.decode("utf-8", "replace")
    outcome = outcome_of(lambda: json_object({"body": body, "isBase64Encoded": is_base64}))

    assert isinstance(outcome, dict) or str(outcome)


@given(st.dictionaries(fields, json_values))
def test_any_object_is_a_request_or_names_its_field(body: dict[str, Any]) -> None:
    outcome = outcome_of(lambda: decode_request(body))

    if isinstance(outcome, CanonicalizeRequest):
        assert len(outcome.entries) >= 1
    else:
        assert outcome.field.partition("[")[0].partition(".")[0] in {*body, "url"}


@pytest.mark.parametrize("event", [{}, {"body": None}, {"body": ""}, {"body": None, "headers": None}])
def test_no_body_is_no_json(event: dict[str, Any]) -> None:
    with pytest.raises(MalformedJson, match="empty"):
        json_object(event)


def test_a_repeated_name_among_very_many_is_found_at_once() -> None:
    pairs = ",".join(f'"{n}":1' for n in range(40_000))

    def is_found() -> None:
        with pytest.raises(InvalidInput, match="twice") as raised:
            json_object({"body": f'{{{pairs},"39999":1}}'})
        assert raised.value.field == "39999"

    assert costs_at_most(2, is_found)


def test_where_json_breaks_is_said() -> None:
    with pytest.raises(MalformedJson, match="line 2, column 9"):
        json_object({"body": '{\n "url": }'})


@pytest.mark.parametrize(("extra", "fits"), [(0, True), (1, False)])
@pytest.mark.parametrize("is_base64", [False, True])
def test_limit_is_in_bytes_of_the_body_itself(extra: int, fits: bool, is_base64: bool) -> None:
    frame = len(json.dumps({"url": ""}))
    raw = json.dumps({"url": "x" * (BODY_BYTES_AT_MOST - frame + extra)}).encode()
    event = {"body": base64.b64encode(raw).decode() if is_base64 else raw.decode(), "isBase64Encoded": is_base64}

    if fits:
        assert json_object(event)
    else:
        with pytest.raises(BodyTooLarge):
            json_object(event)


def test_letters_count_as_their_bytes() -> None:
    with pytest.raises(BodyTooLarge):
        json_object({"body": json.dumps({"url": "ü" * (BODY_BYTES_AT_MOST // 2)}, ensure_ascii=False)})
