"""Documents that are never fetched as a feed, by URL or type alone; possible feeds are left alone."""

from __future__ import annotations

import pytest

from feedward.discovery.rejects import is_never_a_feed

NEVER = """
    /wp-json/ /wp-json/wp/v2/posts/1 /WP-JSON/feed /blog/wp-json/oembed/1.0/embed?url=x /?rest_route=/oembed/1.0/embed
    /index.php?rest_route=%2Fwp%2Fv2%2Fposts /oembed?url=x /services/oembed/ /oembed.json?url=x
    /xmlrpc.php /xmlrpc.php?rsd
    /wp-admin/feed /wp-includes/rss.php /blogroll.opml /subscriptions.OPML /sitemap.xml /sitemap_index.xml
    /sitemap-1.xml /sitemap.xml.gz /news-sitemap.xml /wp-sitemap-posts-1.xml /sitemaps/sitemap.2.xml /post_sitemap3.xml
    /feed.jpg /rss.png /icon.svg /document.pdf /feed.css /app.js /show.mp3 /clip.mp4 /all.zip /dates.ics
    /opensearch.xml /osd.xml /browserconfig.xml /wlwmanifest.xml /robots.txt /manifest.json
"""
MAYBE = """
    / /feed /feed/ /feed.xml /rss.php /out.php?id=3 /feed.json /index.rdf /news.atom /feed.xml.gz /jpg /png/feed
    /wp-content/uploads/feed.xml /wp-jsonfeed /sitemap /my-sitemap-tips/feed/ /sitemapper.xml /a.jpg/feed
    /?feed=rss2 /?file=x.jpg /opml /opml/feed /about.html /manifest.json/feed /feed.aspx /oembed-news/feed
"""


@pytest.mark.parametrize("path", NEVER.split())
def test_never(path: str) -> None:
    assert is_never_a_feed(f"https://example.com{path}")
    assert is_never_a_feed(f"https://example.com{path}", "application/rss+xml")


@pytest.mark.parametrize("path", MAYBE.split())
def test_maybe(path: str) -> None:
    assert not is_never_a_feed(f"https://example.com{path}")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        *((kind, True) for kind in ("application/json+oembed", "text/xml+oembed", " Text/XML+oEmbed ; x=y")),
        *((kind, True) for kind in ("application/atom+xml;type=entry", 'application/atom+xml; TYPE="entry"')),
        *(
            (kind, True)
            for kind in ("text/html", "text/css; charset=utf-8", "image/png", "audio/mpeg", "application/pdf")
        ),
        *((kind, True) for kind in ("text/x-opml", "application/opensearchdescription+xml", "application/rsd+xml")),
        *(
            (kind, False)
            for kind in ("application/rss+xml", "application/atom+xml;type=feed", "text/xml", "", "x/y", None)
        ),
    ],
)
def test_types(kind: str | None, expected: bool) -> None:
    assert is_never_a_feed("https://example.com/x", kind) is expected


@pytest.mark.parametrize(
    "url",
    [
        "https://www.facebook.com/dialog/feed?app_id=1&link=https://example.com/",
        *("https://m.facebook.com/tea/rss", "https://facebook.com./feed", "https://www.linkedin.com/feed/"),
        *("https://x.com/rss", "https://twitter.com/intent/feed", "https://www.instagram.com/feed"),
        *("https://www.youtube.com/feed/subscriptions", "https://vk.com/feed", "https://www.tumblr.com/feed/x"),
    ],
)
def test_pages_of_networks_without_feeds_are_never_feeds(url: str) -> None:
    assert is_never_a_feed(url)


@pytest.mark.parametrize(
    "url",
    [
        *("https://www.youtube.com/feeds/videos.xml?channel_id=UC1", "https://tea.tumblr.com/feed"),
        *("https://notfacebook.com/feed", "https://facebook.com.example/feed", "https://api.vk.com/rss"),
    ],
)
def test_other_hosts_may_have_feeds(url: str) -> None:
    assert not is_never_a_feed(url)


def test_a_text_that_is_no_url_is_never_a_feed() -> None:
    assert is_never_a_feed("feed.xml")
