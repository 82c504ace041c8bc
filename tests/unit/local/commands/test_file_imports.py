"""How files go to the API, and how long their imports are waited for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from feedward_local.api_client.api import Api, ApiAnswer, ApiUnreachable
from feedward_local.commands import file_imports
from feedward_local.commands.directory_command import Refused
from feedward_local.commands.file_imports import SentFile, begin, ended_of, wait_for

ID = "01K00000000000000000000001"


def seen(status: str = "running", *, left: int = 0, **results: int) -> dict[str, Any]:
    """An import as the API shows it."""
    counts = {name: results.get(name, 0) for name in file_imports.RESULTS}
    return {"id": ID, "status": status, "entries": sum(counts.values()) + left, "left": left, "results": counts}


class FakeApi(Api):
    """Answers calls one after the other; the last answer is repeated. It records its calls."""

    def __init__(self, *answers: tuple[int, Mapping[str, Any]]) -> None:  # it has no connection
        self.answers = list(answers)
        self.asked: list[tuple[str, str, object]] = []
        self.uploaded: list[tuple[str, bytes, Mapping[str, str]]] = []

    def call(self, method: str, path: str, body: object = None, *, has: str) -> ApiAnswer:
        assert has
        self.asked.append((method, path, body))
        status, document = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return ApiAnswer(status=status, headers={}, document=dict(document))

    def send_file(self, path: str, file: bytes, *, has: str) -> ApiAnswer:
        return self.call("POST", path, file, has=has)

    def upload(self, url: str, file: bytes, headers: Mapping[str, str]) -> None:
        self.uploaded.append((url, file, headers))


class Clock:
    """Time that passes during a sleep."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def monotonic(self) -> float:
        return self.now


def waited(api: FakeApi, *sent: SentFile, within_s: float = 60.0) -> list[float]:
    clock, told = Clock(), list[float]()
    wait_for(
        api,
        sent,
        within_s=within_s,
        moved=told.append,
        sleep=clock.sleep,
        monotonic=clock.monotonic,
    )
    return told


def test_a_short_file_is_the_body_and_its_name_has_no_folder() -> None:
    api = FakeApi((202, seen("waiting")))
    found = begin(api, "/home/me/my feeds.opml", b"<opml/>", into="subscriptions")
    assert api.asked == [("POST", "/v1/imports?into=subscriptions&name=my+feeds.opml", b"<opml/>")]
    assert (found.has_results, found.seen["id"]) == (False, ID)


def test_a_long_file_is_announced_uploaded_and_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_imports, "BODY_BYTES_AT_MOST", 5)
    upload = {"url": "https://bucket.example/key", "headers": {"content-length": "6"}}
    api = FakeApi((201, {**seen("uploading"), "upload": upload}), (202, seen("waiting")))
    found = begin(api, "long.csv", b"123456", into="directory")
    assert api.asked == [
        ("POST", "/v1/imports", {"into": "directory", "name": "long.csv", "bytes": 6}),
        ("POST", f"/v1/imports/{ID}/start", None),
    ]
    assert api.uploaded == [(upload["url"], b"123456", upload["headers"])]
    assert found.seen["status"] == "waiting"


def test_it_is_waited_for_until_no_search_goes_on() -> None:
    api = FakeApi((200, seen(left=2)), (200, seen("done", pending=2)), (200, seen("done", created=2)))
    sent = SentFile(name="a", seen=seen("waiting"))
    assert len(waited(api, sent)) == 3
    assert (sent.is_over, sent.all_well) == (True, True)


def test_a_wait_ends_in_time_and_the_import_goes_on() -> None:
    api = FakeApi((200, seen("done", pending=1)))
    sent = SentFile(name="a", seen=seen("waiting"))
    assert waited(api, sent, within_s=5.0)[-1] == pytest.approx(5.0)
    assert (sent.has_results, sent.is_over) == (True, False)


def test_finished_work_is_not_requested_again() -> None:
    api = FakeApi((200, seen("done", created=1)))
    over = SentFile(name="a", seen=seen("failed"))
    waited(api, over, SentFile(name="b", seen=seen("waiting")))
    assert len(api.asked) == 1
    assert not over.all_well


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_an_api_that_is_too_busy_is_asked_later(status: int) -> None:
    api = FakeApi((status, {"status": status, "code": "store_unavailable"}), (200, seen("done", joined=1)))
    sent = SentFile(name="a", seen=seen("waiting"))
    waited(api, sent)
    assert sent.is_over


def test_an_import_that_is_gone_is_an_error() -> None:
    with pytest.raises(Refused):
        waited(FakeApi((404, {"status": 404, "code": "not_found"})), SentFile(name="a", seen=seen("waiting")))


def test_an_upload_that_is_not_taken_begins_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_imports, "BODY_BYTES_AT_MOST", 0)
    api = FakeApi((201, {**seen("uploading"), "upload": {"url": "u", "headers": {}}}))

    def refuse(*_: object) -> None:
        raise ApiUnreachable("the file was not taken (status 403)")

    monkeypatch.setattr(api, "upload", refuse)
    with pytest.raises(ApiUnreachable):
        begin(api, "a", b"1", into="subscriptions")
    assert len(api.asked) == 1


def test_progress_counts_the_entries_of_all_files() -> None:
    sent = [SentFile(name="a", seen=seen(left=3, created=1)), SentFile(name="b", seen=seen("done", pending=2))]
    assert ended_of(sent) == (3, 6)
