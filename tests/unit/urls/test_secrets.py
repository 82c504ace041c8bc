"""A URL that holds a token is somebody's own (rule T1)."""

from __future__ import annotations

import pytest

from feedward.urls.secrets import has_token


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
        "no url",
    ],
)
def test_all_others_are_everybodys(url: str) -> None:
    assert not has_token(url)
