"""Feed-like anchors: strong by path, weak by words, best first, and nothing by accident (rule D5)."""

from __future__ import annotations

import pytest

from feedward.discovery.candidate import Lead, Source
from feedward.discovery.page import read_page

SITE = "https://example.com/"


def anchors(html: str, url: str = SITE) -> list[Lead]:
    return list(read_page(html.encode(), url=url, headers={}).anchors)


def source_of(anchor: str) -> Source | None:
    found = anchors(anchor)
    return found[0].source if found else None


STRONG = """
    /feed /feed/ /feeds /FEED /Feed /rss /rss/ /RSS.XML /atom /index.rdf /feed.xml /articles.xml /news.atom /rss.php
    /rss2 /rss2.0.xml /my-feed /blog_feed /blog/feed /rss/list /u/1/rss/list /feeds/posts/default /a/feed/b/
    /GetRss.ashx /rssFeed /rssfeed /RSSFeeds.aspx /feed%20rss /feed;jsessionid=1 /comments/feed/ /rss?utm_source=t
    /?feed=rss2 /?FEED=RSS /x.php?id=1&format=feed /?type=atom /get?file=news.rss https://www.example.org/cat/?feed=rss
    feed://example.com/f.xml feed:https://example.com/f.xml
"""
NONE = """
    /about /feedback /feedss /buzzfeed /scissors /atomic /rssi /xmlish /newrss4u /feed/comments /rss/comments/
    /?feed /?feed=12 /?rss=1 /?q=rss /?tag=atom /search?query=feed /share?u=https://example.com/feed.xml
    /feed.jpg /rss.png /document.pdf /feed.opml /sitemap.xml /wp-admin/feed /wp-includes/rss.php /wp-json/feed
    /WP-JSON/OEMBED/feed /xmlrpc.php https://www.buzzfeed.com/x https://feed.example.org/ https://rss.example.org/about
    # #feed /#rss mailto:rss@example.com javascript:feed() data:application/rss+xml,x http://[feed
"""


@pytest.mark.parametrize("href", STRONG.split())
def test_a_path_that_says_feed_is_strong(href: str) -> None:
    assert source_of(f'<a href="{href}">x</a>') is Source.ANCHOR
    assert source_of(f'<area href="{href}">') is Source.ANCHOR


@pytest.mark.parametrize("href", NONE.split())
def test_a_path_that_does_not_say_feed_is_nothing(href: str) -> None:
    assert source_of(f'<a href="{href}">x</a>') is None


@pytest.mark.parametrize(
    "anchor",
    [
        *(
            f"<a href=/x>{text}</a>"
            for text in ("RSS", "Atom", "Our feed", "Subscribe", "Syndicate this", "XML", "RSS 2.0")
        ),
        *(f"<a href=/x>{text}</a>" for text in ("RSS2.0", "rss-feed", "RSS_1", "(Feeds)", "Newsfeed", "Web&shy;feed")),
        *(
            f"<a href=/x>{text}</a>"
            for text in ("RSS订阅", "订阅RSS", "RSSを購読", "Подписаться на RSS", "ＲＳＳ", "R&#8203;SS&#8203;")
        ),
        *(
            f"<a href=/x>{text}</a>"
            for text in ("<span>RSS</span>", "<b>Our</b><i>RSS</i>", "<div>RSS</div>", "Check our RSS here")
        ),
        *(f"<a href=/x {said}>x</a>" for said in ("title=RSS", "aria-label='Subscribe via RSS'", "class='icon rss'")),
        *(
            f"<a href=/x {said}>x</a>"
            for said in ("class=fa-rss", "class=rss_icon", "class=rssIcon", "class=feed-link", "class='btn atom'")
        ),
        "<a href=/x><img src=i.png alt='RSS feed'></a>",
        "<a href=/x><img src=i.png title=RSS></a>",
        "<a href=/x><span><img src=/img/xml.gif></span></a>",
        "<a href=/x><img src=/img/rss-icon.png?v=2></a>",
        *(
            f"<a href=/x><img src=/img/{file}></a>"
            for file in ("feed-icon-14x14.png", "icon_feed.svg", "feed.gif", "feed_icon.png", "feed-32x32.png")
        ),
        "<a href=/x><i class='fa fa-rss'></i></a>",
        "<a href=/x><svg><use href='#icon-rss'/></svg></a>",
        "<a href=/x><svg aria-label=RSS><path/></svg></a>",
        "<a href=/x><svg><title>RSS</title></svg></a>",
        "<map><area href=/x alt=RSS></map>",
        "<a href=/feed/comments>RSS of all comments</a>",
        *(
            f"<a href={url}>Subscribe</a>"
            for url in (
                "https://feeds.feedburner.com/Example",
                "//feeds2.feedburner.com/Example",
                "https://feeds.megaphone.fm/ABC123",
                "https://rss.art19.com/example",
                "https://feed.podbean.com/example/x",
            )
        ),
    ],
)
def test_words_that_say_feed_are_weak(anchor: str) -> None:
    assert source_of(anchor) is Source.WEAK_ANCHOR


@pytest.mark.parametrize(
    "anchor",
    [
        *(
            f"<a href=/x>{text}</a>"
            for text in ("scissors", "feedback", "atomic", "subscriber", "unsubscribe", "ÀRSS", "xmlns")
        ),
        *(
            f"<a href=/x {said}>x</a>"
            for said in ("class=feedback", "class=scissorsIcon", "id=rss", "data-x=rss", "name=feed")
        ),
        "<a href=/x><img src=/img/feedback.png></a>",
        *(f"<a href=/x><img src=/img/{file}></a>" for file in ("feed-the-birds.jpg", "chicken-feed-bag.png", "feed")),
        "<a href=/x><img src=/rss/photo.png></a>",
        *(
            f"<a href=/login><img src='{source}'></a>"
            for source in (
                "data:image/svg+xml;base64,PHN2Zz4=",
                " DATA:image/svg+xml,%3Csvg xml%3E",
                "data:text/xml,a/b",
            )
        ),
        *(
            f"<a href=/x class='{name}'>x</a>"
            for name in (
                *("feed-item", "nd-feed-list-card", "atom-tag", "feed__title", "FeedCard", "rss-item", "rssListItem"),
                *("xml-data", "news-feed-entry", "molecule-atom", "feed_link_card", "o-atom-button-text"),
                *("atom-button", "a-atom-link", "xml-nav-item"),
            )
        ),
        *(
            f"<a href={href}>Subscribe</a>"
            for href in (
                *("https://shop.example.com/subscribe", "/shop/tea", "/subscription/offer?x=1", "/login?next=/x"),
                *("https://ads.example/click?to=1", "/out?u=https://ads.example/", "/membership/join", "/newsletter"),
                *("https://example.org/subscribe", "/abo"),
            )
        ),
        "<a href=/x>x</a><img alt=RSS>",
        "<a href=/x>x</a> RSS",
        "<a>RSS</a>",
        "<a name=x>RSS</a>",
        "<a href=''>RSS</a>",
        "<a href='#'>RSS</a>",
        "<a href=/ title=RSS>x</a>",
        "<a href='javascript:0'>RSS</a>",
        "<a href=/logo.png>RSS</a>",
        "<a href=/feed/comments>Comments</a>",
        "<button>RSS</button>",
    ],
)
def test_words_that_do_not_say_feed_are_nothing(anchor: str) -> None:
    assert source_of(anchor) is None


def test_an_anchor_with_a_feed_type_is_strong() -> None:
    assert source_of("<a href=/x type='Application/RSS+XML; charset=x'>x</a>") is Source.ANCHOR
    assert source_of("<a href=/x type=text/xml>x</a>") is None
    assert source_of("<a href=/feed.xml type=text/html>RSS</a>") is None


def test_strong_come_before_weak_own_before_foreign_surer_ones_then_as_they_stand() -> None:
    html = """
        <a href=/w-long>Everything that you ever wanted to know about RSS and more</a>
        <a href=https://other.net/w>RSS</a>
        <a href=/w>RSS</a>
        <a href=https://other.net/feed>x</a>
        <a href=/comments/feed/>x</a>
        <a href=/rss-explained/>x</a>
        <a href=https://feeds.example.com/feed>x</a>
        <a href=/feed>x</a>"""

    found = anchors(html)

    assert [lead.url.replace("https://example.com", "") for lead in found] == [
        *("https://feeds.example.com/feed", "/feed", "/rss-explained/", "/comments/feed/", "https://other.net/feed"),
        *("/w", "/w-long", "https://other.net/w"),
    ]
    assert [lead.position for lead in found] == list(range(8))


BUTTONS = {
    "https://tea.example/show/out": [
        "feed://tea.example/show/out",
        "podcast://tea.example/show/out",
        "PODCAST:https://tea.example/show/out",
        "pcast:tea.example/show/out",
        "overcast://x-callback-url/add?url=https%3A%2F%2Ftea.example%2Fshow%2Fout",
        "overcast://x-callback-url/add?url=tea.example/show/out&x=1",
        "pktc://subscribe/tea.example/show/out",
        "castros://subscribe/tea.example/show/out",
        "podkicker://subscribe/https%3A%2F%2Ftea.example%2Fshow%2Fout",
        "antennapod-subscribe://tea.example/show/out",
        "rssradio://https://tea.example/show/out",
        "https://www.inoreader.com/?add_feed=https%3A%2F%2Ftea.example%2Fshow%2Fout",
        "https://reader.example/go?x=1&add_feed=https://tea.example/show/out&y=2",
        "https://feedly.com/i/subscription/feed/https://tea.example/show/out",
        "https://feedly.com/i/subscription/feed%2Fhttps%3A%2F%2Ftea.example%2Fshow%2Fout",
        "https://www.newsblur.com/?url=https://tea.example/show/out",
        "https://www.subtome.com/#/subscribe?feeds=https%3A%2F%2Ftea.example%2Fshow%2Fout",
        "https://add.my.yahoo.com/rss?url=https://tea.example/show/out",
        "https://validator.w3.org/feed/check.cgi?url=https%3A//tea.example/show/out",
        "https://subscribeonandroid.com/tea.example/show/out",
        "web+feed://tea.example/show/out",
        "feeds://tea.example/show/out",
        "https://antennapod.org/deeplink/subscribe?url=https%3A%2F%2Ftea.example%2Fshow%2Fout",
        "https://podcastaddict.com/feed/https%3A%2F%2Ftea.example%2Fshow%2Fout",
        "https://reader.example/subscribe?url=https://tea.example/show/out",
        "https://app.example/import?rss_url=https%3A%2F%2Ftea.example%2Fshow%2Fout&ref=1",
        "https://app.example/new#feedUrl=https://tea.example/show/out",
        "https://www.subtome.com/#/subscribe?resource=https%3A%2F%2Ftea.example%2F&feeds=https%3A%2F%2Ftea.example%2Fshow%2Fout",
        "https://podcasts.google.com/feed/aHR0cHM6Ly90ZWEuZXhhbXBsZS9zaG93L291dA",
        "https://www.google.com/podcasts?feed=aHR0cHM6Ly90ZWEuZXhhbXBsZS9zaG93L291dA==",
        "http://www.subscribeonandroid.com/tea.example/show/out",
    ],
    "http://tea.example/show/out?a=1&b=2": [
        "overcast://x-callback-url/add?url=http%3A%2F%2Ftea.example%2Fshow%2Fout%3Fa%3D1%26b%3D2",
        "https://www.inoreader.com/?add_feed=http%3A%2F%2Ftea.example%2Fshow%2Fout%3Fa%3D1%26b%3D2",
        "https://feedly.com/i/subscription/feed/http://tea.example/show/out?a=1&amp;b=2",
    ],
}


@pytest.mark.parametrize(("url", "href"), [(url, href) for url, hrefs in BUTTONS.items() for href in hrefs])
def test_button_of_a_reader_or_an_app_leads_to_the_feed_in_it(url: str, href: str) -> None:
    (lead,) = anchors(f'<a href="{href}">Listen</a>')

    assert (lead.url, lead.source) == (url, Source.ANCHOR)


@pytest.mark.parametrize(
    "href",
    [
        *("overcast://", "overcast://x-callback-url/add?url=", "podcast:show", "pktc://subscribe/"),
        *("spotify:show:1", "tg://resolve?url=https://tea.example/x", "whatsapp://send?text=https://tea.example/x"),
        *(
            "https://www.inoreader.com/",
            "https://feedly.com/i/welcome",
            "https://feedlyx.com/?url=https://tea.example/x",
        ),
        *("https://validator.w3.org/check?uri=https://tea.example/", "https://subscribeonandroid.com/"),
        "https://share.example/?url=https://tea.example/x",
        "https://share.example/add?url=https://tea.example/x&title=tea",
    ],
)
def test_other_links_to_apps_and_readers_are_nothing(href: str) -> None:
    assert source_of(f'<a href="{href}">Listen</a>') is None


def test_an_address_counts_once_by_its_best_anchor() -> None:
    (lead,) = anchors("<a href=/x class=rss>x</a><a href=/x#top title='Our feed'>RSS</a><a href=/x>News and RSS</a>")

    assert (lead.url, lead.why) == ("https://example.com/x", 'anchor text "RSS"')


@pytest.mark.parametrize(
    ("anchor", "why"),
    [
        ("<a href=/rss?x=1>News</a>", "anchor to /rss?x=1"),
        ("<a href=/x> Our\nRSS </a>", 'anchor text "Our RSS"'),
        ("<a href=/x title=RSS>x</a>", 'anchor title "RSS"'),
        ("<a href=/x aria-label=Feed>x</a>", 'anchor aria-label "Feed"'),
        ("<a href=/x class='icon rss'>x</a>", 'anchor class "icon rss"'),
        ("<a href=/x><img alt=RSS></a>", 'anchor image "RSS"'),
        ("<a href=/x type=application/rss+xml>x</a>", "anchor type=application/rss+xml"),
    ],
)
def test_a_lead_says_in_words_why(anchor: str, why: str) -> None:
    (lead,) = anchors(anchor)

    assert lead.why == why


def test_texts_of_anchors_are_shown_short_and_harmless() -> None:
    (lead,) = anchors(f"<a href=/x hreflang=de>RSS \u202e\x1b[31m {'x' * 900}</a>")

    assert lead.why.isprintable()
    assert len(lead.why) < 90
    assert lead.title is not None
    assert (lead.title.isprintable(), lead.language) == (True, "de")


# --- faults that others had -----------------------------------------------------------------------


def test_a_directory_counts_like_a_file() -> None:
    assert [lead.url for lead in anchors("<a href='https://example.com/feed/'>Subscribe</a>")] == [SITE + "feed/"]


def test_anchors_by_class_and_title_only() -> None:
    found = anchors("<a class='rss' href='/u/1/rss/list'>订阅</a><a title='RSS' href='/x'>i</a>")

    assert [lead.url for lead in found] == [SITE + "u/1/rss/list", SITE + "x"]
