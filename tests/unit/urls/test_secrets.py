"""A URL that holds a token is personal (rule T1)."""

from __future__ import annotations

import pytest

from feedward.urls.secrets import has_token, is_masked, mask_tokens


@pytest.mark.parametrize(
    "query",
    [
        "token=1f3a",
        "TOKEN=1f3a",
        "access_token=x",
        "accessToken=x",
        "feed_token=glft-1",
        "rss_token=1",
        "private-token=1",
        "a=1&auth=2b",
        "api_key=1",
        "apikey=1",
        "x.secret=1",
        "client_secret=1",
        "password=1",
        "key=a8d1f0c2b3e4958671a0",
        "user_key=1",
        "sig=1",
        "passkey=0",
        "torrent_pass=a1",
        "authkey=0a",
        "privaterss=1a",
        "passwd=x",
        "X-Amz-Signature=0a1b",
        "feed%5Ftoken=1",
        "pass=a8d1f0c2b3e4958671a0",
        "sid=a8d1f0c2b3e4958671a0",
        "session=Qm9va3MgYW5kIGZlZWRz1",
        "hash=0123456789abcdef0123456789abcdef",
        "feed=1234567890abcdef1234567890abcdef12345678&user=ada",
        "user=ada&pass=hunter2",
        "bearer=1",
        "sso=0123456789abcdef0123456789abcdef",
        "ticket=0123456789abcdef0123456789abcdef",
        "userhash=0123456789abcdef0123456789abcdef",
        "__token__=1f3a",
        "a=1;token=1f3a",
        "action=.xml;type=rss;sid=0123456789abcdef0123456789abcdef",
        "s=0123456789abcdef0123456789abcdef",
        "t=5000&i=12&r=0123456789abcdef0123456789abcdef",
        "num=50&api=0123456789abcdef0123456789abcdef",
        "u=44&h=0123456789abcdef0123456789abcdef",
        "pk=0123456789abcdef0123456789abcdef",
        "a=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "a=glpat-0a1b2c3d4e5f6g7h8i9j",
        "a=ghp_0123456789abcdefABCDEF0123456789abcd",
    ],
)
def test_a_parameter_that_is_a_token_makes_a_url_private(query: str) -> None:
    assert has_token(f"https://feeds.example.com/private.xml?{query}")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/feed",
        "https://example.com/token=1/feed",
        "https://example.com/feed#token=1",
        "https://example.com/feed?token=",
        "https://example.com/feed?token",
        "https://example.com/feed?author=ada",
        "https://example.com/feed?q=token",
        "https://example.com/feed?key=music",
        "https://example.com/feed?key=a-word-that-is-long",
        "https://example.com/feed?keyword=2024-09-02-tokens-and-more",
        "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789012345678901",
        "https://example.com/feed?sid=12",
        "https://example.com/feed;jsessionid=1",
        "https://example.com/feed;v=0123456789abcdef0123456789abcdef",
        "https://example.com/feed?ticket=concert",
        "https://example.com/secret:garden/rss",
        "https://example.com/feed?pass=1",
        "https://example.com/feed?session=2024-spring-term-in-rome",
        "https://example.com/feed?hash=tokens-of-2024-09-02",
        "https://example.com/?feed=rss2",
        "https://example.com/feed?user=ada&feed=photos",
        "https://example.com/feed?user=ada",
        "https://example.com/feed?id=0123456789abcdef0123456789abcdef",
        "https://example.com/feed?passenger=a8d1f0c2b3e4958671a0",
        "https://example.com/playlist/123e4567-e89b-12d3-a456-426614174000/podcast.rss",
        "https://example.com/public/shows/507f1f77bcf86cd799439011",
        "https://example.com/premium/feed.xml",
        "https://example.com/private/rss",
        "https://example.com/members/ada/feed/",
        "https://example.com/members/2024/feed",
        "https://example.com/patrons/the-friends-of-2024/feed.xml",
        "https://example.com/tokens/ethereum/rss",
        "https://example.com/private-equity/feed",
        "https://example.com/private-abcde.xml",
        "https://example.com/feed?k=news&h=2024&pk=12&tp=rock",
        "https://example.com/member-news/a1b2c3/feed",
        "https://example.com/eyJust.a-name/feed",
        "https://example.com/glenn-greenwald-and-snowden/feed",
        "https://www.reddit.com/r/python/.rss",
        "https://www.reddit.com/user/ada/.rss?feed=",
        "https://www.patreon.com/rss/ada",
        "https://feeds.pinboard.in/rss/u:ada/",
        "https://ada.substack.com/feed",
        "https://api.substack.com/feed/podcast/12345.rss",
        "https://feeds.acast.com/public/shows/123e4567-e89b-12d3-a456-426614174000",
        "https://calendar.google.com/calendar/ical/ada%40example.com/public/basic.ics",
        "https://github.com/ada/engine/releases.atom",
        "https://gitlab.com/ada/engine.atom",
        "https://ada.memberful.com/rss/12",
        "https://example.com/?s=tea",
        "https://example.com/feed?r=20240902101010&s=the-2024-season-in-numbers-and-facts",
        "https://example.com/feed?api=v2",
        "https://example.com/rss/file.php/123/news.xml",
        "https://example.com/rss?a=1;b=2",
        "https://forums.plex.tv/latest.rss",
        "https://links.example/feeds/shared",
        "https://blog.example/feed/ada/hello-world/all",
        "https://blog.example/feed/archive2024/Category2024/all.xml",
        "https://blog.example/en/20240902/all.xml",
        "https://uni.example/feeds/courses/course_1.atom",
        "https://blog.example/feeds/posts_about_everything_that_is_of_interest.atom",
        "https://blog.example/rss/123.xml",
        "https://www.instapaper.com/rss/12345/",
        "https://www.newsblur.com/social/rss/12345/ada",
        "https://status.example/public.php?op=rss&id=12",
        "no url",
    ],
)
def test_all_others_are_everybodys(url: str) -> None:
    assert not has_token(url)


@pytest.mark.parametrize(
    "path",
    [
        "private/9f3a71c2b1/feed.xml",
        "private/abc123/feed",
        "feed;jsessionid=0123456789ABCDEF0123456789ABCDEF.node1",
        "private/123e4567-e89b-12d3-a456-426614174000.rss",
        "Premium/9f3a71c2/rss",
        "subscribers/8f14e45fceea167a",
        "subscriber/8f14e45fceea167a.xml",
        "members/feed/8f14e45fceea167a5a36dedd4bea2543",
        "members-only/8f14e45fceea167a5a36dedd4bea2543/feed",
        "patron/4f2a9c/feed",
        "token/0a1b2c3d/rss",
        "tokens/0a1b2c3d/rss",
        "cal/private-1a2b3c4d5e6f/basic.ics",
        "cal/private-deadbeef/basic.ics",
        "feeds/private-9f3a71c2.xml",
        "rss/private_0123456789abcdef",
        "x/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "x/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl.rss",
        "x/glft-0a1b2c3d4e5f6g7h8i9j/feed",
    ],
)
def test_a_segment_that_is_a_token_makes_a_url_private(path: str) -> None:
    assert has_token(f"https://feeds.example.com/{path}")


@pytest.mark.parametrize(
    "url",
    [
        "https://www.reddit.com/.rss?feed=0a1b2c&user=ada",
        "https://old.reddit.com/r/python/.rss?user=ada&feed=1234567890abcdef",
        "https://www.patreon.com/rss/ada?auth=Abc",
        "https://api.substack.com/feed/podcast/12/private/123e4567-e89b-12d3-a456-426614174000.rss",
        "https://show.supportingcast.fm/content/eyJ0IjoicCIsImMiOiI2NTUi.rss",
        "https://show.supercast.com/feeds/abcdef",
        "https://feeds.supercast.com/x/0a1b2c3d4e",
        "https://show.memberful.com/rss/12?auth=Abc",
        "https://show.memberful.com/rss/9Xk2LmQ7vT",
        "https://access.acast.com/rss/abcdef",
        "https://access.acast.com/rss/show/abcdef",
        "https://calendar.google.com/calendar/ical/ada%40example.com/private-0a1b2c/basic.ics",
        "https://github.com/ada.private.atom?token=ABC",
        "https://gitlab.com/dashboard/issues.atom?feed_token=glft-1",
        "https://gitlab.com/dashboard/issues.atom?private_token=1",
        "https://moodle.example/rss/file.php/123/0123456789abcdef0123456789abcdef/mod_forum/5/rss.xml",
        "https://uni.example/learn/rss/file.php/9/0123456789abcdef0123456789abcdef/blog/user/2/rss.xml",
        "https://rss.plex.tv/123e4567-e89b-12d3-a456-426614174000",
        "https://www.newsblur.com/reader/starred_rss/12345/abcdef123456/tag",
        "https://www.newsblur.com/reader/folder_rss/12345/abcdef123456/unread/tech",
        "https://www.instapaper.com/rss/12345/aBcD3F9kLmN0",
        "https://www.instapaper.com/folder/77/rss/12345/aBcD3F9kLmN0",
        "https://rss24h.torrentleech.org/abcdef0123456789abcd",
        "https://animebytes.tv/feed/rss_torrents_anime/a1b2c3d4e5f6a7b8c9d0e1f2",
        "https://rss.uptimerobot.com/u8613-0123456789abcdef0123456789abcdef",
        "https://trakt.tv/users/ada/history.atom?slr=0123456789abcdef0123456789abcdef",
        # of software on any host: tt-rss, wallabag, linkding, Canvas, UNIT3D
        "https://reader.example/tt-rss/public.php?op=rss&id=-2&key=5f8a1c2e9b7d3",
        "https://bag.example/feed/ada/Ab3dE5fGh7Jk/unread",
        "https://bag.example/feed/ada/Ab3dE5fGh7Jk/tags/tea",
        "https://bag.example/ada/Ab3dE5fGh7Jk/all.xml",
        "https://links.example/feeds/0123456789abcdef0123456789abcdef01234567/unread",
        "https://uni.example/feeds/announcements/enrollment_uRtGl4kGx9aB3dE5fGh7Jk9lMn1pQr3s.atom",
        "https://tracker.example/rss/123.aB3dE5fGh7Jk9lMn1pQr3sTu5vWx7yZ9",
    ],
)
def test_the_private_feeds_of_known_platforms_are_private(url: str) -> None:
    assert has_token(url)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/feed?a=1&b", "https://a.example/feed?a=1&b"),
        ("https://a.example/feed?a=1&token=1f3a&b#c", "https://a.example/feed?a=1&token=...&b"),
        ("https://a.example/x?auth=1&api_key=2", "https://a.example/x?auth=...&api_key=..."),
        ("https://www.reddit.com/.rss?feed=0a1b2c&user=ada", "https://www.reddit.com/.rss?feed=...&user=..."),
        ("https://a.example/private/9f3a71c2/rss?a=1", "https://a.example/private/.../rss?a=1"),
        ("https://calendar.google.com/x/private-0a1b2c/basic.ics", "https://calendar.google.com/x/.../basic.ics"),
        ("https://access.acast.com/rss/show/abcdef", "https://access.acast.com/rss/.../..."),
        ("https://a.example/?a=1;token=1f3a&b=2", "https://a.example/?a=...&b=2"),
        ("a.example/feed?token=1f3a", "https://a.example/feed?token=..."),
        ("ftp://a.example/private/9f3a71c2?token=1f3a", "ftp://a.example/private/...?token=..."),
        ("no url", "no url"),
        ("", ""),
    ],
)
def test_a_mask_takes_the_place_of_each_token_and_of_nothing_else(url: str, shown: str) -> None:
    assert mask_tokens(url) == shown
    assert is_masked(shown) == (url != shown)
    assert mask_tokens(shown) == shown
