"""Exports through the API: files with their types and names, jobs, and refused requests (rules EX1 to EX4)."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from feedward.services.export import export_now
from feedward.topics.feed_topics import seeded
from tests.fakes.export_files import FakeKms, fake_signer
from tests.functions.conftest import Answer
from tests.functions.directory_function import UNKNOWN_ID, DirectoryFunction, event_of, make_directory_function

TOKEN = "https://feeds.example/rss?token=s3cr3t-0123456789abcdef"


@pytest.fixture
def function() -> DirectoryFunction:
    function = make_directory_function()
    function.feed("tea", title="Tea & cake", topics=seeded((), "Food"))
    function.feed("rail", title="=Rails")
    return function


def file(function: DirectoryFunction, form: str, **parameters: str) -> Answer:
    return function.call(event_of("GET", f"/v1/exports/{form}", parameters=parameters), is_file=True)


def test_opml_has_its_own_type_and_a_name(function: DirectoryFunction) -> None:
    answer = file(function, "opml")

    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/x-opml; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="feeds.opml"'
    titles = [outline.get("text") for outline in Xml.fromstring(answer.body).iter("outline")]
    assert sorted(map(str, titles)) == ["=Rails", "Tea & cake"]


def test_csv_is_disarmed_and_json_is_a_seed_file(function: DirectoryFunction) -> None:
    assert b'"\'=Rails"' in file(function, "csv").body
    [seed] = json.loads(file(function, "json", topic="cooking").body)
    assert (seed["title"], seed["category"]) == ("Tea & cake", "Food")
    assert file(function, "csv").headers["Content-Type"] == "text/csv; charset=utf-8"


def test_the_own_export_says_how_many_addresses_are_private(function: DirectoryFunction) -> None:
    function.post("/v1/subscriptions", {"url": TOKEN, "tags": ["News"], "title": "Mine"})

    answer = file(function, "opml", tag="News")

    assert answer.headers["Feedward-Private-Feeds"] == "1"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="subscriptions.opml"'
    assert TOKEN.encode() in answer.body
    assert "Feedward-Private-Feeds" not in file(function, "opml").headers
    assert b"<outline" not in file(function, "opml", tag="Other").body


def test_a_signature_is_in_a_header(function: DirectoryFunction) -> None:
    function.ports.export_signer = fake_signer(FakeKms())

    assert len(file(function, "json").headers["Feedward-Signature"]) > 80


def test_a_large_export_becomes_a_job(function: DirectoryFunction, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_now, "INLINE_BYTES", 10)

    answer = function.get("/v1/exports/csv")

    assert answer.status == 202
    assert answer.headers["Location"] == f"/v1/exports/jobs/{answer.body['id']}"
    assert (answer.body["status"], answer.body["url"]) == ("waiting", None)
    assert function.get(answer.headers["Location"]).body == answer.body


@pytest.mark.parametrize(
    ("form", "parameters", "status", "field"),
    [
        ("xml", {}, 404, None),
        ("opml", {"tag": "a", "topic": "food"}, 400, "topic"),
        ("opml", {"tag": "a", "q": "x"}, 400, "q"),
        ("opml", {"tag": "x" * 101}, 400, "tag"),
        ("csv", {"state": "asleep"}, 400, "state"),
        ("csv", {"topic": " "}, 400, "topic"),
        ("csv", {"format": "x"}, 400, "format"),
    ],
)
def test_an_invalid_request_is_named(
    function: DirectoryFunction, form: str, parameters: dict[str, Any], status: int, field: str | None
) -> None:
    answer = function.get(f"/v1/exports/{form}", **parameters)

    assert (answer.status, answer.body.get("field")) == (status, field)


@pytest.mark.parametrize("job", [UNKNOWN_ID, "x", "0"])
def test_an_unknown_job_is_not_found(function: DirectoryFunction, job: str) -> None:
    assert function.get(f"/v1/exports/jobs/{job}").status == 404
