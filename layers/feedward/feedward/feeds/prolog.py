"""Reads the prolog of a document in one pass up to the root element, which decides its format (rule P1).

Declarations, comments and processing instructions are skipped, a DOCTYPE is dropped, and an entity declaration is
refused. Other text before a feed (warnings, white space, a second declaration) is skipped and reported as a repair.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from feedward.feeds.limits import MAX_PROLOG
from feedward.feeds.repairs import Repair
from feedward.feeds.sax import DocumentRefused
from feedward.model import FeedFormat, Rejection, RejectionReason

_ROOTS = {"rss": FeedFormat.RSS, "channel": FeedFormat.RSS, "rdf": FeedFormat.RDF, "feed": FeedFormat.ATOM}
_HTML_PAGES = frozenset(("html", "head", "body", "frameset"))
_HTML_NAMES = """
    a abbr article b big blockquote br button center code div em font footer form h1 h2 h3 h4 h5 h6 header hr i iframe
    img input li link main meta nav noscript ol p pre script section small span strong style table title tr tt ul
"""
_HTML_ELEMENTS = _HTML_PAGES | frozenset(_HTML_NAMES.split())
_MARKUP = re.compile(r"<(?=[?!]|[^\W\d])")
_NAME = re.compile(r"[^\W\d][\w.:-]{0,100}")
_FEED_START = re.compile(r"<\?xml\s|<(?:rss|feed|rdf:RDF)[\s>]")
_DECLARATION_START = re.compile(r"<\?xml(?![\w.:-])", re.IGNORECASE)
_XML_DECLARATION = re.compile(
    r"""<\?xml\s+version\s*=\s*["'][0-9.]+["'](\s+encoding\s*=\s*["'][\w.:-]+["'])?"""
    r"""(\s+standalone\s*=\s*["'](yes|no)["'])?\s*\?>""",
    re.ASCII,
)
_SUBSET_MARKS = re.compile(r"""<!--|["'\[\]>]""")


class Prolog(NamedTuple):
    """The position of the root element, its format, and the repairs for skipped text."""

    root_at: int
    format: FeedFormat
    repairs: tuple[Repair, ...]


def read_prolog(text: str) -> Prolog | Rejection:
    """Find the root element of a markup document. Rejects roots of other formats, and entity declarations."""
    return _Scan(text).run()


class _Scan:
    """One pass over the prolog. Each step moves `at` forward, so the pass is linear."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.repairs: dict[Repair, None] = {}
        self.is_html = False
        self.declared = False
        self.instructions_end = True  # False after a failed search: it is not repeated
        self.doctypes_end = True

    def run(self) -> Prolog | Rejection:
        try:
            return self._find_root()
        except DocumentRefused as refused:
            return refused.rejection

    def _find_root(self) -> Prolog:
        for _ in range(MAX_PROLOG):
            start = self._next_markup()
            mark = self.text[start + 1 : start + 2]
            if mark == "?":
                self._pass_instruction(start)
            elif mark == "!":
                self._pass_declaration(start)
            else:
                local = self._local_name(start)
                if local in _ROOTS:
                    return Prolog(root_at=start, format=_ROOTS[local], repairs=tuple(self.repairs))
                self._pass_html_junk(start, local)
        raise DocumentRefused(RejectionReason.TOO_COMPLEX, f"no root element among the first {MAX_PROLOG} tags")

    def _local_name(self, start: int) -> str:
        name = _NAME.match(self.text, start + 1)
        return name[0].rpartition(":")[2].lower() if name else ""

    def _next_markup(self) -> int:
        found = _MARKUP.search(self.text, self.at)
        if found is None:
            reason = RejectionReason.HTML if self.is_html else RejectionReason.NOT_A_FEED
            raise DocumentRefused(reason, "no root element")
        junk = self.text[self.at : found.start()]
        if junk and not junk.isspace():
            self.repairs[Repair.LEADING_JUNK] = None
        return found.start()

    def _pass_instruction(self, start: int) -> None:
        """Skip `<?...?>`; an XML declaration may have lost its second question mark."""
        is_declaration = _DECLARATION_START.match(self.text, start) is not None
        end = -1 if is_declaration else self._end_of_instruction(start)
        if end < 0:
            end = self.text.find(">", start)
        if end < 0:
            raise DocumentRefused(RejectionReason.NOT_A_FEED, "nothing but an unfinished declaration")
        if is_declaration:
            self._note_declaration(start, end)
        self.at = end + (1 if self.text[end] == ">" else 2)

    def _end_of_instruction(self, start: int) -> int:
        end = self.text.find("?>", start) if self.instructions_end else -1
        self.instructions_end = end >= 0
        return end

    def _note_declaration(self, start: int, end: int) -> None:
        if start and not self.declared and Repair.LEADING_JUNK not in self.repairs and self.text[:start].isspace():
            self.repairs[Repair.LEADING_WHITESPACE] = None
        if self.declared or not _XML_DECLARATION.fullmatch(self.text, start, end + 1):
            self.repairs[Repair.XML_DECLARATION] = None
        self.declared = True

    def _pass_declaration(self, start: int) -> None:
        word = self.text[start + 2 : start + 9].upper()
        if word.startswith("--"):
            end = self.text.find("-->", start + 4)
            if end < 0:
                raise DocumentRefused(RejectionReason.MALFORMED, "a comment without end")
            self.at = end + 3
        elif word.startswith("ENTITY"):
            raise DocumentRefused(RejectionReason.ENTITY_DECLARATION, "an entity declaration")
        elif word == "DOCTYPE":
            self._pass_doctype(start)
        else:
            self.at = self._end_of_declaration(start)

    def _pass_doctype(self, start: int) -> None:
        end = self._end_of_doctype(start)
        if "<!ENTITY" in self.text[start:end].upper():
            raise DocumentRefused(RejectionReason.ENTITY_DECLARATION, "a DOCTYPE with an entity declaration")
        self.is_html = self.is_html or self.text[start + 9 : start + 40].lstrip().lower().startswith("html")
        self.at = end

    def _end_of_doctype(self, start: int) -> int:
        """Return the end of a DOCTYPE: the `>` outside quotes, comments and brackets, else the next one."""
        depth, at = 0, start
        while self.doctypes_end and (mark := _SUBSET_MARKS.search(self.text, at)):
            sign, at = mark[0], mark.end()
            if sign == ">" and depth <= 0:
                return at
            if sign in "[]":
                depth += 1 if sign == "[" else -1
            elif sign != ">":
                closing = "-->" if sign == "<!--" else sign
                end = self.text.find(closing, at)
                if end < 0:
                    break
                at = end + len(closing)
        self.doctypes_end = False
        return self._end_of_declaration(start)

    def _end_of_declaration(self, start: int) -> int:
        end = self.text.find(">", start)
        if end < 0:
            raise DocumentRefused(RejectionReason.MALFORMED, "a declaration without end")
        return end + 1

    def _pass_html_junk(self, start: int, local: str) -> None:
        """Skip printed HTML (a warning, a counter) before a feed. A page or another root is not a feed."""
        if local not in _HTML_ELEMENTS:
            raise DocumentRefused(RejectionReason.NOT_A_FEED, f"the root element is {local[:40]}")
        later = None if local in _HTML_PAGES or self.is_html else _FEED_START.search(self.text, start)
        if later is None:
            raise DocumentRefused(RejectionReason.HTML, "an HTML page")
        self.repairs[Repair.LEADING_JUNK] = None
        self.at = later.start()
