"""Feeds of platforms of videos: by the URL where it names an id, by the page where it names a person."""

from __future__ import annotations

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads

FEED = "https://www.youtube.com/feeds/videos.xml"
CHANNEL = "UC0123456789abcdefghijkl"
UPLOADS = [
    f"{FEED}?channel_id={CHANNEL}",
    f"{FEED}?playlist_id=UULF0123456789abcdefghijkl",
    f"{FEED}?playlist_id=UUSH0123456789abcdefghijkl",
    f"{FEED}?playlist_id=UULV0123456789abcdefghijkl",
]


def feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]


def page_feeds(url: str, html: str = "", *, canonical: str | None = None, **meta: str) -> list[str]:
    page = Page(url=url, base_url=url, canonical_url=canonical, meta=meta, html=html)
    return [lead.url for lead in page_platform_leads(url, page)]


@pytest.mark.parametrize(
    "url",
    [
        f"https://www.youtube.com/channel/{CHANNEL}",
        f"http://youtube.com/channel/{CHANNEL}/",
        f"https://M.YouTube.com/channel/{CHANNEL}/videos?view=0&sort=dd#top",
        f"https://music.youtube.com/channel/{CHANNEL}",
        f"https://www.youtube.com//channel/{CHANNEL}/community",
        f"https://www.youtube.com/embed/live_stream?channel={CHANNEL}",
    ],
)
def test_a_channel_has_its_feed_though_no_page_links_it(url: str) -> None:
    leads = platform_leads(url)

    assert [lead.url for lead in leads] == UPLOADS
    assert [lead.kind for lead in leads] == [Kind.MAIN, Kind.SECTION, Kind.SECTION, Kind.SECTION]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.youtube.com/user/NAME", f"{FEED}?user=NAME"),
        ("https://m.youtube.com/user/NAME/videos", f"{FEED}?user=NAME"),
        ("https://www.youtube.com/playlist?list=PL1", f"{FEED}?playlist_id=PL1"),
        ("https://music.youtube.com/playlist?list=OLAK5uy_k2xyz", f"{FEED}?playlist_id=OLAK5uy_k2xyz"),
        ("https://www.youtube.com/watch?v=6IutBmRJNLk&list=PLOOw-EPg_F&index=4", f"{FEED}?playlist_id=PLOOw-EPg_F"),
        ("https://youtu.be/6IutBmRJNLk?list=PLOOw", f"{FEED}?playlist_id=PLOOw"),
        ("https://www.youtube.com/embed/videoseries?list=PLOOw", f"{FEED}?playlist_id=PLOOw"),
    ],
)
def test_users_and_playlists_have_a_parameter_each(url: str, expected: str) -> None:
    assert feeds(url) == [expected]


@pytest.mark.parametrize(
    "url",
    [
        "https://www.youtube.com/@Somename",
        "https://www.youtube.com/c/Somename",
        "https://www.youtube.com/Somename",
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        "https://youtu.be/dQw4w9WgXcQ",
        "https://www.youtube.com/shorts/dQw4w9WgXcQ",
    ],
)
def test_a_name_or_a_video_says_no_id_so_no_feed_is_made_up(url: str) -> None:
    assert feeds(url) == []
    assert page_feeds(url) == []


@pytest.mark.parametrize("playlist", ["RDdQw4w9WgXcQ", "RDMM", "WL", "LL", "LM", "TLabc", "", "a%20b"])
def test_a_list_made_for_its_viewer_has_no_feed(playlist: str) -> None:
    assert feeds(f"https://www.youtube.com/watch?v=dQw4w9WgXcQ&list={playlist}") == []


@pytest.mark.parametrize(
    "url",
    [
        f"{FEED}?channel_id={CHANNEL}",
        f"{FEED}?playlist_id=PL1",
        "https://www.youtube.com/",
        "https://www.youtube.com/feed/trending",
        "https://www.youtube.com/results?search_query=x",
        "https://www.youtube.com/channel/notanid",
        "https://example.com/channel/UC0123456789abcdefghijkl",
        "https://notyoutube.com/user/NAME",
    ],
)
def test_other_pages_have_none(url: str) -> None:
    assert feeds(url) == []


@pytest.mark.parametrize(
    "url",
    [
        "https://www.youtube.com/@Somename",
        "https://www.youtube.com/@Somename/videos",
        "https://www.youtube.com/c/Somename/",
        "https://www.youtube.com/Somename",
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        "https://www.youtube.com/shorts/dQw4w9WgXcQ",
        "https://www.youtube.com/live/dQw4w9WgXcQ?feature=shared",
        "https://www.youtube.com/embed/dQw4w9WgXcQ",
        "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
        "https://m.youtube.com/@Somename",
        "https://youtu.be/dQw4w9WgXcQ",
    ],
)
def test_the_page_says_whose_channel_it_is(url: str) -> None:
    assert page_feeds(url, f'<script>var x = {{"externalChannelId":"{CHANNEL}"}}</script>') == UPLOADS


@pytest.mark.parametrize(
    "html",
    [
        f'{{"externalId":"{CHANNEL}"}}',
        f'{{"channelId": "{CHANNEL}"}}',
        f'"{{\\"channelId\\":\\"{CHANNEL}\\"}}"',
        f"'\\x22channelId\\x22:\\x22{CHANNEL}\\x22'",
        f"&quot;channelId&quot;:&quot;{CHANNEL}&quot;",
    ],
)
def test_scripts_write_the_id_in_many_ways(html: str) -> None:
    assert page_feeds("https://www.youtube.com/@Somename", html)[0] == UPLOADS[0]


def test_elements_name_the_channel_too() -> None:
    url = "https://www.youtube.com/@Somename"

    assert page_feeds(url, canonical=f"https://www.youtube.com/channel/{CHANNEL}") == UPLOADS
    assert page_feeds(url, identifier=CHANNEL) == UPLOADS
    assert page_feeds(url, channelid=CHANNEL) == UPLOADS
    assert page_feeds(url, **{"og:url": f"https://www.youtube.com/channel/{CHANNEL}"}) == UPLOADS


def test_the_channel_of_a_page_counts_more_than_mentioned_channels() -> None:
    other = "UCzzzzzzzzzzzzzzzzzzzzzz"
    html = f'{{"channelId":"{other}"}} {{"externalId":"{CHANNEL}"}}'

    assert page_feeds("https://www.youtube.com/@Somename", html) == UPLOADS
    assert page_feeds("https://www.youtube.com/@Somename", f'"channelId":"{other}"', channelid=CHANNEL) == UPLOADS


def test_the_id_of_a_video_is_no_channel() -> None:
    assert page_feeds("https://www.youtube.com/watch?v=UCabcdefghi", identifier="UCabcdefghi") == []


@pytest.mark.parametrize("url", ["https://www.youtube.com/", "https://www.youtube.com/feed/trending"])
def test_a_page_of_many_channels_belongs_to_no_channel(url: str) -> None:
    assert page_feeds(url, f'"channelId":"{CHANNEL}"') == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://vimeo.com/channels/staffpicks", ["https://vimeo.com/channels/staffpicks/videos/rss"]),
        ("https://vimeo.com/channels/staffpicks/76979871", ["https://vimeo.com/channels/staffpicks/videos/rss"]),
        ("https://vimeo.com/groups/hd/", ["https://vimeo.com/groups/hd/videos/rss"]),
        ("https://www.vimeo.com/user123", ["https://vimeo.com/user123/videos/rss"]),
        ("https://vimeo.com/Some-One/videos?x", ["https://vimeo.com/Some-One/videos/rss"]),
        (
            "https://vimeo.com/someone/likes",
            ["https://vimeo.com/someone/likes/rss", "https://vimeo.com/someone/videos/rss"],
        ),
        ("https://vimeo.com/showcase/8351", ["https://vimeo.com/album/8351/rss"]),
        ("https://vimeo.com/staff", ["https://vimeo.com/staff/videos/rss"]),
        ("https://vimeo.com/someone/likes/rss", []),
        ("https://vimeo.com/76979871", []),
        ("https://vimeo.com/", []),
        ("https://vimeo.com/log_in", []),
        ("https://vimeo.com/categories/animation", []),
        ("https://www.dailymotion.com/bfmtv", ["https://www.dailymotion.com/rss/bfmtv"]),
        ("https://DAILYMOTION.com/bfmtv/?a=b", ["https://www.dailymotion.com/rss/bfmtv"]),
        ("https://www.dailymotion.com/playlist/x7vjjm", ["https://www.dailymotion.com/rss/playlist/x7vjjm"]),
        ("https://www.dailymotion.com/playlist/x7vjjm_news/1", ["https://www.dailymotion.com/rss/playlist/x7vjjm"]),
        ("https://www.dailymotion.com/fr", []),
        ("https://www.dailymotion.com/rss/bfmtv", []),
        ("https://www.dailymotion.com/video/x8abc", []),
        ("https://www.dailymotion.com/", []),
        ("https://odysee.com/@Chan:4/video:9", ["https://odysee.com/$/rss/@Chan:4"]),
        ("https://www.bitchute.com/channel/abc/", ["https://www.bitchute.com/feeds/rss/channel/abc"]),
        ("https://www.nicovideo.jp/user/12/video", ["https://www.nicovideo.jp/user/12/video?rss=2.0"]),
        (
            "https://framatube.org/c/a@b.example/videos",
            ["https://framatube.org/feeds/videos.xml?videoChannelName=a@b.example"],
        ),
    ],
)
def test_other_platforms(url: str, expected: list[str]) -> None:
    assert feeds(url) == expected


def test_the_page_of_a_vimeo_video_names_its_owner() -> None:
    html = r'<script>{"owner":{"id":7,"name":"S","url":"https:\/\/vimeo.com\/someone"}}</script>'

    assert page_feeds("https://vimeo.com/76979871", html) == ["https://vimeo.com/someone/videos/rss"]
    assert page_feeds("https://vimeo.com/76979871", html.replace("someone", "categories")) == []
    assert page_feeds("https://vimeo.com/", html) == []


def test_peertube_is_recognized_on_any_host() -> None:
    meta = {"og:platform": "PeerTube"}

    assert page_feeds("https://tube.example/a/me/video-channels", **meta) == [
        "https://tube.example/feeds/videos.xml?accountName=me"
    ]
    assert page_feeds("https://tube.example/a/me") == []
