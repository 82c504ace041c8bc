"""Finds the target of a page that only redirects: a refresh, by meta or header, and no text to read (rule L4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from feedward.pages.charset import html_text, is_shown_as_page
from feedward.pages.may_refresh import may_refresh
from feedward.pages.thin_page import thin_page
from feedward.pages.visible_text import page_text
from feedward.reading_budget import ReadingBudget
from feedward.urls.parse import join_url, parse_url
from feedward.urls.safety import request_url

MAX_DELAY_S = 5
# The text of a page that only redirects is a short notice with a link.
MAX_CHARS = 200
MAX_SENTENCES = 2

# The delay, its fraction, and the rest behind the separator (HTML, shared declarative refresh steps).
_REFRESH = re.compile(r"\s*+([0-9]*+)(\.?[0-9.]*+)(?:\s*+[;,]\s*+|\s++)(.++)", re.DOTALL)
_URL = re.compile(r"url\s*+=\s*+", re.IGNORECASE)
_END_OF_SENTENCE = re.compile(r"(?<![.])[.!?](?=\s)|[\u3002\uff01\uff1f](?=.)")


class _Declared(NamedTuple):
    """A page's declarations: its refresh, and the base of relative references."""

    refresh: str
    base: str | None = None


def leads_to(url: str, headers: Mapping[str, str], body: bytes) -> str | None:
    """Return the http(s) URL to which the page at `url` only redirects, or None for a page with content.

    A page that reloads itself has content. Header names are lower case. Raises TooCostly.
    """
    content_type = headers.get("content-type")
    if not may_refresh(headers, body) or not is_shown_as_page(body, content_type):
        return None
    html = html_text(body, content_type)
    reference = base = None
    for declared in (_by_header(headers), _by_meta(html)):
        if reference is None and declared is not None:
            reference, base = refresh_reference(declared.refresh), declared.base
    target = _target(url, base, reference) if reference else None
    return target if target and _is_no_reading(page_text(html)) else None


def refresh_reference(refresh: str) -> str | None:
    """Return the reference of a refresh within MAX_DELAY_S, as browsers read it; None for a reload and a later one."""
    found = _REFRESH.match(refresh[:5000])
    if found is None or not (found[1] or found[2]) or int(found[1][:9] or 0) > MAX_DELAY_S:
        return None
    rest = found[3]
    named = _URL.match(rest)
    reference = rest[named.end() :] if named else rest
    if reference[:1] in ("'", '"'):
        reference = reference[1:].partition(reference[0])[0]
    return reference.strip() or None


def _by_header(headers: Mapping[str, str]) -> _Declared | None:
    return _Declared(headers["refresh"]) if "refresh" in headers else None


def _by_meta(html: str) -> _Declared | None:
    """The declaration of the first meta element outside noscript and templates."""
    markup = thin_page(html, ReadingBudget())
    if not markup.is_cheap:
        return None
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - a start that reads no page does without

    tree = LexborHTMLParser(markup.html)
    base = next((node.attributes["href"] for node in tree.css("base[href]")), None)
    for node in tree.css("meta[http-equiv]"):
        attributes = node.attributes
        if (attributes["http-equiv"] or "").strip().lower() == "refresh":
            return _Declared(attributes.get("content") or "", base)
    return None


def _target(url: str, base: str | None, reference: str) -> str | None:
    """The absolute URL, if it is an http(s) URL and not the page itself."""
    page = parse_url(url)
    start = (join_url(page, base) if page and base else page) or page
    target = join_url(start, reference.replace(" ", "%20")) if start else None
    if page is None or target is None or target.protocol not in ("http:", "https:"):
        return None
    return None if request_url(target) == request_url(page) else target.href


def _is_no_reading(text: str) -> bool:
    return len(text) <= MAX_CHARS and len(_END_OF_SENTENCE.findall(text)) < MAX_SENTENCES
