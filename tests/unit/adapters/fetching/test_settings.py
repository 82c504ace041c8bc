"""Settings and imports of the fetch."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from typing import Any

import pytest

from feedward import __version__
from feedward.adapters.fetching.resolver import DnsFailure, Endpoint, SystemResolver
from feedward.adapters.fetching.settings import FetchSettings, browser_user_agent, user_agent
from feedward.errors import InvalidInput
from feedward.model import Wanted


def test_user_agent_names_version_and_contact() -> None:
    assert user_agent("https://ops.example/") == f"feedward/{__version__} (+https://ops.example/)"
    assert FetchSettings().user_agent == f"feedward/{__version__}"


def accepted(wants: Wanted) -> list[tuple[str, str]]:
    header = FetchSettings().headers(wants=wants, as_browser=False)["Accept"]
    return [(name, q or "1") for name, _, q in (part.partition(";q=") for part in header.split(", "))]


def test_a_request_for_a_feed_prefers_feeds_and_names_pages_last() -> None:
    kinds = accepted(Wanted.FEED)
    assert {q for name, q in kinds if name.endswith(("atom+xml", "rss+xml", "feed+json"))} == {"1"}
    assert kinds[-1] == ("text/html", "0.1")


def test_a_request_for_a_page_prefers_pages() -> None:
    kinds = accepted(Wanted.PAGE)
    assert kinds[0] == ("text/html", "1")
    assert "1" not in {q for _, q in kinds[1:]}


@pytest.mark.parametrize("wants", Wanted)
def test_each_kind_of_request_takes_anything_at_last(wants: Wanted) -> None:
    assert {"*/*", "text/html"} <= {name for name, _ in accepted(wants)}
    plain, browser = (FetchSettings().headers(wants=wants, as_browser=each) for each in (False, True))
    assert plain["Accept"] == browser["Accept"]
    assert (plain["User-Agent"], browser["User-Agent"]) == (user_agent(), browser_user_agent())


def test_browser_compatible_user_agent_begins_like_a_browser_and_names_feedward() -> None:
    assert browser_user_agent("https://ops.example/") == (
        f"Mozilla/5.0 (compatible; feedward/{__version__}; +https://ops.example/)"
    )
    assert FetchSettings().browser_user_agent == f"Mozilla/5.0 (compatible; feedward/{__version__})"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("total_s", 0),
        ("io_s", -1),
        ("wire_bytes", 0),
        ("max_redirects", -1),
        ("user_agent", "a\r\nb"),
        ("user_agent", ""),
        ("browser_user_agent", "a\nb"),
    ],
)
def test_setting_that_cannot_be_meant_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        FetchSettings(**{name: value})
    assert caught.value.field == name


def test_import_makes_no_tls_context_and_reads_no_environment() -> None:
    code = """
import os, ssl
class Watched(dict):
    def __getitem__(self, name): raise AssertionError(name)
def forbid(*a, **k): raise AssertionError("TLS context at import")
import urllib3, http.client, email, can_ada
ssl.create_default_context = forbid
ssl.SSLContext.load_default_certs = forbid
os.environ = Watched()
import feedward.adapters.fetching.guarded_fetch
feedward.adapters.fetching.guarded_fetch.GuardedFetcher()
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def import_with_urllib3(version: str) -> subprocess.CompletedProcess[str]:
    code = f"import urllib3._version as v; v.__version__ = {version!r}; import feedward.adapters.fetching.connection"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_old_urllib3_is_refused_at_import() -> None:
    done = import_with_urllib3("2.6.3")
    assert done.returncode != 0
    assert "feedward needs urllib3 >= 2.7, but 2.6.3" in done.stderr


@pytest.mark.parametrize("version", ["2.7.0", "2.10.1", "3.0"])
def test_urllib3_from_2_7_on_is_taken(version: str) -> None:
    assert import_with_urllib3(version).returncode == 0


def test_system_resolver_asks_once_for_ipv4_and_gives_each_address_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def getaddrinfo(*question: Any) -> list[Any]:
        asked.append(question)
        return [(socket.AF_INET, kind, 6, "", ("192.0.2.7", 0)) for kind in (1, 1)]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    assert SystemResolver().resolve("a.example", 80, within_s=5) == [Endpoint("192.0.2.7")]
    assert asked == [(b"a.example", None, socket.AF_INET, socket.SOCK_STREAM)]


def test_a_look_up_that_hangs_does_not_hold_up_the_end_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    on_daemon: list[bool] = []

    def getaddrinfo(*_: object) -> list[Any]:
        on_daemon.append(threading.current_thread().daemon)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    SystemResolver().resolve("a.example", 80, within_s=5)
    assert on_daemon == [True]


@pytest.mark.parametrize("error", [socket.gaierror(-2, "unknown"), OSError("down"), UnicodeError("long")])
def test_look_up_that_fails_is_a_dns_failure(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(DnsFailure):
        SystemResolver().resolve("a.example", 80, within_s=5)
