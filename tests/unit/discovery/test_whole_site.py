"""The main feed among a news site's dozens of feeds, by its name."""

from __future__ import annotations

import pytest

from feedward.discovery.own_site import names_whole_site

SITE = "https://example.com"


@pytest.mark.parametrize(
    "path",
    ["/rss/all.xml", "/rss/top-stories.xml", "/rss/HomePage.xml", "/feeds/latest", "/x/une.xml", "/alle_artikel/rss"],
)
def test_path_that_names_the_whole(path: str) -> None:
    assert names_whole_site(SITE + path, None)


@pytest.mark.parametrize(
    "title", ["Top Stories", "All news", "Toute l'actualité", "Alle Nachrichten", "Últimas noticias"]
)
def test_title_that_names_the_whole(title: str) -> None:
    assert names_whole_site(f"{SITE}/rss/31.xml", title)


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/rss/politics.xml", "Politics"),
        ("/rss/all-blacks.xml", "All Blacks"),
        ("/rss/31.xml", "Top 10 recipes"),
        ("/rss/home-garden.xml", "Home & Garden"),
        ("/rss/31.xml", "RSS feed"),
        ("/feed", None),
        ("/", ""),
    ],
)
def test_part_or_nothing(path: str, title: str | None) -> None:
    assert not names_whole_site(SITE + path, title)
