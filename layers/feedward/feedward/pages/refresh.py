"""Finds the target of a page that only redirects: a refresh, or a script, and no text to read (rule L4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import NamedTuple

from feedward.pages.charset import html_text, is_shown_as_page
from feedward.pages.may_refresh import may_refresh
from feedward.pages.script_redirect import script_reference
from feedward.pages.thin_page import thin_page
from feedward.pages.visible_text import page_text
from feedward.reading_budget import ReadingBudget
from feedward.urls.parse import join_url, parse_url
from feedward.urls.safety import request_url

MAX_DELAY_S = 5
# The text of a page that only redirects is a short notice with a link.
MAX_CHARS = 200
MAX_SENTENCES = 2
MAX_STUB = 20_000

# The delay, its fraction, and the rest behind the separator (HTML, shared declarative refresh steps).
_REFRESH = re.compile(r"\s*+([0-9]*+)(\.?[0-9.]*+)(?:(?:\s*+[;,]\s*+|\s++)(.*+)|\Z)", re.DOTALL)
_URL = re.compile(r"url\s*+=\s*+", re.IGNORECASE)
_SCRIPT = re.compile(r"<script(?=[\s>])[^>]{0,1000}+>(.{0,5000}?)</script", re.IGNORECASE | re.DOTALL)
_IN_NOSCRIPT = re.compile(
    r"<noscript(?=[\s>])[^>]{0,100}+>[^<]{0,100}+<meta(?=\s)([^>]{0,3000}http-equiv\s*+=\s*+[\"']?refresh[^>]{0,3000}+)",
    re.IGNORECASE,
)
_CONTENT = re.compile(r"""(?<![\w-])content\s*+=\s*+(?:(["'])(.*?)\1|([^\s"'>]++))""", re.IGNORECASE | re.DOTALL)
_END_OF_SENTENCE = re.compile(r"(?<![.])[.!?](?=\s)|[\u3002\uff01\uff1f](?=.)")


class _Declared(NamedTuple):
    """A page's refresh as browsers read it: its reference (None for a reload or a later one), and the page's base."""

    reference: str | None
    base: str | None = None


def leads_to(url: str, headers: Mapping[str, str], body: bytes) -> str | None:
    """Return the http(s) URL to which the page at `url` only redirects, or None for a page with content.

    A page that reloads itself has content. Header names are lower case. Raises TooCostly.
    """
    content_type = headers.get("content-type")
    if not may_refresh(headers, body) or not (is_shown_as_page(body, content_type) or _is_empty_forward(headers, body)):
        return None
    html = html_text(body, content_type)
    declared = _by_header(headers) or _by_meta(html) or _Declared(script_reference(html))
    target = _target(url, declared.base, declared.reference) if declared.reference else None
    return target if target and _is_no_reading(page_text(html)) else None


def _is_empty_forward(headers: Mapping[str, str], body: bytes) -> bool:
    return "refresh" in headers and not body.strip()


def refresh_reference(refresh: str) -> str | None:
    """Return the reference of a refresh within MAX_DELAY_S, as browsers read it; None for a reload and a later one."""
    found = _is_refresh(refresh)
    if found is None or int(found[1][:9] or 0) > MAX_DELAY_S or not found[3]:
        return None
    rest = found[3]
    named = _URL.match(rest)
    reference = rest[named.end() :] if named else rest
    if reference[:1] in ("'", '"'):
        reference = reference[1:].partition(reference[0])[0]
    return reference.strip() or None


def _is_refresh(text: str) -> re.Match[str] | None:
    """The parts of a refresh; None for a text that browsers ignore: then a later one counts."""
    found = _REFRESH.match(text[:5000])
    return found if found and (found[1] or found[2]) else None


def _by_header(headers: Mapping[str, str]) -> _Declared | None:
    refresh = headers.get("refresh", "")
    return _Declared(refresh_reference(refresh)) if _is_refresh(refresh) else None


def _by_meta(html: str) -> _Declared | None:
    """The declaration of the first valid meta element outside templates; in noscript if a script says the same."""
    markup = thin_page(html, ReadingBudget())
    if not markup.is_cheap:
        return None
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - a start that reads no page does without

    tree = LexborHTMLParser(markup.html)
    base = next((node.attributes["href"] for node in tree.css("base[href]")), None)
    for node in tree.css("meta[http-equiv]"):
        attributes = node.attributes
        content = attributes.get("content") or ""
        if (attributes["http-equiv"] or "").strip().lower() == "refresh" and _is_refresh(content):
            return _Declared(refresh_reference(content), base)
    reference = _without_scripts(html)
    return _Declared(reference, base) if reference else None


def _without_scripts(html: str) -> str | None:
    """The reference of a refresh in noscript, if a script goes to the same place: a page of a link shortener."""
    html = html[:MAX_STUB]
    code = "".join(_SCRIPT.findall(html)).replace("\\/", "/")
    if "location" not in code:
        return None
    for found in _IN_NOSCRIPT.finditer(html):
        content = _CONTENT.search(found[1])
        reference = refresh_reference(unescape(content[2] or content[3])) if content else None
        if reference and re.search(rf"[\"']{re.escape(reference)}[\"']", code):
            return reference
    return None


def _target(url: str, base: str | None, reference: str) -> str | None:
    """The absolute URL, if it is an http(s) URL and not the page itself, also not with http for its https."""
    page = parse_url(url)
    start = (join_url(page, base) if page and base else page) or page
    target = join_url(start, reference.replace(" ", "%20")) if start else None
    if page is None or target is None or target.protocol not in ("http:", "https:"):
        return None
    there, here = request_url(target), request_url(page)
    return None if there == here or f"https{there.removeprefix('http')}" == here else target.href


def _is_no_reading(text: str) -> bool:
    return len(text) <= MAX_CHARS and len(_END_OF_SENTENCE.findall(text)) < MAX_SENTENCES
