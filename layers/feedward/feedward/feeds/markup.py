"""Repairs broken markup in one linear pass, only for documents that the XML parser rejected.

It visits the tags once, with a stack of open names. CDATA is kept; comments and instructions are dropped; references,
stray `<`, attributes and end tags are corrected. An entity declaration is refused here too.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5
from typing import NamedTuple

from feedward.feeds.limits import MAX_DEPTH, MAX_ELEMENTS, MAX_STRAYS
from feedward.feeds.repairs import Repair
from feedward.feeds.sax import DocumentRefused
from feedward.model import RejectionReason
from feedward.reading_budget import ReadingBudget

_INVALID = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]+")
_BARE_AMPERSAND = re.compile(r"&(?!(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)")
_REFERENCE = re.compile(r"&([#a-zA-Z0-9]{1,32}+);")
# A character beyond U+FFFF, written as two references.
_SURROGATES = re.compile(
    r"&#(?:x(d[89ab][0-9a-f]{2})|(5[56][0-9]{3}));&#(?:x(d[c-f][0-9a-f]{2})|(5[67][0-9]{3}));", re.IGNORECASE
)
_PREDEFINED = frozenset(("amp", "lt", "gt", "quot", "apos"))

# Groups are repeated in (?>...), not possessively: Python before 3.11.5 gets that wrong if a round fails midway.
# (?>...) keeps a record of each round, hence the limit: a flood is matched in several steps.
_ROUNDS = 20_000
_VALUE = rf"""(?>(?:[^"<]++|<(?![^\W\d]|[/!?])){{0,{_ROUNDS}}})"""
# A value has no `<` that could start a tag, unless it is a tag in no other way. Linear, for the reason in text.py.
_TAG = re.compile(
    rf"""<(/?)([^\W\d][\w.:-]*+)((?>(?:[^<>"']++|"{_VALUE}"|'{_VALUE.replace('"', "'")}'){{0,{_ROUNDS}}}))>"""
)
_ODD_TAG = re.compile(rf"""<(/?)([^\W\d][\w.:-]*+)((?>(?:[^<>"']++|"[^"]*+"|'[^']*+'){{0,{_ROUNDS}}}))>""")
_ATTRIBUTE = re.compile(r"""([^\s=/>"'<]++)(?>(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++))?)""")
_ATTRIBUTE_NAME = re.compile(r"[^\W\d][\w.:-]*+")
_INSTRUCTION = re.compile(r"<\?(?!xml[\s?])[^\W\d][\w.:-]*+(?=\s|\?>)", re.IGNORECASE)
_DECLARATION = re.compile(r"<!(?!--|\[CDATA\[)[^<>]*+>")
# Runs of `<` that start or end no markup, matched in one step so that floods of them cost little.
_STRAY = r"<(?![^\W\d]|[/!?])[^<]*+|<(?![!?])[^<>]*+(?=<|\Z)"
_STRAY_RUN = re.compile(rf"(?>(?:{_STRAY}){{1,{_ROUNDS}}})")
_STRAY_DECLARATIONS = re.compile(rf"(?>(?:<!(?!--|\[CDATA\[)[^<>]*+(?=<|\Z)){{1,{_ROUNDS}}})")
_STRAY_INSTRUCTIONS = re.compile(rf"(?>(?:<\?[^<]*+|{_STRAY}){{1,{_ROUNDS}}})")

_VOID = frozenset(("area", "br", "col", "hr", "img", "input", "wbr"))
_INLINE = """
    a abbr b big blockquote center cite code dd del div dl dt em font h1 h2 h3 h4 h5 h6 i iframe ins li object ol p
    param pre q s script small span strike strong style sub sup table tbody td th tr tt u ul
"""
_HTML_IN_TEXT = _VOID | frozenset(_INLINE.split())
_ITEMS = frozenset(("item", "entry", "atom:entry", "rss:item"))
# Elements without child elements: an element that starts inside them shows that an end tag is missing.
_PLAIN_NAMES = """
    link guid id pubdate updated published language ttl lastbuilddate comments category enclosure generator docs
    webmaster managingeditor copyright
"""
_PLAIN = frozenset(_PLAIN_NAMES.split())
_PLAIN_PREFIXES = ("dc:", "dcterms:", "slash:", "sy:", "wfw:")
# A title may hold markup. These end it, and so do elements of other vocabularies.
_AFTER_TITLE = _PLAIN | _ITEMS | frozenset(("title", "description", "summary", "content", "author", "image", "source"))
_MARKUP_PREFIXES = frozenset(("", "h", "html", "m", "math", "mml", "svg", "x", "xh", "xhtml"))


class Mended(NamedTuple):
    """Markup after the pass, and the changes of the pass. A document that ended early still does."""

    text: str
    repairs: tuple[Repair, ...]


def mend(text: str, budget: ReadingBudget) -> Mended:
    """Make `text`, a document from its root element on, as well-formed as possible.

    Raises TooCostly, or DocumentRefused for entity declarations, tags inside each other too deep and too many tags.
    """
    return _Pass(text, budget).run()


class _Pass:
    def __init__(self, text: str, budget: ReadingBudget) -> None:
        self.budget = budget
        self.repairs: dict[Repair, None] = {}
        self.text = _INVALID.sub("", text)
        if len(self.text) != len(text):
            self.repairs[Repair.INVALID_CHARACTERS] = None
        self.out: list[str] = []
        self.open: list[str] = []  # lower case, for comparing
        self.written: list[str] = []  # the same names as they were opened
        self.is_leaf = False
        self.tags = self.starts = self.strays = 0
        self.instructions_end = True

    def run(self) -> Mended:
        at = 0
        while at >= 0:
            start = self.text.find("<", at)
            self.budget.step()
            self._text(self.text[at : start if start >= 0 else None])
            at = self._markup(start) if start >= 0 else -1
        return Mended(text="".join(self.out), repairs=tuple(self.repairs))

    def _markup(self, start: int) -> int:
        """Process the markup at `start`. Return the position to continue at, or -1 if the document ends inside it."""
        kind = self.text[start + 1 : start + 2]
        if kind == "!":
            return self._declaration(start)
        if kind == "?":
            return self._instruction(start)
        if tag := _TAG.match(self.text, start) or _ODD_TAG.match(self.text, start):
            self._tag(tag)
            return tag.end()
        return self._stray(start, _STRAY_RUN)

    def _declaration(self, start: int) -> int:
        if self.text.startswith("<![CDATA[", start):
            end = self.text.find("]]>", start)
            self.out.append(self.text[start : end + 3] if end >= 0 else "<![CDATA[")
            return end + 3 if end >= 0 else -1
        if self.text.startswith("<!--", start):
            return self._comment(start)
        if found := _DECLARATION.match(self.text, start) or _STRAY_DECLARATIONS.match(self.text, start):
            if "<!ENTITY" in found[0].upper():
                raise DocumentRefused(RejectionReason.ENTITY_DECLARATION, "an entity declaration inside the document")
            self.repairs[Repair.DECLARATIONS] = None
            return found.end()
        return self._stray(start, _STRAY_RUN)

    def _comment(self, start: int) -> int:
        end = self.text.find("-->", start + 4)
        if self.text.find("--", start + 4, end + 2 if end >= 0 else None) != end:
            self.repairs[Repair.COMMENTS] = None  # XML has no `--` inside
        return end + 3 if end >= 0 else -1

    def _instruction(self, start: int) -> int:
        end = self.text.find("?>", start) if self.instructions_end else -1
        if end >= 0:
            if not _INSTRUCTION.match(self.text, start):
                self.repairs[Repair.DECLARATIONS] = None
            return end + 2
        self.instructions_end = False
        return self._stray(start, _STRAY_INSTRUCTIONS)

    def _stray(self, start: int, run: re.Pattern[str]) -> int:
        """Write a `<` that starts no markup as text, and so a run of them."""
        found = run.match(self.text, start)
        end = found.end() if found else start + 1
        self.strays += self.text.count("<", start, end)
        if self.strays > MAX_STRAYS:
            raise DocumentRefused(RejectionReason.TOO_COMPLEX, f"more than {MAX_STRAYS} signs < that start nothing")
        self.repairs[Repair.STRAY_LESS_THAN] = None
        self._text(self.text[start:end].replace("<", "&lt;"))
        return end

    def _text(self, text: str) -> None:
        if "&" in text:
            text = self._references(text)
        if "]]>" in text:
            self.repairs[Repair.CDATA_END] = None
            text = text.replace("]]>", "]]&gt;")
        self.out.append(text)

    def _references(self, text: str) -> str:
        """Replace a bare `&` by `&amp;` and HTML entities by their characters; the five entities of XML stay."""
        joined = _SURROGATES.sub(_character, text) if "&#" in text else text
        mended = _REFERENCE.sub(_reference, _BARE_AMPERSAND.sub("&amp;", joined))
        if mended != text:
            self.repairs[Repair.REFERENCES] = None
        return mended

    def _tag(self, tag: re.Match[str]) -> None:
        name, rest = tag[2], tag[3]
        self.tags += 1
        self.starts += not tag[1]
        if self.starts > MAX_ELEMENTS or self.tags > 2 * MAX_ELEMENTS:
            raise DocumentRefused(RejectionReason.TOO_COMPLEX, f"more than {MAX_ELEMENTS} elements")
        if tag[1]:
            self._end(name)
        else:
            self._start(name, rest)

    def _start(self, name: str, rest: str) -> None:
        lower = name.lower()
        if lower in _ITEMS and lower in self.open:
            self._close_down_to(lower)
        if self.open and _ends(self.open[-1], lower):
            self._close_down_to(self.open[-1])
        bare = rest.rstrip()
        closes = bare.endswith("/")
        attributes = self._attributes(bare[:-1] if closes else bare) if bare else ""
        if not closes and lower in _VOID:
            self.repairs[Repair.END_TAGS] = None
            closes = True
        self.out.append(f"<{name}{attributes}{'/' if closes else ''}>")
        if not closes:
            self.open.append(lower)
            self.written.append(name)
            if len(self.open) > MAX_DEPTH:
                raise DocumentRefused(RejectionReason.TOO_DEEP, f"more than {MAX_DEPTH} elements inside each other")
        self.is_leaf = not closes

    def _end(self, name: str) -> None:
        lower = name.lower()
        if self.written and self.written[-1] == name:
            self._close()
            return
        self.repairs[Repair.END_TAGS] = None
        if lower in self.open:
            self._close_down_to(lower)
        elif self.is_leaf and self.open and lower not in _HTML_IN_TEXT:
            self._close()  # a misspelt end tag of the open element

    def _close_down_to(self, name: str) -> None:
        self.repairs[Repair.END_TAGS] = None
        while self.open[-1] != name:
            self._close()
        self._close()

    def _close(self) -> None:
        self.open.pop()
        self.out.append(f"</{self.written.pop()}>")
        self.is_leaf = False

    def _attributes(self, text: str) -> str:
        """Quote and escape every value, and keep the first attribute of each name."""
        values: dict[str, str] = {}
        for name, value in _ATTRIBUTE.findall(text):
            if not _ATTRIBUTE_NAME.fullmatch(name) or name in values:
                self.repairs[Repair.ATTRIBUTES] = None
                continue
            if value[:1] in ("'", '"'):
                values[name] = value[0] + self._value(value[1:-1]) + value[0]
            else:
                self.repairs[Repair.ATTRIBUTES] = None
                values[name] = f'"{self._value(value or name)}"'
        return "".join([f" {name}={value}" for name, value in values.items()])

    def _value(self, value: str) -> str:
        if "&" in value:
            value = self._references(value)
        if "<" in value:
            self.repairs[Repair.ATTRIBUTES] = None
            value = value.replace("<", "&lt;")
        return value


def _ends(name: str, inner: str) -> bool:
    """Return whether the element `inner` cannot start inside the element `name`: then its end tag is missing."""
    if name == "title":
        return inner in _AFTER_TITLE or inner.rpartition(":")[0] not in _MARKUP_PREFIXES
    return inner not in _HTML_IN_TEXT and (name in _PLAIN or name.startswith(_PLAIN_PREFIXES))


def _character(found: re.Match[str]) -> str:
    """Return the character of two references to surrogates (`&#55357;&#56832;`), or them as they are."""
    high = int(found[1], 16) if found[1] else int(found[2])
    low = int(found[3], 16) if found[3] else int(found[4])
    is_pair = 0xD800 <= high < 0xDC00 <= low < 0xE000
    return chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00) if is_pair else found[0]


def _reference(found: re.Match[str]) -> str:
    name = found[1]
    if name in _PREDEFINED:
        return found[0]
    if name[0] != "#":
        character = html5.get(name + ";")
        return f"&amp;{name};" if character is None else _escaped(character)
    return _escaped(unescape(found[0]))


def _escaped(text: str) -> str:
    """Return the characters that XML allows, escaped where they are markup."""
    clean = _INVALID.sub("", text)
    return (
        clean.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&quot;")
        .replace("'", "&apos;")
    )
