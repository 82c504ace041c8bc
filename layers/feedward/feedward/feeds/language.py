"""Language tags of feeds and pages, in the form of BCP 47 (rule P1)."""

from __future__ import annotations

import re

_LONGEST = 60
_TAG = re.compile(
    r"[a-z]{2,3}(?:-[a-z]{3}){0,3}"  # a language and its extended ones
    r"(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?"  # script and region
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"  # variants
    r"(?:-[0-9a-wyz](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?"  # extensions and private use
    r"|i-[a-z]{2,8}|en-gb-oed|sgn-be-(?:fr|nl)|sgn-ch-de"  # registered before these forms
)


def language_tag(text: str | None) -> str | None:
    """Return a language tag in lower case with `-`, or None for any other text (`English`, `x-default`)."""
    tag = (text or "").strip().lower().replace("_", "-")
    return tag if len(tag) <= _LONGEST and _TAG.fullmatch(tag) else None
