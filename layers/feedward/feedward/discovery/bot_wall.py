"""Bot checks that answer 200 with a page of their own, which is not the site's (spec D4). Pure.

What answers with a status or a header of its own is known from those already.
"""

from __future__ import annotations

from feedward.discovery.page import Page

MAX_CHARS = 60_000
"""A bot check is a small page; a large one that holds such a mark is a page that is guarded, and was let through."""

_MARKS = (
    "_cf_chl_opt",  # Cloudflare
    "/.within.website/x/cmd/anubis/",  # Anubis
    "captcha-delivery.com",  # DataDome
    "_incapsula_resource",  # Imperva
    "px-captcha",  # HUMAN
    "awswafintegration",  # AWS WAF
    "sucuri_cloudproxy_js",  # Sucuri
    "ddos-guard/js-challenge",  # DDoS-Guard
    "/.well-known/sgcaptcha/",  # SiteGround
)


def is_bot_wall(page: Page) -> bool:
    """Tell whether a page that names no feed is a bot check and not what was asked for."""
    if page.links or page.anchors or len(page.html) > MAX_CHARS:
        return False
    html = page.html.lower()
    return any(mark in html for mark in _MARKS)
