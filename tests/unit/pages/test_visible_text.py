"""The visible text of a page (rule L4), rule by rule; nothing that a server sends is too much for it."""

from __future__ import annotations

import resource
from html import escape
from unicodedata import is_normalized, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.pages.flat_page import flat_page
from feedward.pages.thin_page import MAX_ATTRIBUTES, MAX_TAGS, SMALL, thin_page
from feedward.pages.visible_text import page_text, read_page_text, text_form, with_shown_shadow_roots
from feedward.reading_budget import ReadingBudget


def flat_text(html: str) -> str:
    budget = ReadingBudget()
    return text_form(flat_page(with_shown_shadow_roots(html, budget), budget)[0])


# Both ways of reading a page give these.
WELL_FORMED = [
    # blocks, line breaks, cells, items and options separate words
    ("<p>a</p><p>b</p>", "a b"),
    ("<div>a</div>b", "a b"),
    ("a<div>b</div>c", "a b c"),
    ("<div><div>a</div></div><b>b</b>", "a b"),
    ("<h1>a</h1><h2>b</h2><h6>c</h6>d", "a b c d"),
    ("<main><article>a</article><aside>b</aside><nav>c</nav></main><footer>d</footer>", "a b c d"),
    ("<section>a</section><header>b</header><address>c</address>d", "a b c d"),
    ("<blockquote>a</blockquote><figure>b<figcaption>c</figcaption></figure>d", "a b c d"),
    ("<form>a<fieldset><legend>b</legend>c</fieldset></form>d", "a b c d"),
    ("<details><summary>a</summary>b</details>c", "a b c"),
    ("<dialog open>a</dialog><menu>b</menu><dir>c</dir><center>d</center>e", "a b c d e"),
    ("<hgroup>a</hgroup><search>b</search><listing>c</listing>d", "a b c d"),
    ("a<br>b<br/>c", "a b c"),
    ("<b>a<br>b</b>c", "a bc"),
    ("a<hr>b", "a b"),
    (
        "<table><caption>a</caption><thead><tr><th>b</th></tr></thead><tr><td>c</td><td>d</td></tr></table>e",
        "a b c d e",
    ),
    ("<ul><li>a</li><li>b</li></ul><ol><li>c</li></ol>d", "a b c d"),
    ("<dl><dt>a</dt><dd>b</dd></dl>c", "a b c"),
    ("<select><option>a</option><option>b</option></select>c", "a b c"),
    ("<select><optgroup label=no><option>a</option></optgroup><option>b</option></select>", "a b"),
    ("<pre>a\n  b\tc</pre>", "a b c"),
    ("<xmp>a<b></xmp>c", "a<b> c"),
    # inline elements do not
    ("<b>bo</b>ld", "bold"),
    ("<a href=x>li</a>nk <em>e</em><i>m</i>", "link em"),
    ("<span>s</span>p<custom-tag>a</custom-tag>n", "span"),
    ("a<wbr>b<img alt=no>c<input value=no>d", "abcd"),
    ("<button>a</button><button>b</button><label>c</label>", "abc"),
    ("x<sup>2</sup> H<sub>2</sub>O", "x2 H2O"),
    ("a<b> b</b>", "a b"),
    # not text
    ("a<script>b</script>c<style>d</style>e", "ace"),
    ("<script>if (a<b) { '</p>' }</script>c", "c"),
    ("<SCRIPT>no</SCRIPT>a", "a"),
    ("a<template><p>no</p></template>b", "ab"),
    ("a<noscript><p>no</p></noscript>b", "ab"),
    ("<head><noscript><p>no</p></noscript></head>a", "a"),
    ("a<svg><title>no</title><g><text>no</text></g></svg>b", "ab"),
    ("a<iframe><p>no</p></iframe>b<noembed>no</noembed>c<noframes>no</noframes>d", "abcd"),
    ("a<!-- no -->b<!----><!-->c<!-- <p>no</p> --!>d", "abcd"),
    ("<!doctype html>a<?php no ?>b<![CDATA[no]]>c", "abc"),
    ("<title>no</title>a", "a"),
    ("a<div><title>no</title></div>b", "a b"),
    ("<head><meta name=x content=no><link href=no><base href=no></head>a", "a"),
    ("<textarea>a <b> &amp;</textarea>", "a <b> &"),
    # fallback content for browsers that do not know the element
    ("a<video src=x>no<p>no</p></video>b<audio>no</audio>c<canvas>no<a href=x>no</a></canvas>d", "abcd"),
    ("<input list=x><datalist id=x><option>no</option><option>no</option></datalist>a", "a"),
    ("a<datalist><label>no<select><option>no</option></select></label></datalist>b", "ab"),
    ("a<meter value=1>no</meter>b<progress>no</progress>c", "abc"),
    ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢kan"),
    # the content of an object is shown in place of what browsers cannot show, which no parser knows
    ("<object data=x>a</object>b", "ab"),
    ("<object type=application/x-shockwave-flash data=x><param name=a value=no><p>a</p></object>b", "a b"),
    # shadow roots
    ("<x-a><template shadowrootmode=open><p>a</p></template></x-a>b", "a b"),
    ("<x-a><template class=c shadowrootmode = 'OPEN' x><p>a</p><slot></slot></template><p>b</p></x-a>c", "a b c"),
    (
        """<div><TEMPLATE SHADOWROOTMODE=open>a<x-b><template shadowrootmode=open>b</template></x-b><template>no<x-c>
        <template shadowrootmode=open>no</template></x-c></template>c</TEMPLATE></div>d""",
        "abc d",
    ),
    ("<x-a><template shadowrootmode=closed>no</template></x-a>a", "a"),
    ("<x-a><template shadowrootmode>no</template><template shadowrootmode=opened>no</template></x-a>a", "a"),
    ("<x-a><template title='shadowrootmode=open'>no</template></x-a>a", "a"),
    ("<!-- <template shadowrootmode=open> --><script>'<template shadowrootmode=open>'</script>a", "a"),
    ("a<x-a hidden><template shadowrootmode=open>no</template></x-a>b", "ab"),
    # hidden
    ("<p hidden>no</p>a", "a"),
    ("<p HIDDEN>no</p>a", "a"),
    ("<p hidden=''>no</p><p hidden=until-found>no</p><p hidden=false>no</p>a", "a"),
    ("<p class='x y'hidden>no</p>a", "a"),
    ("a<b hidden>no</b>b<a hidden href=x>no</a>c<i>d</i><a href=y>e</a>", "abcde"),
    ("<div hidden><div>no</div>no</div>a", "a"),
    ("<div hidden><div hidden>no</div>no</div>a", "a"),
    ("<div><p>a</p><div hidden><p>no</p></div><p>b</p></div>", "a b"),
    ("<textarea hidden>no</textarea>a<img hidden>b<br hidden>", "ab"),
    ("<svg hidden><text>no</text></svg>a", "a"),
    ("<body hidden>no</body>", ""),
    ("<body hidden><p>no</p><div>no", ""),
    ("<p class=hidden>a</p><p data-hidden>b</p><p aria-hidden=true>c</p><p title=hidden>d</p>", "a b c d"),
    ("<p style='display:none'>a</p>", "a"),
    # closed until a script or a click opens it
    ("<dialog>no<p>no</p></dialog>a", "a"),
    ("<DIALOG data-open title='open'>no</DIALOG>a<dialog open=''>b</dialog><dialog OPEN>c</dialog>", "a b c"),
    ("<dialog hidden open>no</dialog><dialog open><p hidden>no</p>a<dialog>no</dialog>b</dialog>", "ab"),
    ("<div popover>no<b>no</b></div><p popover=auto>no</p><ul popover='manual'><li>no</ul>a", "a"),
    ("a<b popover>no</b>b<a popover=hint href=x>no</a>c", "abc"),
    ("<dialog popover>no</dialog><dialog popover open>a</dialog>", "a"),
    ("<textarea popover>no</textarea>a<svg popover><text>no</text></svg>", "a"),
    ("<button popovertarget=x popovertargetaction=show>a</button><p data-popover class='popover'>b</p>", "a b"),
    ("<details><summary>a</summary>b</details><details open><summary>c</summary>d</details>", "a b c d"),
    ("<body popover>no</body>", ""),
    ("a<dialog>no", "a"),
    # character references
    ("caf&eacute; &#233; &#xe9; &amp;amp; &lt;b&gt;", "café é é &amp; <b>"),
    ("&copy 2026 &notit; &unknown; & &;", "© 2026 ¬it; &unknown; & &;"),
    ("&#128; &#xD800; &#0; &#x110000;", "€ \ufffd \ufffd \ufffd"),
    ("a&nbsp;b&ensp;c&emsp;d&thinsp;e&#8232;f&NewLine;g&Tab;h", "a b c d e f g h"),
    # white space and form
    ("  a \n\t b  ", "a b"),
    ("a\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\x85\x0b\x0cb", "a b"),
    ("a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg", "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg"),
    ("e\u0301 \u212b \u1100\u1161", "\u00e9 \u00c5 \uac00"),
    ("e<b>\u0301</b>", "\u00e9"),
    ("日本語<br>テスト", "日本語 テスト"),
    ("a\x00b", "ab"),
    ("", ""),
    (" \n ", ""),
]

# A tree reads these as browsers do.
BROKEN = [
    ("<p>a<dialog>no<p>no</p></dialog>b", "a b"),
    ("<p>a<p>b<ul><li>c<li>d", "a b c d"),
    ("<table><tr><td>a<td>b<tr><td>c</table>d", "a b c d"),
    ("<p hidden>no<p>a", "a"),
    ("<p hidden>no<div>a</div>", "a"),
    ("<ul><li hidden>no<li>a</ul>b", "a b"),
    ("<table><tr><td hidden>no<td>a</table>", "a"),
    ("<div><span hidden>no</div>a", "a"),
    ("<b>a<i>b</b>c</i>d", "abcd"),
    ("<p><b>a<p>b", "a b"),
    ("a</div>b</x>c", "abc"),
    ("a</p>b</br>c", "a b c"),
    ("<table>b<tr><td>c</td></tr>a</table>", "ba c"),
    ("<noscript><div></noscript>a", "a"),
    ("a<noscript>no", "a"),
    ("<style>no</style", ""),
    ("<script>no", ""),
    ("a<!-- no", "a"),
    ("a<p", "a"),
    ("a<p class='no", "a"),
    ("a < b <3 <> c", "a < b <3 <> c"),
    ("<body>a</body>b</html>c", "abc"),
    ("<svg><p>a</p>", "a"),
    ("<plaintext>a<b></plaintext>", "a<b></plaintext>"),
    ("<p title='<p>no</p>' data-x=\"a>b\">a</p>b", "a b"),
    ("<p a='1'b=\"2\"/hidden>no</p>a", "a"),
    ("<p a=1/hidden>a</p>b", "a b"),
    ("<frameset><frame src=x></frameset><noframes>no</noframes>", ""),
    ("<html><head></head></html>", ""),
    ("<ruby>漢<rp>(<rt>kan<rp>)</ruby>a", "漢kana"),
    ("<div><canvas>no</div>a", "a"),
    ("<x-a><template shadowrootmode=open>a", "a"),
]


@pytest.mark.parametrize(("html", "text"), [*WELL_FORMED, *BROKEN])
def test_the_text_is_the_visible_text(html: str, text: str) -> None:
    assert page_text(html) == text


@pytest.mark.parametrize(("html", "text"), [case for case in WELL_FORMED if "<wbr>" not in case[0]])
def test_the_text_is_the_same_where_no_tree_is_made(html: str, text: str) -> None:
    assert flat_text(html) == text


def test_the_text_of_a_hidden_root_is_nothing() -> None:
    assert page_text("<html hidden><p>no") == ""


# --- the title -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>A page</title>", "A page"),
        ("<title> A\n\u00a0 page &amp; <b>more</b></title>", "A page & <b>more</b>"),
        ("<title>first</title><title>second</title>", "first"),
        ("<title></title>", None),
        ("<title> \n </title><p>a", None),
        ("<p>a", None),
        ("", None),
        ("<svg><title>no</title></svg>", None),
        ("<svg><title>no</title></svg><title>A page</title>", "A page"),
        ("<body><div><title>A page</title></div>", "A page"),
        ("<script>'<title>no</title>'</script><!-- <title>no</title> --><title>A page</title>", "A page"),
        ("<template><title>no</title></template><title>A page</title>", "A page"),
        ("<title>a\u202eb\x07c</title>", "abc"),
        (f"<title>{'a' * 5000}</title>", "a" * 1000),
    ],
)
def test_the_title_is_plain_text(html: str, title: str | None) -> None:
    assert read_page_text(html).title == title


# --- too much for a tree ------------------------------------------------------------------------------------

MANY = 60_000  # two tags each: several times as many as a tree is made of
HOSTILE = {
    "deep": ("<div>" * MANY + "a" + "</div>" * MANY, "a"),
    "deep, closed by others": ("<div><object></div></object>" * (MANY // 4) + "a", "a"),
    "attributes": (f"<p {' '.join(f'a{n}=1' for n in range(MANY))}>a</p>b", "a b"),
    "formatting": ("".join(f"<p><b x{n}>a" for n in range(MANY)), " ".join(["a"] * MANY)),
    "formatting that hides": ("".join(f"<p><b hidden x{n}>no" for n in range(9000)) + "</b>", ""),
    "quotes": ('<a b="' * MANY, ""),
    "unfinished": ("<a " * MANY, ""),
    "comments": ("<!--" * MANY, ""),
    "scripts": ("<script></scrip" * MANY, ""),
    "no tags": ("<" * MANY, "<" * MANY),
    "references": ("&#769;&#803;" * MANY, None),
    "marks": ("a" + "\u0301\u0323" * MANY, None),
    "hidden": ("<div hidden>" * MANY + "no", ""),
    "templates": ("<template>" * MANY + "no", ""),
    "titles": ("<title>a</title>" * MANY, ""),
    "items": ("<li><dd>" * MANY + "a", "a"),
    "selects": ("<select><option>" * MANY + "a", "a"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_markup_takes_more_than_its_length(name: str) -> None:
    html, text = HOSTILE[name]
    budget = ReadingBudget()
    before = resource.getrusage(resource.RUSAGE_SELF)
    read = read_page_text(html, budget).text
    after = resource.getrusage(resource.RUSAGE_SELF)

    assert text is None or read == text
    assert budget.steps <= 2 * html.count("<") + 1000
    assert after.ru_maxrss - before.ru_maxrss < 60_000  # kilobytes


def test_ten_thousand_levels_are_read_by_a_tree() -> None:
    html = "<div>" * 5000 + "<p hidden>no<p>a" + "</div>" * 5000 + "b"
    assert thin_page(html, ReadingBudget()).is_cheap
    assert page_text(html) == "a b"
    assert page_text("<span>" * 10_000 + "a" + "</span>" * 10_000 + "b") == "ab"


def test_ten_megabytes_of_text_are_read_whole() -> None:
    assert page_text("<p>" + "word " * 2_000_000) == " ".join(["word"] * 2_000_000)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<a href=x><svg></a>a<p>b", "a b"),
        ("<svg><b>a</b></svg>b", "ab"),
        ("<b><span hidden>no<p>no</p></b>a", "a"),
        ("<b hidden>no<p>no</b>a</p>b", "a b"),
    ],
)
def test_formatting_that_closes_a_hidden_element_is_heeded(html: str, text: str) -> None:
    assert page_text(html) == text


@pytest.mark.parametrize("tags", [SMALL // 2, SMALL])
def test_formatting_is_dropped_from_pages_with_many_tags(tags: int) -> None:
    html = "<b>a</b> " * (tags // 2) + "<i hidden>no</i>"
    assert ("<b>" in thin_page(html, ReadingBudget()).html) is (tags < SMALL)
    assert page_text(html) == " ".join(["a"] * (tags // 2))


def test_a_large_page_reads_as_a_small_one_does() -> None:
    block = "<div class=a><h2><a href=x>T<em>it</em>le</a></h2><p hidden>no</p><p>te<b>xt</b>&amp;</p></div>"
    many = MAX_TAGS // 8 + 1
    small, large = block * 3, block * many
    assert thin_page(small, ReadingBudget()).is_cheap
    assert not thin_page(large, ReadingBudget()).is_cheap
    assert page_text(large) == " ".join([page_text(block)] * many)


@pytest.mark.parametrize("more", [0, 1])
def test_a_tag_may_have_a_hundred_attributes(more: int) -> None:
    html = f"<p {' '.join(f'a{n}=1' for n in range(MAX_ATTRIBUTES - 1 + more))} hidden>no</p>a"
    assert thin_page(html, ReadingBudget()).is_cheap is not bool(more)
    assert page_text(html) == "a"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p hidden>no<p>a", "a"),
        ("<p hidden>no<div>a</div>", "a"),
        ("<ul><li hidden>no<li>a</ul>b", "a b"),
        ("<div><span hidden>no</div>a", "a"),
        ("<div hidden>no</p>no</div>a", "a"),
        ("<svg><path d=x /><p>a</p>", "a"),
        ("<svg><foreignObject><p>no</p></foreignObject></svg>a", "a"),
        ("a<plaintext><b>", "a <b>"),
        ("<svg><title>no</title></svg>a", "a"),
        ("<ruby>漢<rp>(<rt>kan<rp>)</ruby>a", "漢kana"),
        ("<div><video>no</div>a", "a"),
    ],
)
def test_skipped_elements_end_without_a_tree_too(html: str, text: str) -> None:
    assert flat_text(html) == text


@pytest.mark.parametrize(
    "marks", ["\u0301\u0323" * 400, "\u0344" * 600, "\u0323" * 600 + "\u0301", "\u0301" * 31 + "\u0327" * 600]
)
def test_long_runs_of_marks_have_the_form_that_short_ones_have(marks: str) -> None:
    for start in ("a" * 1000, "\u00e9" * 1000, "\u0323" * 1000):
        assert text_form(start + marks) == normalize("NFC", start + marks)


# --- for any page ---------------------------------------------------------------------------------------------

NASTY = st.text(alphabet=st.sampled_from("ab <>/=\"'&;!-?\n\x00\u00a0\u0301\ud800pdivscrt hen#x1"), max_size=200)


@given(NASTY | st.text())
def test_nothing_raises_and_the_text_is_normal(html: str) -> None:
    for text in (page_text(html), flat_text(html.encode("utf-8", "replace").decode())):
        assert text == " ".join(text.split())
        assert is_normalized("NFC", text)
        text.encode()


@given(NASTY)
def test_text_that_is_escaped_again_stays_the_same(html: str) -> None:
    text = page_text(html)
    assert page_text(escape(text)) == text


INLINE = st.sampled_from(["b", "i", "q", "span", "em", "x-y"])
BLOCK = st.sampled_from(["div", "dialog", "section", "ul", "blockquote", "article"])
HIDES = st.sampled_from(["", "", "", " hidden", " class=hidden", " popover", " open"])
WORD = st.sampled_from(["a", "b ", "&amp;", "é", "<br>", "<!-- c -->", "<script>x</script>", "<svg><path/></svg>"])


def element(names: st.SearchStrategy[str], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda name, hides, content: f"<{name}{hides}>{content}</{name}>", names, HIDES, inner)


PHRASES = st.recursive(WORD, lambda inner: element(INLINE, st.lists(inner, max_size=3).map("".join)), max_leaves=6)
PAGES = st.recursive(
    st.lists(PHRASES, max_size=3).map("".join),
    lambda inner: element(BLOCK, st.lists(inner, max_size=3).map("".join)),
    max_leaves=8,
)


@given(PAGES)
def test_a_well_formed_page_reads_the_same_with_and_without_a_tree(html: str) -> None:
    assert flat_text(html) == page_text(html)
