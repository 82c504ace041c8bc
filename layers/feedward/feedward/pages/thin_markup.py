"""Removes markup that discovery never reads, so that the tree is built in linear time and little memory.

Tree building by the HTML standard is quadratic in nested blocks, in one tag's attributes and in unclosed formatting: 2
MB of `<div>` take minutes. So one scan by the standard's rules for tags, comments and raw text keeps only the elements
that discovery reads, none of which can nest deeply, and the text between. Any other markup becomes a space.
"""

from __future__ import annotations

import re

_MAX_ATTRIBUTES = 100
_MAX_ICON = 2000

# No quantifier backtracks, and text that begins like a tag always matches: one pass for any text.
_VALUE = r"""(?>(?:"[^"]*+"|'[^']*+'|[^\s"'>][^\s>]*+)?)"""
_ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+(?>(?:\s*+=\s*+{_VALUE})?)"
_FEW_ATTRIBUTES = rf"(?>(?:{_ATTRIBUTE}){{0,{_MAX_ATTRIBUTES}}})[\s/]*+>"
_ATTRIBUTES = rf"(?>(?:[^>=]*+=\s*+{_VALUE}){{0,{_MAX_ATTRIBUTES}}})[^>]*+"
_END = r"(?:>|\Z)"

_TOKEN = re.compile(
    rf"""<(?=[a-z/!?])(?:
        !--(?:-?>|.*?(?:--!?>|\Z))
      | (?P<raw>script|style|textarea|xmp|iframe|noembed)(?=[\s/>]){_ATTRIBUTES}
        (?:(?<=/)>|{_END}.*?(?:</(?P=raw)(?=[\s/>])[^>]*+{_END}|\Z))
      | title(?=[\s/])[^>]*+(?<=/)>
      | (?P<kept>
          title(?=[\s/>])[^>]*+{_END}.*?(?:</title(?=[\s/>])[^>]*+{_END}|\Z)
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
