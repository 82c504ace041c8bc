"""The made-up internet answers by its current phase, from one request to the next."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest

from feedward_local.demo.server import DemoInternet
from feedward_local.demo.sites import Page, Sites

AT, SECURED = "http://changes.example/feed", "https://changes.example/feed"


@pytest.fixture
def phase(tmp_path: Path) -> Path:
    return tmp_path / "phase"


@pytest.fixture
def internet(phase: Path) -> Iterator[DemoInternet]:
    sites = Sites(
        stories=(),
        pages=dict.fromkeys((AT, SECURED), Page(at=(AT, SECURED), body=b"before")),
        phases={"after": {AT: Page(at=(AT,), status=410, body=b"after")}},
        tries=(),
    )
    with DemoInternet(sites, phase) as running:
        yield running


def test_one_that_was_never_started_can_be_stopped(phase: Path) -> None:
    DemoInternet(Sites(stories=(), pages={}, phases={}, tries=()), phase).stop()


def asked(internet: DemoInternet, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", internet.network.http_port, timeout=5)
    try:
        connection.request("GET", "/feed", headers={"Host": "changes.example", **headers})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_a_phase_is_on_from_when_it_is_written_down_until_it_is_not(internet: DemoInternet, phase: Path) -> None:
    assert asked(internet) == (200, b"before")
    phase.write_text("after\n")
    assert asked(internet) == (410, b"after")
    phase.write_text("")
    assert asked(internet) == (200, b"before")


def test_a_client_with_the_current_page_gets_a_304(tmp_path: Path) -> None:
    page = Page(at=(AT,), headers={"ETag": '"1"'}, body=b"before")
    with DemoInternet(Sites(stories=(), pages={AT: page, SECURED: page}, tries=()), tmp_path / "phase") as internet:
        assert asked(internet) == (200, b"before")
        assert asked(internet, **{"If-None-Match": '"1"'}) == (304, b"")
        assert asked(internet, **{"If-None-Match": '"0"'}) == (200, b"before")


def test_a_mistyped_phase_is_reported(internet: DemoInternet, phase: Path) -> None:
    phase.write_text("aftre")
    status, said = asked(internet)
    assert status == 500
    assert b"'aftre'" in said
    assert b"after" in said
