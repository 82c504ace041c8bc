"""Settings come from the environment once, and a wrong one is named."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from feedward import __version__
from feedward.config import Settings, from_environment
from feedward.errors import FeedwardError, InvalidSetting
from feedward.frontier.settings import FrontierSettings, MoveOn

TABLES = {"URLS_TABLE": "urls", "FEEDS_TABLE": "feeds", "STATE_TABLE": "state"}


def test_tables_are_all_that_must_be_set() -> None:
    settings = Settings.from_env(TABLES)

    assert (settings.urls_table, settings.feeds_table, settings.state_table) == ("urls", "feeds", "state")
    assert (settings.follow_redirects, settings.max_redirects, settings.contact_url) == (True, 5, "")


@pytest.mark.parametrize("variable", TABLES)
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_table_is_named(variable: str, value: str | None) -> None:
    env = {name: table for name, table in TABLES.items() if name != variable}
    if value is not None:
        env[variable] = value

    with pytest.raises(InvalidSetting, match=f"^{variable} is not set$") as caught:
        Settings.from_env(env)

    assert caught.value.variable == variable
    assert isinstance(caught.value, FeedwardError)


@pytest.mark.parametrize(
    ("written", "meant"), [("true", True), ("False", False), ("0", False), (" on ", True), ("", True)]
)
def test_follow_redirects_is_a_truth(written: str, meant: bool) -> None:
    assert Settings.from_env(TABLES | {"FOLLOW_REDIRECTS": written}).follow_redirects is meant


@pytest.mark.parametrize(("written", "meant"), [("0", 0), ("5", 5), ("20", 20), ("", 5), (" 7 ", 7)])
def test_max_redirects_is_a_whole_number(written: str, meant: int) -> None:
    assert Settings.from_env(TABLES | {"MAX_REDIRECTS": written}).max_redirects == meant


def test_a_contact_may_have_200_characters() -> None:
    longest = "https://example.com/".ljust(200, "a")
    assert Settings.from_env(TABLES | {"CONTACT_URL": longest}).contact_url == longest


def test_ports_of_discovery_alone_are_required_where_they_are_used() -> None:
    settings = Settings.from_env(TABLES)

    for name in ("sites_table", "discover_queue_url", "event_bus_name", "tenants_table"):
        with pytest.raises(InvalidSetting, match=f"^{name.upper()} is not set$"):
            settings.required(name)
    given = {"SITES_TABLE": "sites", "DISCOVER_QUEUE_URL": "https://queue", "EVENT_BUS_NAME": " bus "}
    settings = Settings.from_env(TABLES | given)
    assert [settings.required(name.lower()) for name in given] == ["sites", "https://queue", "bus"]


def test_the_frontier_behaves_as_the_specification_says_unless_it_is_told_otherwise() -> None:
    assert (
        Settings.from_env(TABLES).frontier
        == FrontierSettings()
        == FrontierSettings(move_on=MoveOn.ANY, max_attempts=5, host_pause_s=1.0, respect_robots=True)
    )


@pytest.mark.parametrize(
    ("variable", "written", "meant"),
    [
        ("FRONTIER_MOVE_ON", "permanent", {"move_on": MoveOn.PERMANENT}),
        ("FRONTIER_MOVE_ON", " Any ", {"move_on": MoveOn.ANY}),
        ("FRONTIER_MAX_ATTEMPTS", "20", {"max_attempts": 20}),
        ("FRONTIER_HOST_PAUSE_S", "0", {"host_pause_s": 0.0}),
        ("FRONTIER_HOST_PAUSE_S", " 2.5 ", {"host_pause_s": 2.5}),
        ("FRONTIER_RESPECT_ROBOTS", "false", {"respect_robots": False}),
    ],
)
def test_each_setting_of_the_frontier_is_read(variable: str, written: str, meant: dict[str, Any]) -> None:
    assert Settings.from_env(TABLES | {variable: written}).frontier == FrontierSettings(**meant)


def test_ports_of_collecting_alone_are_required_where_they_are_used() -> None:
    given = {name: name.lower() for name in ("FRONTIER_TABLE", "LINEAGE_TABLE", "BODIES_BUCKET", "FRONTIER_QUEUE_URL")}
    for name in given:
        with pytest.raises(InvalidSetting, match=f"^{name} is not set$"):
            Settings.from_env(TABLES).required(name.lower())
    settings = Settings.from_env(TABLES | given)
    assert [settings.required(name.lower()) for name in given] == list(given.values())


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (None, "https://rsshub.app"),
        ("", ""),
        ("  ", ""),
        ("https://rss.example.com/hub", "https://rss.example.com/hub"),
        (" http://rss.example.com:8080 ", "http://rss.example.com:8080"),
    ],
)
def test_rsshub_is_the_public_one_unless_it_is_set_or_switched_off(written: str | None, meant: str) -> None:
    env = TABLES if written is None else TABLES | {"RSSHUB_BASE_URL": written}
    assert Settings.from_env(env).rsshub_base_url == meant


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("RSSHUB_BASE_URL", "rsshub.app"),
        ("RSSHUB_BASE_URL", "ftp://rsshub.app"),
        ("RSSHUB_BASE_URL", "https://rsshub.app/a b"),
        ("RSSHUB_BASE_URL", "https://rsshub.app/".ljust(201, "a")),
        ("RSSHUB_BASE_URL", "https://user:secret@rsshub.app"),
        ("RSSHUB_BASE_URL", "https://rsshub.app/?key=secret"),
        ("RSSHUB_BASE_URL", "https://rsshub.app/#secret"),
        ("FOLLOW_REDIRECTS", "maybe"),
        ("MAX_REDIRECTS", "-1"),
        ("MAX_REDIRECTS", "21"),
        ("MAX_REDIRECTS", "five"),
        ("MAX_REDIRECTS", "1.5"),
        ("MAX_REDIRECTS", "５"),
        ("MAX_REDIRECTS", "9" * 5000),
        ("FRONTIER_MOVE_ON", "never"),
        ("FRONTIER_MAX_ATTEMPTS", "0"),
        ("FRONTIER_MAX_ATTEMPTS", "21"),
        ("FRONTIER_HOST_PAUSE_S", "-1"),
        ("FRONTIER_HOST_PAUSE_S", "61"),
        ("FRONTIER_HOST_PAUSE_S", "1e1"),
        ("FRONTIER_HOST_PAUSE_S", "nan"),
        ("FRONTIER_HOST_PAUSE_S", "１"),
        ("FRONTIER_RESPECT_ROBOTS", "sometimes"),
        ("CONTACT_URL", "https://example.com/a b"),
        ("CONTACT_URL", "https://example.com/\r\nX-Injected: 1"),
        ("CONTACT_URL", "https://exämple.com/"),
        ("CONTACT_URL", "https://example.com/".ljust(201, "a")),
    ],
)
def test_a_value_that_cannot_be_used_is_named(variable: str, value: str) -> None:
    with pytest.raises(InvalidSetting) as caught:
        Settings.from_env(TABLES | {variable: value})

    assert caught.value.variable == variable
    assert "secret" not in str(caught.value)


def test_this_process_is_read_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, table in TABLES.items():
        monkeypatch.setenv(name, table)
    monkeypatch.setenv("MAX_REDIRECTS", "3")

    assert from_environment().max_redirects == 3


def test_version_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]

    assert __version__ == project["version"]
