"""Feeds of music and podcasts: Apple's directory names the publisher's feed, SoundCloud's page its user's number."""

from __future__ import annotations

import json

import pytest

from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads, platform_lookup

TRACKS = "https://feeds.soundcloud.com/users/soundcloud:users:{}/sounds.rss"


def page_feeds(url: str, html: str) -> list[str]:
    return [lead.url for lead in page_platform_leads(url, Page(url=url, base_url=url, html=html))]


def read(url: str, body: bytes) -> list[str]:
    lookup = platform_lookup(url)
    assert lookup
    return [proposal.url for proposal in lookup.read(body)]


@pytest.mark.parametrize(
    ("url", "html", "user"),
    [
        ("https://soundcloud.com/someone", '<meta property="al:ios:url" content="soundcloud://users:123">', "123"),
        ("https://soundcloud.com/someone/track", '"sound" {"id":9,"user_id":123} soundcloud://sounds:9', "123"),
        ("https://m.soundcloud.com/someone/sets/x?y", '"urn":"soundcloud:users:123"', "123"),
        ("https://soundcloud.com/someone", 'soundcloud://users:123 "user_id":7 soundcloud:users:8', "123"),
    ],
)
def test_the_page_says_the_number_of_its_user(url: str, html: str, user: str) -> None:
    assert page_feeds(url, html) == [TRACKS.format(user)]


@pytest.mark.parametrize(
    ("url", "html"),
    [
        ("https://soundcloud.com/someone", "nothing here"),
        ("https://soundcloud.com/someone", "soundcloud://sounds:9"),
        ("https://soundcloud.com/discover", "soundcloud://users:123"),
        ("https://soundcloud.com/", "soundcloud://users:123"),
        ("https://example.com/someone", "soundcloud://users:123"),
    ],
)
def test_where_it_does_not_there_is_no_feed(url: str, html: str) -> None:
    assert page_feeds(url, html) == []


@pytest.mark.parametrize(
    "url",
    [
        "https://podcasts.apple.com/us/podcast/the-daily/id1200361736",
        "https://podcasts.apple.com/de/podcast/id1200361736/",
        "https://podcasts.apple.com/us/podcast/an-episode/id1200361736?i=1000650000000",
        "https://Podcasts.Apple.com/id1200361736",
        "https://itunes.apple.com/us/podcast/the-daily/id1200361736?mt=2",
        "https://overcast.fm/itunes1200361736/the-daily",
        "https://pca.st/itunes/1200361736",
        "https://castro.fm/itunes/1200361736/the-daily",
    ],
)
def test_a_directory_of_podcasts_is_looked_up_by_apples_number(url: str) -> None:
    lookup = platform_lookup(url)

    assert lookup
    assert lookup.url == "https://itunes.apple.com/lookup?id=1200361736&entity=podcast"


@pytest.mark.parametrize(
    "url",
    [
        "https://podcasts.apple.com/us/browse",
        "https://podcasts.apple.com/us/channel/wondery/id6442453660",
        "https://podcasts.apple.com/us/genre/podcasts-arts/id1301",
        "https://podcasts.apple.com/us/artist/npr/id125443881",
        "https://podcasts.apple.com/us/podcast/the-daily",
        "https://itunes.apple.com/us/app/x/id1200361736",
        "https://example.com/podcast/id1200361736",
        "https://overcast.fm/+AbC",
    ],
)
def test_a_url_without_a_number_is_not_looked_up(url: str) -> None:
    assert platform_lookup(url) is None


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"results": [{"feedUrl": "https://feeds.example/daily"}]}, ["https://feeds.example/daily"]),
        ({"results": [{"kind": "podcast"}, {"feedUrl": "http://feeds.example/x y"}]}, ["http://feeds.example/x%20y"]),
        ({"results": [{"feedUrl": "javascript:alert(1)"}, {"feedUrl": 7}, "x", None]}, []),
        ({"results": []}, []),
        ({"results": None}, []),
        ({"results": 7}, []),
        ({"results": {"feedUrl": "https://feeds.example/daily"}}, []),
        ([], []),
        (None, []),
    ],
)
def test_the_answer_names_the_publishers_feed(answer: object, expected: list[str]) -> None:
    assert read("https://podcasts.apple.com/us/podcast/x/id1", json.dumps(answer).encode()) == expected


@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff\xfe\x00", b"[" * 100_000])
def test_an_answer_that_is_no_json_names_none(body: bytes) -> None:
    assert read("https://podcasts.apple.com/us/podcast/x/id1", body) == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://show.podbean.com/e/episode/", ["https://feed.podbean.com/show/feed.xml"]),
        ("https://www.podbean.com/", []),
        ("https://show.transistor.fm/episodes/3", ["https://feeds.transistor.fm/show"]),
        ("https://show.libsyn.com/", ["https://show.libsyn.com/rss"]),
        ("https://show.libsyn.com/rss", []),
        ("https://show.fireside.fm/12", ["https://show.fireside.fm/rss"]),
        ("https://www.buzzsprout.com/123456/episodes/1-x", ["https://feeds.buzzsprout.com/123456.rss"]),
        ("https://shows.acast.com/show/episodes/x", ["https://feeds.acast.com/public/shows/show"]),
        ("https://art19.com/shows/show", ["https://rss.art19.com/show"]),
        ("https://audioboom.com/channels/4322549-casefile", ["https://audioboom.com/channels/4322549.rss"]),
        ("https://audioboom.com/channels/4322549.rss", []),
        ("https://www.spreaker.com/podcast/some-show--123", ["https://www.spreaker.com/show/123/episodes/feed"]),
        ("https://www.spreaker.com/show/123", ["https://www.spreaker.com/show/123/episodes/feed"]),
        ("https://rss.com/podcasts/show/99/", ["https://media.rss.com/show/feed.xml"]),
        ("https://hearthis.at/someone/track/", ["https://hearthis.at/someone/podcast/"]),
        ("https://www.ximalaya.com/album/123", ["https://www.ximalaya.com/album/123.xml"]),
        ("https://www.ximalaya.com/youshengshu/123/", ["https://www.ximalaya.com/album/123.xml"]),
    ],
)
def test_hosts_of_podcasts(url: str, expected: list[str]) -> None:
    assert [lead.url for lead in platform_leads(url)] == expected
