"""The stack's parameters accept the values that the functions accept: a mistake is reported before the deployment."""

from __future__ import annotations

import re

import pytest

from feedward.bootstrap.fetching import rsshub_base
from feedward.config import Settings
from feedward.errors import InvalidSetting
from tests.template_tables import template

REQUIRED = {"URLS_TABLE": "urls", "FEEDS_TABLE": "feeds", "STATE_TABLE": "state"}


def is_allowed(value: str) -> bool:
    parameter = template()["Parameters"]["RsshubBaseUrl"]
    return bool(re.fullmatch(parameter["AllowedPattern"], value)) and len(value) <= parameter["MaxLength"]


def is_taken(value: str) -> bool:
    try:
        rsshub_base(Settings.from_env(REQUIRED | {"RSSHUB_BASE_URL": value}))
    except InvalidSetting:
        return False
    return True


@pytest.mark.parametrize(
    "value",
    [
        "",
        "https://rsshub.app",
        "https://rsshub.app/",
        "http://rsshub.example.com:8080",
        "https://rss.example.com/hub/~a;b/[c]",
        "https://[2606:4700:4700::1111]:8443/",
    ],
)
def test_an_rsshub_that_can_be_asked_is_allowed(value: str) -> None:
    assert (is_allowed(value), is_taken(value)) == (True, True)


@pytest.mark.parametrize(
    "value",
    [
        "rsshub.app",
        "ftp://rsshub.app",
        "HTTPS://rsshub.app",
        "https://",
        "https:///hub",
        "https://rsshub.app?key=secret",
        "https://rsshub.app/#top",
        "https://user:secret@rsshub.app",
        "https://rsshub.app/@me",
        "https://rsshub.app/a b",
        "https://rsshub.app\\hub",
        "https://rsshub.app/a\\b",
        "https://rsshub.app:22",
        "https://rsshub.app:port",
        "https://rsshüb.example",
        "https://rsshub.app/" + "x" * 190,
    ],
)
def test_an_rsshub_that_no_function_would_take_is_refused_before_it_is_deployed(value: str) -> None:
    assert (is_allowed(value), is_taken(value)) == (False, False)


def takes_base(value: str) -> bool:
    try:
        Settings.from_env(REQUIRED | {"PUBLIC_BASE_URL": value})
    except InvalidSetting:
        return False
    return True


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", True),
        ("https://feeds.example.com", True),
        ("https://feeds.example.com:8443/api/v2", True),
        ("http://feeds.example.com", False),
        ("https://feeds.example.com/a?b", False),
        ("https://user@feeds.example.com", False),
        ("https://feeds.example.com/a b", False),
        ("feeds.example.com", False),
        ("https://" + "a" * 200, False),
    ],
)
def test_a_public_base_url_is_allowed_where_the_functions_take_it(value: str, expected: bool) -> None:
    parameter = template()["Parameters"]["PublicBaseUrl"]
    is_allowed_here = bool(re.fullmatch(parameter["AllowedPattern"], value)) and len(value) <= parameter["MaxLength"]

    assert (is_allowed_here, takes_base(value)) == (expected, expected)


def test_a_public_base_url_of_the_local_stack_may_be_http_on_loopback_only() -> None:
    assert takes_base("http://127.0.0.1:8080")
    assert not takes_base("http://127.0.0.2:8080")
    assert (
        Settings.from_env(REQUIRED | {"PUBLIC_BASE_URL": "https://a.example/"}).public_base_url == "https://a.example"
    )
