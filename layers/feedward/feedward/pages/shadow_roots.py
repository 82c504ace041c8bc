"""Makes open declarative shadow roots ordinary elements: browsers show them, unlike other templates (rule L4)."""

from __future__ import annotations

import re

from feedward.pages.tokens import (
    ATTRIBUTE,
    ATTRIBUTES,
    COMMENT,
    DECLARATION,
    FLAGS,
    NAME_END,
    RAW,
    TAG_END,
    raw_element,
)
from feedward.reading_budget import ReadingBudget

_WORD = "shadowrootmode"
_TOKEN = re.compile(
    rf"""{COMMENT}|{RAW}|{raw_element("noscript")}
    |<(?P<end>/?)(?P<template>template){NAME_END}(?P<attributes>{ATTRIBUTES}){TAG_END}
    |</?[a-z][^\s/>]*+{ATTRIBUTES}{TAG_END}|{DECLARATION}""",
    FLAGS | re.VERBOSE,
)
_ATTRIBUTE = re.compile(ATTRIBUTE, FLAGS)
_OPEN = re.compile(r"""[\s/]*+shadowrootmode\s*+=\s*+["']?open["']?""", re.IGNORECASE)
_ELEMENT = "shadow-root"


def with_shown_shadow_roots(html: str, budget: ReadingBudget) -> str:
    """Return `html` with an element in place of each open shadow root; other templates stay. Raises TooCostly."""
    if _WORD not in html.lower():  # 70 times faster than a pattern without case
        return html
    # For each open template: whether it is shown. Templates inside a hidden one are hidden too.
    shown: list[bool] = []

    def replacement(token: re.Match[str]) -> str:
        budget.step()
        if not token["template"]:
            return token[0]
        if token["end"]:
            return f"</{_ELEMENT}>" if shown and shown.pop() else token[0]
        shown.append(all(shown) and _is_open(token["attributes"]))
        return f"<{_ELEMENT}>" if shown[-1] else token[0]

    return _TOKEN.sub(replacement, html)


def _is_open(attributes: str) -> bool:
    return any(_OPEN.fullmatch(attribute[0]) for attribute in _ATTRIBUTE.finditer(attributes))
