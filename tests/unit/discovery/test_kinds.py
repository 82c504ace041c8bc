"""The kind of a feed and of a request, by URL, title and content (rule D8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.kinds import intent_of, kind_of
from feedward.model import Item
from tests.unit.discovery.candidates import SITE, SITES, feed, items

# --- by the URL ---------------------------------------------------------------------------------------

BY_URL = {
    Kind.MAIN: """
        feed feed/ rss atom.xml index.xml feed.json blog/feed/ blog/rss.xml en/feed de/rss.xml pt-br/feed.xml
        feeds/posts/default feeds/posts/default?alt=rss ?feed=rss2 ?type=9818 blog?format=rss backend.php
        spip.php?page=backend index.php?format=feed&type=rss feeds/all.atom.xml rss/news.xml feeds/videos.xml?user=jo
        feeds/videos.xml?channel_id=UC1 feeds/videos.xml?playlist_id=PL1 torvalds/linux/releases.atom tags.atom
        ?q=rss.xml ?q=blog/feed ~jo/feed.xml commentisfree/rss the-commenter/feed research/feed categorical/feed
        2026/feed.xml 2026/08/feed taglines/rss authority/feed r/python/.rss users.rss search-engine-news/rss.xml
        reader-comments-on-tea/rss.xml
    """,
    Kind.COMMENTS: """
        comments/feed/ comments/feed comments/feed/atom/ feeds/comments/default feeds/123/comments/default comments.rss
        blog/comments/feed/ wp-commentsrss2.php recent-comments.xml comments-rss.xml comments_feed rss-comments.xml
        ?feed=comments-rss2 ?feed=comments_atom comment-feed.xml comment.rss kommentare/feed commentaires/feed/
        2026/08/hello/feed/ 2026/08/10/hello/feed/ 2026/08/hello/feed/atom/ blog/2026/08/hello/feed archives/123/feed/
        ?p=12&feed=rss2 ?feed=rss2&p=12 p/first-letter/feed
        r/python/comments/abc/title/.rss category/tea/comments/feed 123/commentsfeed newcomments.rss
        2026/08/hello/comments/feed COMMENTS/FEED
    """,
    Kind.CATEGORY: """
        category/tea/feed/ category/tea/feed category/tea/green/feed/ blog/category/tea/feed categories/tea/index.xml
        categories/index.xml kategorie/tee/feed/ rubrique/the/rss ?cat=3&feed=rss2 ?category_name=tea&feed=rss2
        feed/category/tea feeds/category/tea.xml categoria/te/feed cat%C3%A9gorie/th%C3%A9/feed category/comments-x/feed
        CATEGORY/tea/feed taxonomy/term/5/feed
    """,
    Kind.TAG: """
        tag/tea/feed/ tags/tea/index.xml tags/index.xml tagged/tea/rss feeds/tag/python feed/tag/tea tags/tea.rss
        feeds/tag?tagnames=python feeds/posts/default/-/Tea feeds/posts/default/-/Tea/Green ?tag=tea&feed=rss2
        feed/pub/tagged/tea etiqueta/te/feed label/tea/rss tag/comments/feed search/label/tea?feed=1
    """,
    Kind.AUTHOR: """
        author/jo/feed/ authors/jo/index.xml auteur/jo/rss feed/@writer @jo.rss users/jo/feed u/jo/activity.rss
        ?author=2&feed=rss2 people/jo/rss.xml user/jo/.rss
    """,
    Kind.TOPIC: "topic/tea/rss topics/tea.rss thema/tee/rss.xml threads/tea.1/index.rss ?topic=tea&format=rss",
    Kind.SECTION: "section/tea/rss sections/tea/feed.xml ressort/kultur/rss ?section=tea&format=rss",
    Kind.SEARCH: """
        search/tea/feed/rss2/ search/?q=&feed=rss2 search.rss?q=tea search/feed/rss2/?s=x ?s=tea&feed=rss2 ?s=&feed=rss2
        rss/search?q=tea suche/rss.xml?suche=tee api/query?search_query=all:tea feed?q=tea
    """,
    Kind.PODCAST: "podcast.xml podcast/feed.xml feeds/podcast podcasts/rss mypodcast.rss feed/podcast",
}


@pytest.mark.parametrize(("path", "kind"), [(path, kind) for kind, paths in BY_URL.items() for path in paths.split()])
def test_kind_by_url(path: str, kind: Kind) -> None:
    assert kind_of(SITE + path) is kind


@pytest.mark.parametrize("host", ["comments.example", "podcast.example", "tag.example", "search.category.example"])
def test_host_says_nothing(host: str) -> None:
    assert kind_of(f"https://{host}/feed") is Kind.MAIN


@pytest.mark.parametrize("url", ["", "not a url", "mailto:a@b.example", "http://[", "https://example.com/%ff%fe/feed"])
def test_an_unreadable_url_is_main(url: str) -> None:
    assert kind_of(url) is Kind.MAIN
    assert intent_of(url) is Kind.MAIN


# --- by the page from which it is seen --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "page", "kind"),
    [
        ("feed/@writer", "", Kind.AUTHOR),
        ("feed/@writer", "@writer", Kind.MAIN),
        ("feed/@writer", "@writer/a-story-of-tea-abc123", Kind.MAIN),
        ("feed/@writer", "@other", Kind.AUTHOR),
        ("@jo.rss", "@jo", Kind.MAIN),
        ("@jo.rss", "@jo/1234", Kind.MAIN),
        ("users/jo/feed", "users/jo", Kind.MAIN),
        ("author/jo/feed/", "author/jo/", Kind.AUTHOR),
        ("notes/index.xml", "notes/", Kind.SECTION),
        ("notes/feed.xml", "notes/index.html", Kind.SECTION),
        ("notes/index.xml", "notes/hello/", Kind.MAIN),
        ("blog/feed/", "blog/", Kind.MAIN),
        ("people/jo/feed.xml", "people/jo/post.html", Kind.MAIN),
    ],
)
def test_kind_on_the_terms_of_the_page(path: str, page: str, kind: Kind) -> None:
    assert kind_of(SITE + path, page_url=SITE + page) is kind


# --- by its title -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "title",
    [
        "Comments on: Hello",
        "Comments for Example",
        "Example » Comments Feed",
        "Example » Hello Comments Feed",
        "Kommentare zu: Hallo",
        "Example » Kommentar-Feed",
        "Commentaires sur : Bonjour",
        "Example » Flux des commentaires",
        "Comentarios en: Hola",
        "Comentários em: Olá",
        "Commenti a: Ciao",
        "Reacties op: Hallo",
        "Комментарии к записи",
        "Комментарии: Пример",
        "Пример » Лента комментариев",
        "Коментарі до: Привіт",
        "Örnek » yorum akışı",
        "Exempel » Kommentarsflöde",
        "Hozzászólások: Példa",
        "Σχόλια για: Γεια",
        "Komentáře: Příklad",
        "Przykład » Kanał z komentarzami",
        "Kommentit: Esimerkki",
        "Comentarii la: Salut",
        "Bình luận về: Xin chào",
        "תגובות לפוסט: שלום",
        "تعليقات على: مرحبا",
        "Example 의 댓글",
        "例子 的评论",
        "Example のコメント",
        "Recent comments",
        "Example - Comments",
        "comments",
    ],
)
def test_title_of_comments(title: str) -> None:
    assert kind_of("https://example.com/?x=1", title) is Kind.COMMENTS
    assert kind_of("https://example.com/?x=1", feed=feed(title=title)) is Kind.COMMENTS


@pytest.mark.parametrize(
    "title",
    [
        "Comment is free",
        "No Comments, Please: a Blog",
        "Comments from the Edge",
        "Comentarii politice",
        "Komentáře týdne",
        "Example",
        "Tagged",
        "The Feed",
        "Search Engine Land",
        "Category Theory",
        "Author's Corner",
        "",
    ],
)
def test_title_that_only_sounds_like_it(title: str) -> None:
    assert kind_of("https://example.com/feed", title) is Kind.MAIN


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Site » python Category Feed", Kind.CATEGORY),
        ("Site » tea Tag Feed", Kind.TAG),
        ("Site » Posts by Jo Feed", Kind.AUTHOR),
        ("Posts by Jo", Kind.AUTHOR),
        ("Search Results", Kind.SEARCH),
        ("The Tea Podcast", Kind.PODCAST),
    ],
)
def test_title_adds_where_the_path_says_nothing(title: str, kind: Kind) -> None:
    assert kind_of("https://example.com/x.xml", title) is kind


def test_path_decides_against_the_title() -> None:
    assert kind_of("https://example.com/category/tea/feed", "Comments on: Tea") is Kind.CATEGORY
    assert kind_of("https://example.com/comments/feed", "The Tea Podcast") is Kind.COMMENTS


# --- by content -------------------------------------------------------------------------------------------


def linking(*urls: str) -> tuple[Item, ...]:
    return tuple(Item(id=url, url=url) for url in urls)


@pytest.mark.parametrize("anchor", ["comment-12", "comments-12", "c12", "c1234567890", "cmt-9", "Comment12", "c_ab12"])
def test_items_that_point_to_comments_are_comments_in_any_language(anchor: str) -> None:
    posts = linking(*(f"https://example.com/p{n}#{anchor}" for n in range(3)))

    assert kind_of("https://example.com/x.xml", "Çay", feed=feed(title="Çay", posts=posts)) is Kind.COMMENTS


def test_items_that_are_called_comments_are_comments_wherever_they_point() -> None:
    named = tuple(
        Item(id=f"https://example.com/?p={n}#comment-{n}1", url=f"https://example.com/p{n}/") for n in range(3)
    )
    others = tuple(replace(item, id=f"https://example.com/p{n}#c{n}") for n, item in enumerate(named))

    assert kind_of("https://example.com/x.xml", feed=feed(posts=named)) is Kind.COMMENTS
    assert kind_of("https://example.com/x.xml", feed=feed(posts=others)) is Kind.MAIN


@pytest.mark.parametrize("anchor", ["v1.2", "post-12", "2026-08-10", "comments", "", "respond", "section3"])
def test_other_anchors_are_no_comments(anchor: str) -> None:
    posts = linking(*(f"https://example.com/changes#{anchor}" for _ in range(3)))

    assert kind_of("https://example.com/x.xml", feed=feed(posts=posts)) is Kind.MAIN


def test_few_links_to_comments_make_no_comments_feed() -> None:
    posts = linking("https://example.com/1#comment-1", "https://example.com/2", "https://example.com/3")

    assert kind_of("https://example.com/x.xml", feed=feed(posts=posts)) is Kind.MAIN


def test_section_is_known_by_the_site_link_of_its_feed() -> None:
    of_section = feed(site_url="https://example.com/notes/", posts=items(site="https://example.com/notes/"))

    assert kind_of("https://example.com/notes/index.xml", page_url=SITE, feed=of_section) is Kind.SECTION
    assert kind_of("https://example.com/notes/index.xml", page_url=SITE, feed=feed()) is Kind.MAIN
    assert kind_of("https://example.com/notes/index.xml", page_url=SITE) is Kind.MAIN


def test_section_of_the_page_s_own_directory_is_no_part_to_that_page() -> None:
    of_section = feed(site_url="https://example.com/notes/")
    page = "https://example.com/notes/hello/"

    assert kind_of("https://example.com/notes/index.xml", page_url=page, feed=of_section) is Kind.MAIN


@pytest.mark.parametrize("path", ["blog/feed/", "en/index.xml", "news/rss.xml", "en/blog/feed"])
def test_usual_place_of_a_blog_is_no_section(path: str) -> None:
    url = SITE + path
    own = feed(site_url=url.rpartition("/")[0] + "/")

    assert kind_of(url, page_url=SITE, feed=own) is Kind.MAIN


def test_feed_below_a_page_that_is_all_about_the_page_is_its_comments() -> None:
    page = "https://example.com/hello/"
    comments = feed(title="Hello", site_url=page, posts=linking(page + "#r1", page + "#r2"))
    changes = feed(title="Changes", site_url=page, posts=linking(page + "#v1", page + "#v2"))
    empty = feed(title="Hello", site_url=page, posts=[])

    assert kind_of(page + "feed/", page_url=page, feed=comments) is Kind.COMMENTS
    assert kind_of(page + "changes.xml", page_url=page, feed=changes) is Kind.MAIN
    assert kind_of(page + "feed/", page_url=page, feed=empty) is Kind.MAIN


@pytest.mark.parametrize(
    "path",
    [
        *("@/blog.atom", "@/feed", "p/notebook/feed/feed.xml", "post/x/feed/index.xml", "archives/x/feed/main.rss"),
        *("a-blog-of-dubious-intent/feed", "notes-of-a-small-garden/feed/", "blog/notes-of-a-small-garden/feed"),
    ],
)
def test_path_that_only_resembles_a_profile_or_a_post_is_main(path: str) -> None:
    assert kind_of(SITE + path) is Kind.MAIN
    assert kind_of(SITE + path, page_url=SITE) is Kind.MAIN


def test_part_whose_name_reads_like_a_headline_is_known_by_its_items() -> None:
    page = "https://example.com/green-tea-and-oolong/"
    of_part = feed(title="Green tea", site_url=page, posts=linking("https://example.com/a", "https://example.com/b"))
    of_post = feed(title="Green tea", site_url=page, posts=linking(page + "#r1"))

    assert kind_of(page + "feed/", page_url=page, feed=of_part) is Kind.SECTION
    assert kind_of(page + "feed/", page_url=page, feed=of_post) is Kind.COMMENTS
    assert kind_of(page + "feed/", page_url=page) is Kind.COMMENTS


# --- intent -----------------------------------------------------------------------------------------------

ASKED = {
    Kind.MAIN: """
        blog blog/ 2026/08/hello/ 2026/08/hello p/first-letter blog/index.html ?p=12 about about/ about.html
        blog/how-to-brew-tea news/ posts/hello/ en/ en/about feed.xml main.xml blog.txt @jo @jo/a-story users/jo
        r/python/comments/abc/title tags tags/ category/ torvalds/linux watch?v=abc 2026/08/ a/b/ some-story-abc123
        channel/UC1 user/status/1?s=20
    """,
    Kind.CATEGORY: """
        category/python/ category/python category/python/green/ categories/tea kategorie/tee/ ?cat=3 taxonomy/term/5
    """,
    Kind.TAG: "tag/tea/ tags/tea tagged/tea search/label/Tea ?tag=tea",
    Kind.AUTHOR: "author/jo/ authors/jo author/jo/page/2/ ?author=2",
    Kind.TOPIC: "topic/tea topics/tea/",
    Kind.SECTION: "notes/ photos/ section/tea/ Notizen/",
    Kind.SEARCH: "search?q=tea ?s=tea search/tea/ suche/?q=tee",
    Kind.COMMENTS: "comments/ comments/feed/ ?feed=comments-rss2 2026/08/hello/comments/ 2026/08/hello/feed/",
    Kind.PODCAST: "podcast/ podcasts podcast/episode-1",
}


@pytest.mark.parametrize(("path", "kind"), [(path, kind) for kind, paths in ASKED.items() for path in paths.split()])
def test_intent_by_the_typed_url(path: str, kind: Kind) -> None:
    assert intent_of(SITE + path) is kind


@pytest.mark.parametrize("name", SITES)
def test_intent_of_a_site_is_that_of_its_case(name: str) -> None:
    site = SITES[name]["args"][0]

    assert intent_of(site["input_url"]) == (site["intent"] or Kind.MAIN)
