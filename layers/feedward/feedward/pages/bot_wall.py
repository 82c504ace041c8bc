"""Recognizes a bot wall: a page that asks whether the client is a robot, instead of the requested document (rule H1).

Its status is often 200. It is recognized by tags and scripts that only walls have, and by the lack of any other
content: an article or a feed about walls is not one, nor is a protected page that was served. Only the first words of
its text count. If a body cannot be a wall, only its first bytes are read.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterator
from typing import Final

from feedward.pages.bot_wall_marks import (
    CAPTCHA,
    CAPTCHA_IN_CODE,
    CAPTCHA_TAGS,
    CHECKS,
    CHECKS_IN_OTHER_LANGUAGES,
    HOST_OF_A_WALL,
    IN_CODE,
    NAME_OF_A_WALL,
    ON_SERVED_PAGES_TOO,
    REFUSALS,
    RELOADS,
    TITLE_OF_A_REJECTION,
    TITLES,
    TITLES_OF_PAGES_TOO,
    URL_OF_A_WALL,
)
from feedward.pages.media_types import bare_type
from feedward.pages.tags import run_of

MAX_BYTES: Final = 100_000
MAX_TAGS: Final = 400
MAX_LINKS: Final = 15
MAX_TEXT: Final = 2500
# Limits for a page with few marks, or a wall only because it has no other content.
MAX_LINKS_OF_A_STUB: Final = 3
MAX_TEXT_OF_A_STUB: Final = 600
MAX_TEXT_OF_A_CHECK: Final = 400
_FIRST_WORDS: Final = 30

_TOKEN = re.compile(
    rf"<(?:(?P<script>script)(?P<of>[^>]{{0,2000}}+)>?(?P<code>{run_of('[^<]++|<(?!/script)')})(?:</script[^>]*+>?|\Z)"
    r"|(?P<unseen>style|noscript|template|svg|title)(?=[\s/>])"
    rf"(?P<inside>{run_of('[^<]++|<(?!/(?P=unseen))')})(?:</(?P=unseen)\s*+>?|\Z)"
    rf"|!--{run_of('[^-]++|-(?!->)')}(?:-->|\Z)"
    r"|(?P<tag>[a-z][a-z0-9-]{0,20})(?P<attributes>[^>]*+)(?:>|\Z)|[/!?][^>]*+(?:>|\Z))",
    re.DOTALL,
)
_LINK = r"<a(?=[^a-z0-9-])"
# Most pages have more links than a wall. One match finds that in a fraction of the time of a loop over the tags.
_MANY_LINKS = re.compile(
    rf"(?:{run_of(rf'[^<]++|(?!{_LINK})(?:{_TOKEN.pattern})|<(?![a-z/!?])')}{_LINK}[^>]*+>){{{MAX_LINKS + 1}}}",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"(?<![a-z-])([a-z-]++)\s?=\s?(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"']++))")
# A string of a script, closed or to the end of the line, or the code between two strings.
_CODE = re.compile(
    r"\"((?>(?:[^\"\\\n]|\\.)*))\\?(?:\"|(?P<open>(?=\n)|\Z))|'((?>(?:[^'\\\n]|\\.)*))\\?(?:'|(?P<open2>(?=\n)|\Z))|[^\"']++",
    re.DOTALL,
)
_REFRESH = re.compile(r"[0-9. ]*[;,]?\s?(?:url\s?=\s?)?[\"']?")
_FEED = re.compile(rb"<(?:rss|feed|rdf:rdf|channel)[\s>]", re.IGNORECASE)
_FEED_TYPE = re.compile(r"application/(?:rss|atom|feed)\+(?:xml|json)")
_DATA_TYPE = re.compile(r"type\s?=\s?[\"']?application/(?:ld\+)?json")
_APP = re.compile(r"\.m?js(?:\?|$)")
_LEADING = frozenset(["script", "iframe", "img", "form", "link"])
_NAMED = frozenset(["script", "meta", "iframe", "form", "input", "body", "div", "main", "section", "p"])
_NOT_FILLED_IN = frozenset(["hidden", "submit", "button", "image", "reset"])
_NOT_READ = ("text/plain", "image/", "audio/", "video/", "application/json", "application/pdf")


def is_bot_wall(body: bytes, content_type: str | None = None) -> bool:
    """Return whether a body is that of a bot wall. Takes linear time, and for most bodies none."""
    start = body[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start.startswith(b"<") or len(body) > MAX_BYTES or _FEED.search(start):
        return False
    if bare_type(content_type or "").startswith(_NOT_READ):
        return False
    return _Page(body.decode(errors="replace").lower()).is_wall


class _Page:
    """The marks of a wall in a small page."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._title: str | None = None
        self._tags: list[re.Match[str]] = []
        self._links = 0
        self._is_marked = self._is_stub = self._is_captcha = self._is_cookie = False
        self._has_more = self._has_field = self._has_check = self._names_feed = False

    @property
    def is_wall(self) -> bool:
        """Most pages have too many links or tags, or too much text, and none of their marks are searched."""
        if _MANY_LINKS.match(self._html):
            return False
        first: list[str] = []
        chars = 0
        for words in self._texts():
            chars += sum(map(len, words))
            if chars > MAX_TEXT or self._links > MAX_LINKS:
                return False
            if len(first) < _FIRST_WORDS:
                first += words
        if len(self._tags) > MAX_TAGS or self._links > MAX_LINKS:
            return False
        for tag in self._tags:
            self._see(tag)
        if self._names_feed:  # it was served
            return False
        said = _plain(" ".join(first[:_FIRST_WORDS]))
        return self._is_marked or REFUSALS.match(said) is not None or self._is_small_wall(chars, said)

    def _is_small_wall(self, chars: int, said: str) -> bool:
        """Recognize a wall by few marks: the page has no other content."""
        if chars > MAX_TEXT_OF_A_STUB or self._links > MAX_LINKS_OF_A_STUB:
            return False
        is_alone = not (self._links or self._has_more)
        title = _plain(self._title or "")
        is_short = chars <= MAX_TEXT_OF_A_CHECK
        if is_short and title == TITLE_OF_A_REJECTION:
            return True
        asks = self._is_captcha or (self._has_check and is_short and self._is_check(title, said))
        return (
            (self._is_stub and is_alone)
            or (asks and not self._has_field)
            or (self._is_cookie and is_alone and not chars)
        )

    def _is_check(self, title: str, said: str) -> bool:
        """Return whether the title or the first words are those of a check of the browser."""
        if CHECKS.match(said) or CHECKS_IN_OTHER_LANGUAGES.search(said) or TITLES.fullmatch(title):
            return True
        return not self._links and TITLES_OF_PAGES_TOO.fullmatch(title) is not None

    def _texts(self) -> Iterator[list[str]]:
        """Yield the visible words between two tags, and record the tags, one more than a wall has at most."""
        end = 0
        for tag in _TOKEN.finditer(self._html):
            if words := self._html[end : tag.start()].split():
                yield words
            end = tag.end()
            self._tags.append(tag)
            self._links += tag["tag"] == "a"
            if len(self._tags) > MAX_TAGS:
                return
        yield self._html[end:].split()

    def _see(self, token: re.Match[str]) -> None:
        """Record the marks of one tag, or of one script."""
        if token["script"]:
            self._see_tag("script", token["of"])
            self._see_code(token["of"], token["code"])
        elif token["tag"]:
            self._see_tag(token["tag"], token["attributes"])
        elif token["unseen"] == "title" and self._title is None:
            self._title = token["inside"].partition(">")[2]

    def _see_tag(self, name: str, text: str) -> None:
        of = {found[1]: (found[2] or found[3] or found[4] or "").strip() for found in _ATTRIBUTE.finditer(text)}
        if name == "link" and _FEED_TYPE.search(of.get("type", "")):
            self._names_feed = True
            return
        leads_to = _leads_to(name, of)
        is_shared = leads_to is not None and ON_SERVED_PAGES_TOO.search(leads_to) is not None
        self._is_stub |= is_shared
        self._is_marked |= (name == "iframe" and is_shared) or _is_of_a_wall(name, of, leads_to)
        self._is_captcha |= name in CAPTCHA_TAGS or any(CAPTCHA.search(of.get(key, "")) for key in ("class", "id"))
        self._has_more |= not is_shared and _is_more(name, of)
        self._has_field |= _is_field(name, of)
        self._has_check |= name in ("script", "form") or (name == "meta" and leads_to is not None)

    def _see_code(self, attributes: str, code: str) -> None:
        if _DATA_TYPE.search(attributes):
            return
        self._is_stub |= ON_SERVED_PAGES_TOO.search(code) is not None
        self._is_captcha |= CAPTCHA_IN_CODE.search(code) is not None
        self._is_marked |= any(IN_CODE.search(part) for part in _parts(code))
        if "document.cookie" in code:
            self._is_marked |= "tonumbers(" in code  # testcookie
            self._is_cookie |= RELOADS.search(code) is not None


def _plain(html: str) -> str:
    return " ".join(entities.unescape(html).replace("’", "'").split())


def _leads_to(name: str, of: dict[str, str]) -> str | None:
    """Return the URL that a tag loads, submits to, or links to; None without one."""
    if name == "meta":
        if of.get("http-equiv") != "refresh":
            return None
        refresh = of.get("content", "")
        lead = _REFRESH.match(refresh)
        return refresh[lead.end() :] if lead else refresh
    if name == "link" and not {"stylesheet", "icon", "preload", "modulepreload"} & set(of.get("rel", "").split()):
        return None
    return of.get("src") or of.get("href") or of.get("action") if name in _LEADING else None


def _is_of_a_wall(name: str, of: dict[str, str], leads_to: str | None) -> bool:
    if leads_to is not None and URL_OF_A_WALL.match(leads_to):
        return True
    if name in ("script", "iframe") and leads_to is not None and HOST_OF_A_WALL.match(leads_to):
        return True
    return name in _NAMED and any(NAME_OF_A_WALL.search(of.get(key, "")) for key in ("id", "class", "name"))


def _is_field(name: str, of: dict[str, str]) -> bool:
    """True for a text input: a page that has a captcha below one is a form."""
    if name == "input":
        return of.get("type", "text") not in _NOT_FILLED_IN
    return name in ("textarea", "select")


def _is_more(name: str, of: dict[str, str]) -> bool:
    """True for a tag that loads content of a page: a style, a picture, the script of an app."""
    if name == "script":
        return of.get("type") == "module" or _APP.search(of.get("src", "")) is not None
    return bool(of.get("src")) or (name == "link" and of.get("rel", "") == "stylesheet")


def _parts(code: str) -> Iterator[str]:
    """Yield the code between a script's strings, and strings that are not sentences: data may mention walls."""
    for found in _CODE.finditer(code):
        text = None if found["open"] is not None or found["open2"] is not None else found[1] or found[3]
        if text is None:
            yield found[0]
        elif not any(map(str.isspace, text)):
            yield text
