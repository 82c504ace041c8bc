"""Feeds of places where products, projects and games are announced."""

from __future__ import annotations

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.platforms.index import platform_leads

PRODUCTS = "https://www.producthunt.com/feed"
PROJECTS = "https://www.kickstarter.com/projects"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.producthunt.com/", [PRODUCTS]),
        ("https://producthunt.com?ref=x", [PRODUCTS]),
        ("https://www.producthunt.com/topics/artificial-intelligence/", [f"{PRODUCTS}?topic=artificial-intelligence"]),
        ("https://www.producthunt.com/categories/tech", [f"{PRODUCTS}?category=tech"]),
        ("https://www.producthunt.com/posts/some-product", [PRODUCTS]),
        ("https://www.producthunt.com/@someone", []),
        ("https://www.producthunt.com/login", []),
        (f"{PROJECTS}/a/b/description?ref=x", [f"{PROJECTS}/a/b/posts.atom"]),
        (f"{PROJECTS}/1234/b-c", [f"{PROJECTS}/1234/b-c/posts.atom"]),
        (f"{PROJECTS}/a/b/posts.atom", []),
        ("https://www.KICKSTARTER.com/", [f"{PROJECTS}/feed.atom"]),
        ("https://www.kickstarter.com/discover/categories/games", [f"{PROJECTS}/feed.atom"]),
        ("https://www.kickstarter.com/profile/someone", []),
        (
            "https://store.steampowered.com/app/958260/80_Days/",
            ["https://store.steampowered.com/feeds/news/app/958260/"],
        ),
        ("https://store.steampowered.com/news/app/958260", ["https://store.steampowered.com/feeds/news/app/958260/"]),
        ("https://steamcommunity.com/app/958260/news", ["https://store.steampowered.com/feeds/news/app/958260/"]),
        ("https://steamcommunity.com/groups/valve", ["https://steamcommunity.com/groups/valve/rss/"]),
        ("https://store.steampowered.com/feeds/news/app/958260/", []),
        ("https://store.steampowered.com/search/?term=x", []),
        ("https://someone.itch.io/game/devlog/1/x", ["https://someone.itch.io/game/devlog.rss"]),
        ("https://itch.io/games/newest", ["https://itch.io/games/newest.xml"]),
        ("https://itch.io/games.xml", []),
    ],
)
def test_launches(url: str, expected: list[str]) -> None:
    assert [lead.url for lead in platform_leads(url)] == expected


def test_topic_and_category_pages() -> None:
    assert platform_leads("https://www.producthunt.com/topics/x")[0].kind is Kind.TOPIC
    assert platform_leads("https://www.producthunt.com/categories/x")[0].kind is Kind.CATEGORY
