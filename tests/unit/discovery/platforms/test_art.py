"""Feeds of platforms of pictures."""

from __future__ import annotations

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads

FLICKR = "https://api.flickr.com/services/feeds"
DEVIANTART = "https://backend.deviantart.com/rss.xml?type=deviation&q="
WORKS = f"{DEVIANTART}by%3Ayuumei%20sort%3Atime%20meta%3Aall"
PHOTOS = f"{FLICKR}/photos_public.gne?id=12345678@N00"


def feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.flickr.com/photos/12345678@N00/", [PHOTOS]),
        ("https://flickr.com/photos/12345678@N00/53000000001/in/feed", [PHOTOS]),
        ("https://www.flickr.com/photos/12345678%40N00", [PHOTOS]),
        ("https://www.flickr.com/people/12345678@N00/", [PHOTOS]),
        (
            "https://www.flickr.com/photos/12345678@N00/albums/72157",
            [f"{FLICKR}/photoset.gne?nsid=12345678@N00&set=72157", PHOTOS],
        ),
        (
            "https://www.flickr.com/photos/12345678@N00/favorites/",
            [f"{FLICKR}/photos_faves.gne?id=12345678@N00", PHOTOS],
        ),
        ("https://www.flickr.com/groups/52242317293@N01/pool/", [f"{FLICKR}/groups_pool.gne?id=52242317293@N01"]),
        ("https://www.flickr.com/photos/tags/new%20york", [f"{FLICKR}/photos_public.gne?tags=new%20york"]),
        ("https://www.flickr.com/photos/someone/", []),
        ("https://www.flickr.com/explore", []),
        (PHOTOS, []),
    ],
)
def test_flickr(url: str, expected: list[str]) -> None:
    assert feeds(url) == expected


@pytest.mark.parametrize(
    ("path", "html", "expected"),
    [
        ("photos/someone/", '{"ownerNsid":"12345678@N00"}', PHOTOS),
        ("photos/someone/53000000001", '"nsid": "12345678@N00"', PHOTOS),
        ("people/someone", 'content="flickr://flickr.com/photos/12345678@N00" "nsid":"9@N1"', PHOTOS),
        ("groups/central/", '{"nsid":"12345678@N00"}', f"{FLICKR}/groups_pool.gne?id=12345678@N00"),
    ],
)
def test_a_name_on_flickr_stands_for_a_number_that_the_page_says(path: str, html: str, expected: str) -> None:
    url = f"https://www.flickr.com/{path}"

    assert [lead.url for lead in page_platform_leads(url, Page(url=url, base_url=url, html=html))] == [expected]
    assert page_platform_leads(url, Page(url=url, base_url=url, html="<html>")) == []


@pytest.mark.parametrize("path", ["explore", "photos/tags/x", "search", ""])
def test_pages_of_many_people_on_flickr_belong_to_no_person(path: str) -> None:
    url = f"https://www.flickr.com/{path}"
    page = Page(url=url, base_url=url, html='"nsid":"12345678@N00"')

    assert PHOTOS not in [lead.url for lead in page_platform_leads(url, page)]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://deviantart.com/yuumei", [WORKS]),
        ("https://WWW.deviantart.com/yuumei/?offset=24", [WORKS]),
        ("https://www.deviantart.com/yuumei/gallery", [WORKS]),
        ("https://www.deviantart.com/yuumei/art/Title-123", [WORKS]),
        ("https://yuumei.deviantart.com/art/Title-123", [WORKS]),
        ("https://www.deviantart.com/yuumei/gallery/123456/folder-name", [f"{DEVIANTART}gallery%3Ayuumei%2F123456"]),
        ("https://www.deviantart.com/yuumei/favourites", [f"{DEVIANTART}favby%3Ayuumei"]),
        ("https://www.deviantart.com/yuumei/favourites/7/best", [f"{DEVIANTART}favby%3Ayuumei%2F7"]),
        ("https://www.deviantart.com/tag/r&d", [f"{DEVIANTART}tag%3Ar%26d"]),
        ("https://www.deviantart.com/tag/caf%C3%A9", [f"{DEVIANTART}tag%3Acaf%C3%A9"]),
        ("https://www.deviantart.com/SEARCH", []),
        ("https://www.deviantart.com/about/gallery/123456/folder-name", []),
        ("https://www.deviantart.com/", []),
        (f"{DEVIANTART}by%3Ayuumei", []),
    ],
)
def test_deviantart(url: str, expected: list[str]) -> None:
    assert feeds(url) == expected


def test_a_tag_is_a_tag() -> None:
    assert platform_leads("https://www.deviantart.com/tag/x")[0].kind is Kind.TAG
    assert platform_leads("https://www.flickr.com/photos/tags/x")[0].kind is Kind.TAG


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.behance.net/JohnDoe", ["https://www.behance.net/feeds/user?username=JohnDoe"]),
        ("https://behance.net/johndoe/projects/", ["https://www.behance.net/feeds/user?username=johndoe"]),
        (
            "https://www.behance.net/johndoe/appreciated",
            ["https://www.behance.net/feeds/user?username=johndoe&content=appreciated"],
        ),
        ("https://www.behance.net/gallery/123/Title", []),
        ("https://www.behance.net/feeds/user?username=johndoe", []),
        ("https://www.behance.net/", []),
        ("https://www.artstation.com/wlop", ["https://www.artstation.com/wlop.rss"]),
        ("https://wlop.artstation.com/projects/x", ["https://www.artstation.com/wlop.rss"]),
        ("https://www.artstation.com/artwork/abc", []),
        ("https://www.artstation.com/wlop.rss", []),
    ],
)
def test_portfolios(url: str, expected: list[str]) -> None:
    assert feeds(url) == expected
