"""Elements by their effect on a page's text (rule L4): they separate words, are removed, or have no effect."""

from __future__ import annotations

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
