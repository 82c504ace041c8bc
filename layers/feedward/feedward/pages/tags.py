"""The tags of a page as the HTML standard's tokenizer finds them, in patterns that take linear time, and their effect
on the text (rule L4).

No quantifier backtracks, and text that begins like a tag always matches, so any text takes one pass.
"""

from __future__ import annotations

import re

FLAGS = re.IGNORECASE | re.DOTALL


def run_of(part: str) -> str:
    """The pattern of the longest run of `part`, of at most as many as a document has characters.

    Possessive groups mean something else before Python 3.11.5. Atomic ones keep a record of each part, here of 1000.
    """
    return rf"(?>(?:(?>(?:{part}){{1,1000}})){{0,20000}})"


# An unclosed quote is ignored: its tag ends at the next `>`.
_VALUE = r"""(?>(?:"[^"]*+"|'[^']*+'|[^\s"'>][^\s>]*+)?)"""
ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+(?>(?:\s*+=\s*+{_VALUE})?)"
ATTRIBUTES = run_of(ATTRIBUTE)
TAG_END = r"[\s/]*+(?:>|\Z)"
NAME_END = r"(?=[\s/>]|\Z)"

# The content of comments and scripts is taken a run of characters at a time: `.*?` takes one, in five times the time.
COMMENT = rf"<!--(?:-?>|{run_of('[^-]++|-(?!-!?>)')}(?:--!?>|\Z))"
DECLARATION = r"<(?:[!?]|/(?![a-z]))[^>]*+(?:>|\Z)"

_PART = 100_000
# `hidden` or `popover` in attributes, which are short: a set of first letters is searched for several times faster than
# a pattern without case; a mixture of both words that it finds too (`hopover`) hides nothing.
_HIDDEN_WORD = re.compile("[hHpP](?:[iIıİ][dD][dD][eE][nN]|[oO][pP][oO][vV][eE][rR])")
_PART = 100_000


def mentions(text: str, word: str) -> bool:
    """Return whether this lower-case ASCII word is in the text, in whatever case.

    It is searched in parts: a pattern takes ten times as long, and a copy of a large page too much memory.
    """
    return any(word in text[at : at + _PART + len(word)].lower() for at in range(0, len(text), _PART))


def _has(name: str) -> re.Pattern[str]:
    """A pattern that matches the text behind a tag's name if it has an attribute of this name, whatever its value."""
    own = rf"[\s/]*+(?:{name})(?=[\s/>=]|\Z)"
    return re.compile(run_of(rf"(?!{own}){ATTRIBUTE}") + own, FLAGS)


_HIDDEN, _HIDDEN_OR_POPOVER, _OPEN = _has("hidden"), _has("hidden|popover"), _has("open")


def raw_element(name: str) -> str:
    """The pattern of a whole element with raw text content: it ends at its first end tag, or with the page."""
    return rf"<{name}{NAME_END}{ATTRIBUTES}{TAG_END}{raw_text(name)}(?:</{name}{NAME_END}{ATTRIBUTES}{TAG_END}|\Z)"


def raw_text(name: str) -> str:
    """The pattern of the content of an element with raw text: up to its first end tag, or the end of the page."""
    return run_of(rf"[^<]++|<(?!/{name}{NAME_END})")


RAW_NAMES = ["script", "style", "iframe", "noembed", "noframes", "textarea", "title", "xmp", "plaintext"]
"""Elements with raw text content, without noscript."""
_PLAINTEXT = rf"<plaintext{NAME_END}{ATTRIBUTES}{TAG_END}.*"
RAW = "|".join((*map(raw_element, RAW_NAMES[:-1]), _PLAINTEXT))
"""Whole elements of these names."""


def says_hidden(name: str, attributes: str) -> bool:
    """True if browsers hide the element `name` with this text behind its name, until a script or a click shows it.

    Such are elements with `hidden`, dialogs without `open`, and other elements with `popover`, whatever the values.
    """
    if name == "dialog":
        return _OPEN.match(attributes) is None or _HIDDEN.match(attributes) is not None
    return _HIDDEN_WORD.search(attributes) is not None and _HIDDEN_OR_POPOVER.match(attributes) is not None


# The HTML standard's style sheet shows these as blocks, list items or parts of tables; br breaks a line.
_SEPARATING = """
    address article aside blockquote br caption center dd details dialog dir div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p plaintext pre search
    section summary table tbody td tfoot th thead tr ul xmp
"""
SEPARATORS = frozenset(_SEPARATING.split())

# Never shown by any browser: code, drawings, markup for browsers without frames, the page's title.
_NEVER_SHOWN = "script style template noscript svg iframe noembed noframes title"
# Fallback content for browsers that do not know the element.
_FALLBACK = "audio canvas datalist meter progress rp video"
REMOVED = frozenset(f"{_NEVER_SHOWN} {_FALLBACK}".split())

# Inline elements that the parser reopens in each following block until they are closed.
FORMATTING = ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"]

# No content and no end tag.
_VOID = "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"
VOID = frozenset(_VOID.split())

# Elements that end at the start of another of their kind; a p ends at the start of any block, parts of ruby at another.
_ENDS_BY_ITSELF = "p li dd dt option optgroup tr td th tbody thead tfoot rp"
ENDS_BY_ITSELF = frozenset(_ENDS_BY_ITSELF.split())
RUBY_PARTS = frozenset(["rb", "rp", "rt", "rtc"])
