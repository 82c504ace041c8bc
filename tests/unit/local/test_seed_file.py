"""The file that a new directory is seeded from: its form, its feeds, its balance (rule TP3)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.kinds import kind_of
from feedward.topics.closed_list import BY_ID, label_of, normal_topic
from feedward.urls.key import key
from feedward.urls.parse import parse_http_url
from feedward.urls.secrets import mask_tokens
from feedward_local.demo.sites import load_sites
from feedward_local.seed_files import DEMO_SEED_FILE, SEED_FILE
from feedward_local.serve import _welcome

FILES = {"seed": SEED_FILE, "demo": DEMO_SEED_FILE}
MEMBERS = ["title", "url", "site_url", "category", "language", "description"]
# Kinds of feeds that are a part of a site and not the site's own.
PARTS = {Kind.COMMENTS, Kind.TAG, Kind.CATEGORY, Kind.AUTHOR, Kind.SEARCH, Kind.TOPIC}


def entries(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(FILES[name].read_text("utf-8"))
    return found


SEED = entries("seed")


@pytest.mark.parametrize("name", list(FILES))
def test_each_entry_has_the_form_of_a_seed(name: str) -> None:
    for entry in entries(name):
        assert list(entry) == MEMBERS
        for member, value in entry.items():
            assert value == value.strip(), (entry, member)
            assert value, (entry, member)
        for member in ("url", "site_url"):
            parsed = parse_http_url(entry[member])
            assert parsed, entry
            assert mask_tokens(entry[member]) == entry[member]
        assert len(entry["title"]) <= 80
        assert len(entry["description"]) <= 120


@pytest.mark.parametrize("name", list(FILES))
def test_no_feed_is_in_it_twice(name: str) -> None:
    assert [url for url, times in Counter(key(entry["url"]) for entry in entries(name)).items() if times > 1] == []


def test_it_is_large_and_in_many_languages() -> None:
    assert len(SEED) >= 600
    assert len({entry["language"] for entry in SEED}) >= 12


def test_its_categories_are_of_the_closed_list_and_balanced() -> None:
    categories = Counter(entry["category"] for entry in SEED)

    assert len(categories) >= 25
    assert min(categories.values()) >= 8
    assert max(categories.values()) <= len(SEED) / 10
    for category in categories:
        topic = normal_topic(category)
        assert topic in BY_ID
        assert label_of(topic) == category


def test_its_feeds_are_the_own_ones_of_their_sites() -> None:
    kinds = {entry["url"]: kind_of(entry["url"], entry["title"], page_url=entry["site_url"]) for entry in SEED}

    assert [url for url, kind in kinds.items() if kind in PARTS] == []


def test_no_entry_is_a_sitemap_or_on_a_host_that_was_closed() -> None:
    closed = ("typepad.com", "posterous.com", "geocities.com", "feeds2.feedburner.com", "plus.google.com", "cohost.org")

    assert [
        each["url"] for each in SEED if "sitemap" in each["url"] or any(host in each["url"] for host in closed)
    ] == []


def test_a_seed_of_another_form_is_seen() -> None:
    assert kind_of("https://example.com/comments/feed/") in PARTS
    assert kind_of("https://example.com/tag/tea/feed/") in PARTS


def test_entries_are_in_order_so_that_changes_are_read_easily() -> None:
    def place(entry: dict[str, Any]) -> tuple[str, str, str]:
        return entry["category"], entry["language"], entry["title"].casefold()

    assert sorted(SEED, key=place) == SEED


@pytest.mark.parametrize("demo", [False, True])
def test_the_first_screen_says_how_to_take_it(demo: bool) -> None:
    [line] = [
        line for line in _welcome("http://127.0.0.1:8080", demo=demo, seconds=1.0).splitlines() if " seed " in line
    ]

    assert FILES["demo" if demo else "seed"].name in line
    assert "--api http://127.0.0.1:8080   #" in line


def test_with_keys_the_first_screen_gives_each_line_the_key() -> None:
    lines = _welcome("http://127.0.0.1:8080", demo=True, with_keys=True, seconds=1.0).splitlines()

    [seed] = [line for line in lines if " seed " in line]
    assert '--api http://127.0.0.1:8080 --key "$FEEDWARD_API_KEY"   #' in seed
    assert all("$FEEDWARD_API_KEY" in line for line in lines if "curl" in line)


def test_the_feeds_of_the_demo_are_in_its_internet() -> None:
    there = load_sites().pages.keys()

    assert {entry["url"] for entry in entries("demo")} - there == {"https://nowhere.example/feed"}
