"""Hypothesis strategies for URLs as people, feeds and attackers write them."""

from __future__ import annotations

from hypothesis import strategies as st


def any_of(words: str, *others: str) -> st.SearchStrategy[str]:
    """One of the words, or of the others, which need not be words."""
    return st.sampled_from([*words.split(), *others])


_SCHEMES = any_of(
    "http:// https:// HTTPS:// http: https:/ http:/// // feed: feed:// FEED:https:// rss:// pcast: itpc:// podcast:// "
    "feed:feed:// htp:// hhttps:// http://https:// http// http(s):// http::// h:ttp// http=// http;// ftp:// ssh:// "
    "mailto: javascript: / ./",
    *("", "", "http://", "https://"),
)
_USERINFO = any_of("user@ user:p%40ss@ :@ a&amp;b@", *[""] * 8)
_LABELS = any_of(
    "example www www blog http https hp php feed rss a_b xn--mnchen-3ya münchen 例え WWW Example , (x) ex%61mple %2E "
    "a&lt -x 1 127 0x7f 256 ﬀ faß ＆amp；",
    "",
)
_SUFFIXES = any_of("com co.uk github.io org de example 公司.cn com. com.. 1 xml ck")
_HOSTS = st.one_of(
    st.builds(lambda labels, suffix: ".".join([*labels, suffix]), st.lists(_LABELS, max_size=3), _SUFFIXES),
    any_of("localhost intranet localhost. [::1] [2001:DB8::1] 127.0.0.1 2130706433 1.2 https http hp ."),
    any_of("example。com 127。0。0。1", "", "a b.com", "exa\tmple.com"),
)
_PORTS = any_of(": :80 :443 :8080 :0443 :99999 :x :80:80", *[""] * 8)
_ESCAPES = any_of(
    "% %% %2 %2f %2F %7e %41 %zz %25 %2525 %00 %c3%a9 %CC%81 %93%FA %2e%2E %6Ct; &%6Ct; &%61mp; &amp; &amp;amp; &lt "
    "&#97; &#x26; &semi; &Tab; &nosuch; lt;"
)
_SCRAPS = st.one_of(
    _ESCAPES,
    any_of("/ // /./ /../ /.. \\ feed rss.xml é e\u0301 日本 + ;x ' \" ^ | {} [x] ~ $ ! ( @ : * .", " "),
    st.sampled_from(["\t", "\n", "\x00", "\ud800", "\ud83d\ude00"]),
    st.text(max_size=3),
)
_PATHS = st.lists(_SCRAPS, max_size=6).map(lambda scraps: "".join(["/", *scraps]))
_NAMES = any_of("utm_source UTM_Medium fbclid utm%5Fsource cid _ id a b lt; amp; feed alt é", "")
_PAIRS = st.builds(lambda name, equals, value: f"{name}{equals}{value}", _NAMES, any_of("= ==", ""), _SCRAPS)
_QUERIES = st.one_of(st.just(""), st.lists(_PAIRS, max_size=5).map(lambda pairs: "?" + "&".join(pairs)))
_FRAGMENTS = st.one_of(st.just(""), st.lists(_SCRAPS, max_size=2).map(lambda scraps: "".join(["#", *scraps])))
_EDGES = st.sampled_from(["", "", "", " ", "\n", "\u00a0", "\ufeff", "\x00", "\u200b"])


def urls_as_written() -> st.SearchStrategy[str]:
    """Texts that were meant as URLs, with all kinds of faults."""
    parts = (_EDGES, _SCHEMES, _USERINFO, _HOSTS, _PORTS, st.one_of(st.just(""), _PATHS), _QUERIES, _FRAGMENTS, _EDGES)
    return st.one_of(st.tuples(*parts).map("".join), st.text(max_size=20), entity_soup())


def entity_soup() -> st.SearchStrategy[str]:
    """Text made of pieces of HTML entities."""
    pieces = any_of("& ; amp lt #97 #x26 #59 semi Tab percnt %61 nosuch x https://a.b/?", "\n")
    return st.lists(pieces, max_size=12).map("".join)


def plain_urls() -> st.SearchStrategy[str]:
    """Absolute http(s) URLs with an ordinary host; paths and queries as messy as above."""
    hosts = any_of("example.com www.example.com www.co.uk www.www.example.org www.github.io a.b.example.")
    ports = any_of(":80 :443 :8080", "", "")
    return st.tuples(any_of("http:// https://"), hosts, ports, _PATHS, _QUERIES, _FRAGMENTS).map("".join)
