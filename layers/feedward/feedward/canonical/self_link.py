"""Decides how to verify the URL that a feed declares for itself (rules C5, C7.5)."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.schemes import connection_failed
from feedward.model import FetchResult, Outcome
from feedward.urls.compare import (
    has_white_space,
    is_same_but_for_parameters,
    with_scheme,
    without_fragment,
    without_root_dot,
)
from feedward.urls.resolve import resolve_input
from feedward.urls.rewrites import rewrite_url
from feedward.urls.safety import refuse_userinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfLink:
    """The declared URL, resolved (None if unusable), the URLs to fetch for it in order, and why there are none.

    `feed_like` is true if it has a feed-like scheme (feed:, rss: ...), for which https was assumed.
    """

    url: str | None
    attempts: tuple[str, ...] = ()
    feed_like: bool = False
    why: str = ""


def read_self_link(declared: str | None, response_url: str, options: CanonicalizeOptions) -> SelfLink:
    """Resolve `declared` against the response, and return the URLs to fetch to verify it."""
    text = (declared or "").strip()
    if not text:
        return SelfLink(url=None, why="the feed declares no self link")
    if has_white_space(text):
        return SelfLink(url=None, why="the self link has white space inside")
    resolved = resolve_input(text, response_url)
    if resolved is None:
        return SelfLink(url=None, why="the self link is not an http(s) URL")
    if refuse_userinfo(text) or refuse_userinfo(resolved.url):
        return SelfLink(url=None, why="the self link has userinfo, which is neither sent nor shown")
    url = rewrite_url(without_root_dot(without_fragment(resolved.url)), options.rewrites)
    if is_same_but_for_parameters(url, response_url, options.tracking_params):
        return SelfLink(url=url, why="the self link says the same as the response URL")
    attempts = _attempts(url, resolved.may_be_http, options)
    return SelfLink(url=url, attempts=attempts, feed_like=resolved.may_be_http)


def is_mutual(declared: str | None, there: str, response_url: str, options: CanonicalizeOptions) -> bool:
    """Return whether the document at `there`, the response's self link, names the response URL in turn."""
    url = read_self_link(declared, there, options).url
    return url is not None and is_same_but_for_parameters(url, response_url, options.tracking_params)


def tries_declared_form(link: SelfLink, fetch: FetchResult) -> bool:
    """Return whether the http form is fetched too after the https form failed.

    For a feed-like scheme this requires that the connection failed. For a declared http URL a client error is enough,
    since it did not declare https. Never after a document arrived, and never after 429 or 5xx.
    """
    if connection_failed(fetch):
        return True
    status = fetch.status or 0
    return not link.feed_like and 400 <= status < 500 and fetch.outcome is not Outcome.RATE_LIMITED


def _attempts(url: str, feed_like: bool, options: CanonicalizeOptions) -> tuple[str, ...]:
    if feed_like and url.startswith("https:"):
        return (url, with_scheme(url, "http"))
    if url.startswith("http:") and options.prefer_https:
        return (with_scheme(url, "https"), url)
    return (url,)
