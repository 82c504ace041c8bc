"""Tells whether a link that only says "subscribe" leads to a shop, a form or an advertisement (rule D5)."""

from __future__ import annotations

import re

from feedward.urls.parse import parse_http_url

_SHOP_WORDS = """
    shop store cart basket checkout order orders buy pay payment payments purchase pricing price prices plan plans
    account accounts login signin signup register registration member members membership memberships join donate
    donation donations offer offers deal deals gift gifts abo abos abonnement abonnements subscription subscriptions
    newsletter newsletters email mail mailing sms premium patron patreon print magazine edition click clicks clk ad ads
    adclick redirect redir out go away track tracking campaign promo
"""
_WORDS = frozenset(_SHOP_WORDS.split())
_NAME = re.compile("[a-z]+")


def is_shop(url: str, page_url: str) -> bool:
    """Return whether `url` is on another host than the page, has another URL in it, or says shop in its path."""
    target, page = parse_http_url(url), parse_http_url(page_url)
    if target is None or page is None or _host(target.hostname) != _host(page.hostname):
        return True
    says_url = "http" in target.search.lower()
    return says_url or not _WORDS.isdisjoint(_NAME.findall(target.pathname.lower()))


def _host(hostname: str) -> str:
    return hostname.removeprefix("www.")
