"""The address of a row: its URL without fragment, the hash that finds it, its host (rule F4)."""

from __future__ import annotations

import pytest

from feedward.errors import InvalidInput
from feedward.frontier.row import address_of
from feedward.urls.key import url_hash
from feedward.urls.safety import UrlPolicy


@pytest.mark.parametrize(
    ("url", "stored", "host"),
    [
        ("https://example.com/a#part", "https://example.com/a", "example.com"),
        ("https://EXAMPLE.com:443/a?b=1&utm_source=x", "https://example.com/a?b=1&utm_source=x", "example.com"),
        ("http://www.example.com:8080/", "http://www.example.com:8080/", "www.example.com"),
        ("https://example.com./a", "https://example.com./a", "example.com"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4", "xn--bcher-kva.example"),
    ],
)
def test_a_url_is_stored_as_it_landed_and_found_by_its_key(url: str, stored: str, host: str) -> None:
    at = address_of(url)
    assert (at.url, at.host, at.url_hash) == (stored, host, url_hash(url))


def test_an_owner_is_the_scope_of_the_hash() -> None:
    at = address_of("https://example.com/?token=1", owner="t1")
    assert at.url_hash == url_hash("https://example.com/?token=1", "t1") != url_hash("https://example.com/?token=1")


@pytest.mark.parametrize(
    "url", ["", "example.com", "ftp://example.com/", "https://u:p@example.com/", "http://10.0.0.1/"]
)
def test_an_unfetchable_url_is_invalid_and_the_field_is_named(url: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        address_of(url, field="final_url")
    assert caught.value.field == "final_url"


def test_a_policy_may_loosen_the_ports() -> None:
    with pytest.raises(InvalidInput):
        address_of("http://example.com:9000/")
    assert address_of("http://example.com:9000/", policy=UrlPolicy(ports=frozenset({9000}))).host == "example.com"
