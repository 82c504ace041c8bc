"""The elements of a page that discovery reads, in document order: one parse, one walk.

Tree building by the HTML standard is quadratic in nested blocks, in one tag's attributes and in unclosed formatting: 2
MB of `<div>` take minutes. So before the parse one scan by the standard's rules for tags, comments and raw text keeps
only the elements that discovery reads, none of which can nest deeply, and the text between. Any other markup becomes a
space.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from feedward.pages.tags import run_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_SELECTOR = "html, base, title, meta, link, a, area, img"
# An image file named like a feed icon: xml.gif, rss-icon.png, feed-icon-14x14.png.
_SIGN_FILE = re.compile(
    r"(?<![0-9a-z])(?:(?:rss|xml)[0-9]*+(?![0-9a-z])|feeds?(?=[-_]icon(?![a-z])|[0-9x_-]*+\.))[^/]*+$", re.IGNORECASE
)
_ADVERTISES = re.compile("alternat|feed|rss|atom", re.IGNORECASE)
MAX_TAGS = 150_000
_MAX_IMAGES = 5
_MAX_SRC = 1000

Attributes = Mapping[str, str | None]


class Anchor(NamedTuple):
    """An a or area element: its attributes, its text, and the names of its images. Light: pages have many."""

    attributes: Mapping[str, str | None]
    text: str = ""
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkElement:
    """A link as written, with its source (`link`, `a`, `area` or `Link header`); `rel` as lower-case tokens."""

    said_by: str
    href: str
    rel: tuple[str, ...] = ()
    type: str | None = None
    title: str | None = None
    language: str | None = None
    media: str | None = None


def element_link(tag: str, attributes: Mapping[str, str | None]) -> LinkElement:
    """The link of an element with these attributes."""
    return LinkElement(
        said_by=tag,
        href=attributes.get("href") or "",
        rel=rel_tokens(attributes.get("rel")),
        type=attributes.get("type"),
        title=attributes.get("title"),
        language=attributes.get("hreflang") or attributes.get("lang"),
        media=attributes.get("media"),
    )


def rel_tokens(text: str | None) -> tuple[str, ...]:
    """Return a rel attribute's tokens, in lower case."""
    return tuple(text[:1000].lower().split()) if text else ()


@dataclass(slots=True)
class PageElements:
    """`root` has the html element's attributes; `links` are link elements, and anchors with a rel that may advertise.

    `body_titles` are title elements outside the head, from broken markup or SVG.
    """

    root: Attributes = field(default_factory=dict)
    bases: list[Attributes] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    body_titles: list[str] = field(default_factory=list)
    metas: list[Attributes] = field(default_factory=list)
    links: list[LinkElement] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    frames: list[Attributes] = field(default_factory=list)


def page_elements(html: str) -> PageElements:
    """Parse a page and sort its elements. Comments, scripts and templates are ignored.

    Markup after the first MAX_TAGS tags is not read: a larger tree takes 100 times the memory of the page.
    """
    found = PageElements()
    if html:
        from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - a start that reads no page does without

        nodes = LexborHTMLParser(thin_markup(_first_tags(html))).css(_SELECTOR)
        images = _image_names(nodes)
        for node in nodes:
            _sort(node, found, images)
    return found


def _first_tags(html: str) -> str:
    if html.count("<") <= MAX_TAGS:
        return html
    return html[: len(html) - len(html.split("<", MAX_TAGS + 1)[-1]) - 1]


def _sort(node: LexborNode, found: PageElements, images: Mapping[int, list[str]]) -> None:
    tag, attributes = node.tag, node.attributes
    if tag in ("a", "area"):
        _add_anchor(node, attributes, found, images)
    elif tag == "link" and attributes.get("src"):
        found.frames.append(attributes)  # thin markup writes frames so
    elif tag == "link":
        found.links.append(element_link("link", attributes))
    elif tag == "meta":
        found.metas.append(attributes)
    elif tag == "title":
        _add_title(node, found)
    elif tag == "base":
        found.bases.append(attributes)
    elif tag == "html":
        found.root = attributes


def _add_anchor(node: LexborNode, attributes: Attributes, found: PageElements, images: Mapping[int, list[str]]) -> None:
    if _ADVERTISES.search(attributes.get("rel") or ""):
        found.links.append(element_link(node.tag or "a", attributes))
    if attributes.get("href"):
        names = tuple(images.get(node.mem_id, ())) if images else ()
        found.anchors.append(Anchor(attributes=attributes, text=node.text(), images=names))


def _add_title(node: LexborNode, found: PageElements) -> None:
    place = node.parent.tag if node.parent is not None else None
    if place == "head":
        found.titles.append(node.text())
    elif place != "a":
        found.body_titles.append(node.text())


def _image_names(nodes: list[LexborNode]) -> dict[int, list[str]]:
    """The names of the images inside anchors, by anchor."""
    names: dict[int, list[str]] = {}
    for node in nodes:
        if node.tag != "img":
            continue
        name = _image_name(node.attributes)
        anchor = node.parent if name else None
        if name and anchor is not None and anchor.tag == "a":
            known = names.setdefault(anchor.mem_id, [])
            known.extend([name] if len(known) < _MAX_IMAGES else [])
    return names


def _image_name(attributes: Attributes) -> str | None:
    """Return an image's alternative text or title, else its file name if that is named like a feed icon."""
    text = attributes.get("alt") or attributes.get("title")
    if text:
        return text
    source = (attributes.get("src") or "")[:_MAX_SRC].lstrip()
    if source[:5].lower() == "data:":
        return None  # `data:image/svg+xml` is not a file name
    file = source.partition("?")[0].rpartition("/")[2]
    return file if _SIGN_FILE.search(file) else None


_MAX_ATTRIBUTES = 100
_MAX_ICON = 2000

# No quantifier backtracks, and text that begins like a tag always matches: one pass for any text.
_VALUE = r"""(?>(?:"[^"]*+"|'[^']*+'|[^\s"'>][^\s>]*+)?)"""
_ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+(?>(?:\s*+=\s*+{_VALUE})?)"
_FEW_ATTRIBUTES = rf"(?>(?:{_ATTRIBUTE}){{0,{_MAX_ATTRIBUTES}}})[\s/]*+>"
_ATTRIBUTES = rf"(?>(?:[^>=]*+=\s*+{_VALUE}){{0,{_MAX_ATTRIBUTES}}})[^>]*+"
_END = r"(?:>|\Z)"
_COMMENTED = run_of("[^-]++|-(?!-!?>)")
_RAW_TEXT = run_of(r"[^<]++|<(?!/(?P=raw)(?=[\s/>]))")
_TITLE_TEXT = run_of(r"[^<]++|<(?!/title(?=[\s/>]))")

_TOKEN = re.compile(
    rf"""<(?=[a-z/!?])(?:
        !--(?:-?>|{_COMMENTED}(?:--!?>|\Z))
      | (?P<raw>script|style|textarea|xmp|iframe|noembed)(?=[\s/>]){_ATTRIBUTES}
        (?:(?<=/)>|{_END}{_RAW_TEXT}(?:</(?P=raw)(?=[\s/>])[^>]*+{_END}|\Z))
      | title(?=[\s/])[^>]*+(?<=/)>
      | (?P<kept>
          title(?=[\s/>])[^>]*+{_END}{_TITLE_TEXT}(?:</title(?=[\s/>])[^>]*+{_END}|\Z)
        | /?(?:a|area|base|link|meta|img)(?=[\s/>]){_FEW_ATTRIBUTES}
        | /?template(?=[\s/>])(?![^>]{{0,300}}\sshadowroot){_FEW_ATTRIBUTES}
        )
      | (?P<root>html(?=[\s/>])){_FEW_ATTRIBUTES}
      | (?P<body>body|svg)(?=[\s/>]){_ATTRIBUTES}{_END}
      | (?P<frame>frame(?=[\s/>])){_FEW_ATTRIBUTES}
      | (?P<icon>i|em|b|span|use)(?=[\s/>]){_ATTRIBUTES}{_END}
      | /?[a-z]{_ATTRIBUTES}{_END}
      | [!?/][^>]*+{_END}
    )""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_RSS = re.compile(r"(?<![a-z])rss(?![a-z])", re.IGNORECASE)
_ICON = '<img alt="rss icon">'


def thin_markup(html: str) -> str:
    """`html` with the tags a, area, base, link, meta, img, template, title and its first html tag, and text.

    Comments, scripts, styles and other raw text are removed with their content. noscript and declarative shadow roots
    are read as markup. An element that a site's style makes an RSS icon becomes an image. A bare tag marks the start of
    the body, so that a title in a drawing is not taken for the page's. A frame becomes a link with its attributes,
    since a body has no frames.
    """
    roots: list[str] = []

    def replacement(token: re.Match[str]) -> str:
        kind = token.lastgroup
        if kind == "kept":
            return token[0]
        if kind in ("icon", "body") and len(token[0]) < _MAX_ICON and _RSS.search(token[0]):
            return _ICON
        if kind == "frame":
            return f"<link{token[0][len('<frame') :]}"
        if kind == "root" and not roots:
            roots.append(token[0])
        return "<body>" if kind == "body" else " "

    thin = _TOKEN.sub(replacement, html)
    return f"{''.join(roots)}{thin}"
