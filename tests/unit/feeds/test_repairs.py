"""Broken documents keep their content; repairs are recorded (rules X4, X5)."""

from __future__ import annotations

import pytest

from feedward.feeds.parse import parse_feed
from feedward.model import Feed, Rejection, RejectionReason

DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'
ITEMS = "<item><title>1</title></item><item><title>2</title></item>"
PLAIN = f"<rss version='2.0'><channel><title>T</title>{ITEMS}</channel></rss>"


def feed(document: str | bytes) -> Feed:
    found = parse_feed(document.encode() if isinstance(document, str) else document)
    assert isinstance(found, Feed), found
    return found


def in_title(title: str) -> Feed:
    return feed(f"<rss><channel><title>{title}</title><item><title>1</title></item></channel></rss>")


@pytest.mark.parametrize(
    ("before", "after", "repairs"),
    [
        ("", "", ()),
        ("\ufeff", "\n<!-- cached -->\n", ()),
        ("\n" + DECLARATION, "", ("leading_whitespace",)),
        ("\ufeff\r\n \t" + DECLARATION, "", ("leading_whitespace",)),
        ("<br />\n<b>Warning</b>: x in <b>/x.php</b> on line <b>1</b><br />\n" + DECLARATION, "", ("leading_junk",)),
        ("Notice: a < b & c\n" + DECLARATION, "", ("leading_junk",)),
        ("<script>1 < 2</script>", "", ("leading_junk",)),
        (DECLARATION + "\n" + DECLARATION, "", ("xml_declaration",)),
        ("\ufeff\ufeff" + DECLARATION, "", ("byte_order_mark",)),
        ("<?xml version=1.0 encoding=utf-8?>", "", ("xml_declaration",)),
        ("<?XML version='1.0'?>", "", ("xml_declaration",)),
        ("<?xml version='1.0' encoding=\"UTF-8\" standalone='yes' ?>", "", ()),
        ('<?xml version="1.0" encoding="utf-8">', "", ("xml_declaration",)),
        ('<?xml \nversion="1.0" encoding="utf-8"?>', "", ()),
        ('<?xml version="2.0"?><?xml-stylesheet href="a>b.xsl"?><!-- <rss> -->', "", ()),
        ('<!DOCTYPE rss PUBLIC "-//N//DTD 0.91>//EN" "http://my.netscape.com/x.dtd">', "", ()),
        ("<!DOCTYPE rss [<!ELEMENT a (b)> <!-- don't > --> ]>", "", ()),
        (DECLARATION, "\n<script>x</script>\n0", ("trailing_junk",)),
        (DECLARATION, "\0\0\0\0", ("trailing_junk",)),
    ],
)
def test_text_around_a_feed_does_not_matter(before: str, after: str, repairs: tuple[str, ...]) -> None:
    found = feed(before + PLAIN + after)
    assert (found.title, [item.title for item in found.items]) == ("T", ["1", "2"])
    assert (found.repairs, found.truncated) == (repairs, False)


def test_a_comment_before_the_declaration_is_no_white_space() -> None:
    assert "leading_whitespace" not in feed(f"<!-- cached -->{DECLARATION}{PLAIN}").repairs


@pytest.mark.parametrize(
    ("markup", "title", "repairs"),
    [
        ("Q & A", "Q & A", {"references"}),
        ("a&nbsp;b &eacute;&hellip;", "a b é…", {"references"}),
        ("A &foobar; B", "A &foobar; B", {"references"}),
        ("it&#146;s &#x1F; &#xD800;", "it’s", {"references"}),
        ("a\x08b\x0bc\0d\ufffe", "abcd", {"invalid_characters"}),
        ("1 < 2 <3 & <", "1 < 2 <3 & <", {"references", "stray_less_than"}),
        ("A <b>bold</b> title", "A bold title", set()),
        ("a<br>b", "a b", {"end_tags"}),
        ("a<br/>b &", "a b &", {"references"}),
        ("a</b> c</i>", "a c", {"end_tags"}),
        ("<![CDATA[a & b]]> c]]> &", "a & b c]]> &", {"cdata_end", "references"}),
        ("a <? b & c", "a", {"references", "stray_less_than"}),
        ("a <!-- -- --> b", "a b", {"comments"}),
        ("a <!--- x ---> b &", "a b &", {"comments", "references"}),
        ("a <?xml version='1.0'?> b", "a b", {"declarations"}),
        ("a <?php x ?><!-- y --> b &", "a b &", {"references"}),
        ("a <!DOCTYPE b> c", "a c", {"declarations"}),
    ],
)
def test_a_broken_title_keeps_its_text(markup: str, title: str, repairs: set[str]) -> None:
    found = in_title(markup)
    assert found.title is not None
    assert found.title.startswith(title)
    assert set(found.repairs) == repairs
    assert (len(found.items), found.truncated) == (1, False)


def test_two_documents_in_one_are_the_first() -> None:
    found = feed(PLAIN.replace("T", "Q & A", 1) + PLAIN)
    assert (found.title, len(found.items), found.repairs) == ("Q & A", 2, ("references", "trailing_junk"))


def test_ampersands_in_links_stay_as_written() -> None:
    found = feed("<rss><channel><link>http://e.com/?a=1&b=2&copy=3&amp;d=4</link><item/></channel></rss>")
    assert found.site_url == "http://e.com/?a=1&b=2&copy=3&d=4"


@pytest.mark.parametrize(
    "tag",
    [
        "<enclosure url=http://e.com/a.mp3 length=1 />",
        '<enclosure url="a" url="b"/>',
        "<enclosure nothing/>",
        '<enclosure url="a & b" 1x="y" title="a <b> c"/>',
        '<enclosure url="a""b"/>',
        '<enclosure url="a<b"/>',
    ],
)
def test_broken_attributes_cost_nothing_else(tag: str) -> None:
    found = feed(f"<rss version=2.0><channel><title>T</title><item>{tag}<title>1</title></item></channel></rss>")
    assert (found.title, found.items[0].title, found.truncated) == ("T", "1", False)
    assert "attributes" in found.repairs


def test_the_first_of_two_attributes_of_one_name_counts() -> None:
    document = '<feed><title>t</title><link href="http://e.com/a" href="http://e.com/b" rel=self /></feed>'
    assert feed(document).self_url == "http://e.com/a"


@pytest.mark.parametrize(
    "items",
    [
        "<item><title>1</titl><link>http://e.com/1</link></item><item><title>2</title></item>",
        "<item><title>1</title><item><title>2</title></item>",
        "<item><title>1</item><item><title>2</title></item>",
        "<item><title>1</title><description>a<p>b<br>c<b>d</description></item><item><title>2</title></item>",
        "<item><title>1</Title></ITEM><item><title>2</title></item>",
        "</p><item><title>1</title></item></item><item><title>2</title></item>",
        "<link>http://e.com/<item><title>1<link>http://e.com/1</item><item><title>2</title></item>",
        "<language>en<item><guid>1<title>1<pubDate>x</item><item><title>2</item>",
    ],
)
def test_wrong_end_tags_lose_no_item(items: str) -> None:
    found = feed(f"<rss><channel><title>T</title>{items}</channel></rss>")
    assert [item.title for item in found.items] == ["1", "2"]
    assert "end_tags" in found.repairs
    assert not found.truncated


NEXT_ELEMENTS = (
    "<comments>https://e.example/a#c</comments>",
    "<dc:creator>Someone</dc:creator>",
    "<content:encoded>https://e.example/b</content:encoded>",
    "<media:content url='https://e.example/a.jpg'/>",
    "<media:thumbnail url='https://e.example/a.jpg'></media:thumbnail>",
    "<enclosure url='https://e.example/a.mp3'/>",
    "<source url='https://e.example/feed'>Source</source>",
    "<wfw:commentRss>https://e.example/a/feed</wfw:commentRss>",
    "<itunes:duration>1:00</itunes:duration>",
)


@pytest.mark.parametrize("space", ["", "\n  "])
@pytest.mark.parametrize("following", NEXT_ELEMENTS)
@pytest.mark.parametrize(
    ("unclosed", "expected"),
    [
        ("<link>https://e.example/a", ("1", "https://e.example/a", "T")),
        ("<guid isPermaLink='false'>a", ("a", None, "T")),
        ("<title>A", ("1", None, "A")),
        ("<pubDate>Mon, 15 Jan 2024 10:00:00 GMT", ("1", None, "T")),
        ("<comments>https://e.example/a#c", ("1", None, "T")),
        ("<enclosure url='https://e.example/a.mp3'>", ("1", None, "T")),
        ("<dc:creator>Someone", ("1", None, "T")),
    ],
)
def test_an_element_without_end_takes_in_nothing_of_the_next(
    unclosed: str, expected: tuple[str, str | None, str], following: str, space: str
) -> None:
    title = "" if unclosed.startswith("<title") else "<title>T</title>"
    item = f"<item>{unclosed}{space}{following}<guid isPermaLink='false'>1</guid>{title}</item>"
    found = feed(f"<rss><channel><title>T</title>{item}<item><title>2</title></item></channel></rss>")
    first, second = found.items
    assert (first.id, first.url, first.title) == expected
    assert (second.title, "end_tags" in found.repairs) == ("2", True)


def test_an_unknown_name_ends_a_link_but_may_be_part_of_a_title() -> None:
    link = "<link>https://e.example/a<thumbnail>https://e.example/a.jpg</thumbnail>"
    found = feed(f"<rss><channel><item><title>A List<String> & more</title>{link}</item></channel></rss>")
    assert (found.items[0].title, found.items[0].url) == ("A List & more", "https://e.example/a")


@pytest.mark.parametrize(
    "link", ["<link/>https://e.example/a?b=1&amp;c=2", "<link />\n  https://e.example/a?b=1&c=2\n"]
)
def test_a_link_may_stand_before_its_text(link: str) -> None:
    found = feed(f"<rss><channel><item><title>A</title>{link}<guid isPermaLink='false'>1</guid></item></channel></rss>")
    assert (found.items[0].title, found.items[0].url) == ("A", "https://e.example/a?b=1&c=2")
    assert "end_tags" in found.repairs


def test_a_link_before_its_text_in_an_article_is_no_fault_of_the_feed() -> None:
    article = "<description><![CDATA[<link/>https://e.example/a]]></description>"
    found = feed(f"<rss><channel><title>A</title><item><title/><guid>1</guid>{article}</item></channel></rss>")
    assert (found.items[0].id, found.repairs) == ("1", ())


def test_markup_in_a_title_does_not_end_it() -> None:
    xhtml = "<title type='xhtml'><xhtml:div>A <xhtml:b>b</xhtml:b> <i>c</i></xhtml:div></title>"
    assert feed(f"<feed>{xhtml}<subtitle>Q & A</subtitle></feed>").title == "A b c"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("safe<script>alert(1)</script>", "safe"),
        ("safe<script><b>alert</b>(1)</script> and<style>p {}</style> sound", "safe and sound"),
        ("&lt;script&gt;alert(1)&lt;/script&gt;safe", "safe"),
        ("<![CDATA[safe<script>if (1 < 2) alert(1)</script>]]>", "safe"),
        ("safe<script>alert(1 & 2)</script>", "safe"),
    ],
)
def test_scripts_and_styles_are_no_text_of_a_title(title: str, expected: str) -> None:
    assert in_title(title).title == expected


@pytest.mark.parametrize("broken", ["", " & "])
@pytest.mark.parametrize(
    "end",
    ["", "<item>", "<item><title>3", "<item><title>3</title><li", "<item><title><![CDATA[3", "<item><!-- ", "</chan"],
)
def test_a_document_that_ends_early_keeps_its_complete_items(end: str, broken: str) -> None:
    start = f"<rss><channel><title>T{broken}</title><item><title>1</title></item><item><title>2</title></item>"
    found = feed(start + end)
    assert [item.title for item in found.items] == ["1", "2"]
    assert found.truncated


def test_every_beginning_of_a_feed_is_a_shorter_feed_or_none() -> None:
    counts = []
    for length in range(len(PLAIN)):
        found = parse_feed(PLAIN[:length].encode())
        if isinstance(found, Rejection):
            assert found.reason in (RejectionReason.EMPTY, RejectionReason.NOT_A_FEED, RejectionReason.MALFORMED)
            counts.append(0)
        else:
            assert found.truncated
            counts.append(len(found.items))
    assert counts == sorted(counts)
    assert set(counts) == {0, 1, 2}


def test_a_json_feed_that_ends_early_keeps_its_complete_items() -> None:
    document = (
        '{"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [ {"id": "1"} , {"id": "2"}, {"id": "3"'
    )
    for end in ("", ', "title', "}", "} ,", "}]", '}], "x"'):
        found = feed(document + end)
        assert [item.id for item in found.items] == (["1", "2", "3"] if "}" in end else ["1", "2"])
        assert (found.title, found.truncated) == ("T", True)


def test_a_truncated_json_feed_without_items_keeps_the_members_after_them() -> None:
    found = feed('{"version": "https://jsonfeed.org/version/1.1", "items": [ ], "title": "T", "home_page_url": "htt')
    assert (found.title, found.items, found.site_url, found.truncated) == ("T", (), None, True)


def test_a_json_feed_cut_before_its_items_is_malformed() -> None:
    found = parse_feed(b'{"version": "https://jsonfeed.org/version/1.1", "title": "T')
    assert isinstance(found, Rejection)
    assert found.reason is RejectionReason.MALFORMED


def test_json_with_raw_control_characters_and_junk_behind_it_is_read() -> None:
    found = feed('{"version":"https://jsonfeed.org/version/1","title":"a\nb","items":[]}\n<!-- cached -->')
    assert (found.title, found.repairs) == ("a b", ("trailing_junk",))


@pytest.mark.parametrize(
    "items",
    [
        '[{"id":"1","title":"a,]"},{"id":"2"},]',
        '[{"id":"1","tags":["x",],},{"id":"2","title":"y" , }\n]',
    ],
)
def test_commas_that_templates_leave_behind_in_json_lose_no_item(items: str) -> None:
    found = feed(f'{{"version":"https://jsonfeed.org/version/1","title":"T","items":{items},}}')
    assert ([item.id for item in found.items], found.repairs, found.truncated) == (["1", "2"], ("stray_comma",), False)
    cut = feed(f'{{"version":"https://jsonfeed.org/version/1","title":"T","items":{items[:-1]} {{"id":')
    assert ([item.id for item in cut.items], cut.repairs, cut.truncated) == (["1", "2"], (), True)


def test_a_character_may_be_written_as_two_references() -> None:
    found = feed("<rss><channel><title>&#55357;&#56832; hi</title></channel></rss>")
    assert (found.title, found.repairs) == ("😀 hi", ("references",))
