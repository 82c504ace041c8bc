"""Imports over the API: a file as it is, as text, or announced and uploaded, and the answers."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tests.functions.conftest import Answer
from tests.functions.directory_function import UNKNOWN_ID, DirectoryFunction, event_of
from tests.functions.test_openapi import check

OPML = '<opml><body><outline text="F"><outline text="A" xmlUrl="https://a.example/feed"/></outline></body></opml>'


def sent(directory: DirectoryFunction, body: bytes, media_type: str, path: str = "/v1/imports", **query: str) -> Answer:
    event = event_of("POST", path, parameters=query or None)
    headers = {**event.get("headers", {}), "content-type": media_type}
    encoded = base64.b64encode(body).decode()
    return directory.call({**event, "headers": headers, "body": encoded, "isBase64Encoded": True})


def imported(directory: DirectoryFunction, answer: Answer) -> Any:
    check(answer.body, "Import")
    assert answer.status == 202
    directory.import_all()
    found = directory.get(answer.headers["Location"])
    check(found.body, "Import")
    return found.body


@pytest.mark.parametrize("media_type", ["text/x-opml", "application/octet-stream", "text/plain", "application/xml"])
def test_a_file_is_imported_with_any_media_type(directory: DirectoryFunction, media_type: str) -> None:
    found = imported(directory, sent(directory, OPML.encode(), media_type, name="mine.opml"))
    assert (found["status"], found["kind"], found["name"], found["into"]) == (
        "done",
        "opml",
        "mine.opml",
        "subscriptions",
    )
    assert (found["entries"], found["results"]["pending"], found["left"]) == (1, 1, 0)
    page = directory.get(f"/v1/imports/{found['id']}/entries", result="pending")
    check(page.body, "ImportEntryPage")
    (entry,) = page.body["entries"]
    assert (entry["url"], entry["folders"], entry["tags"]) == ("https://a.example/feed", [["F"]], ["F"])
    assert [each["tags"] for each in directory.get("/v1/subscriptions").body["subscriptions"]] == [["F"]]


def test_a_file_is_imported_as_text_in_json(directory: DirectoryFunction) -> None:
    found = imported(directory, directory.post("/v1/imports", {"text": "https://a.example/feed\n", "name": "l.txt"}))
    assert (found["kind"], found["results"]["pending"]) == ("list", 1)


def test_a_seed_file_is_the_body_itself_and_its_feeds_say_that_they_were_never_fetched(
    directory: DirectoryFunction,
) -> None:
    seeds = [{"title": "Alpha", "url": "https://a.example/feed", "category": "News", "etag": '"x"', "next_check": 1}]
    found = imported(directory, directory.post("/v1/imports", seeds))
    assert (found["kind"], found["into"], found["results"]["created"]) == ("seeds", "directory", 1)
    (feed,) = directory.get("/v1/feeds").body["feeds"]
    assert (feed["title"], feed["never_fetched"], feed["last_success_at"]) == ("Alpha", True, None)
    check(directory.get(f"/v1/feeds/{feed['id']}").body, "Feed")
    assert imported(directory, directory.post("/v1/imports", seeds))["results"]["joined"] == 1


def test_a_long_file_is_announced_uploaded_and_started(directory: DirectoryFunction) -> None:
    announced = directory.post("/v1/imports", {"bytes": len(OPML), "into": "subscriptions"})
    check(announced.body, "Import")
    path, upload = announced.headers["Location"], announced.body["upload"]
    assert (announced.body["status"], upload["headers"]) == ("uploading", {"Content-Length": str(len(OPML))})
    assert directory.post(f"{path}/start").body["code"] == "wrong_state"
    (key,) = [upload["url"].partition(".example/")[2].partition("?")[0]]
    directory.ports.import_files.s3.objects[key] = b"too short"
    assert directory.post(f"{path}/start").body["detail"].endswith("not the 105 that were announced")
    directory.ports.import_files.s3.objects[key] = OPML.encode()
    assert imported(directory, directory.post(f"{path}/start"))["status"] == "done"
    assert directory.post(f"{path}/start").body["status"] == "done"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "The file is empty."),
        (b"PK\x03\x04" + bytes(100), "This is a zip archive: unpack it and import the file that is inside."),
        (b"<!doctype html><title>x</title>", "This is an HTML page, not a list of feeds"),
        (b'<rss version="2.0"><channel/></rss>', "This is a feed, not a list of feeds: subscribe to its URL."),
    ],
)
def test_a_file_of_the_wrong_kind_is_a_failed_import_with_a_sentence(
    directory: DirectoryFunction, body: bytes, reason: str
) -> None:
    found = imported(directory, sent(directory, body, "application/octet-stream"))
    assert found["status"] == "failed"
    assert found["reason"].startswith(reason)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": "x", "bytes": 5}, "text"),
        ({"text": 5}, "text"),
        ({"bytes": 0}, "bytes"),
        ({"bytes": 11 * 1024 * 1024}, "bytes"),
        ({"text": "x", "into": "nowhere"}, "into"),
        ({"text": "x", "other": 1}, "other"),
        ({"text": "x", "name": " "}, "name"),
    ],
)
def test_a_request_that_cannot_be_meant_names_its_field(
    directory: DirectoryFunction, body: dict[str, Any], field: str
) -> None:
    answer = directory.post("/v1/imports", body)
    assert (answer.status, answer.body["field"]) == (400, field)


def test_a_body_over_4_mb_is_refused_with_advice(directory: DirectoryFunction) -> None:
    answer = sent(directory, bytes(4 * 1024 * 1024 + 1), "text/csv")
    assert answer.status == 413
    assert '{"bytes": its length}' in answer.body["detail"]
    text = directory.post("/v1/imports", json.dumps({"text": "x" * (4 * 1024 * 1024 + 1)}))
    assert text.status == 413


@pytest.mark.parametrize("path", [f"/v1/imports/{UNKNOWN_ID}", "/v1/imports/x", f"/v1/imports/{UNKNOWN_ID}/entries"])
def test_an_import_that_is_not_there_is_not_found(directory: DirectoryFunction, path: str) -> None:
    assert directory.get(path).status == 404
    if path.endswith(UNKNOWN_ID):
        assert directory.post(f"{path}/start").status == 404


def test_tokens_are_masked_in_entries_and_imports_are_listed(directory: DirectoryFunction) -> None:
    found = imported(directory, directory.post("/v1/imports", {"text": "https://a.example/feed?token=1f3a9c\n"}))
    (entry,) = directory.get(f"/v1/imports/{found['id']}/entries").body["entries"]
    assert entry["url"] == "https://a.example/feed?token=..."
    page = directory.get("/v1/imports", limit="1")
    check(page.body, "ImportPage")
    assert [each["id"] for each in page.body["imports"]] == [found["id"]]
    assert directory.get(f"/v1/imports/{found['id']}/entries", result="other").status == 400
