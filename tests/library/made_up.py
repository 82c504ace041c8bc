"""Run before each example of docs/library.md: the guarded fetch is replaced by a made-up internet."""

from __future__ import annotations

import feedward.library
from feedward import FetchResult, Outcome

FEED = b"<rss version='2.0'><channel><title>Garden</title><item><title>Slugs</title></item></channel></rss>"
PAGE = b"<!doctype html><title>Garden</title><link rel=alternate type=application/rss+xml href=/feed>"


class Garden:
    """One site, under every spelling of its host."""

    def fetch(self, url: str, **_options: object) -> FetchResult:
        path = url.partition("?")[0].partition("garden.example")[2]
        body = PAGE if path == "/" else FEED
        return FetchResult(url=url, outcome=Outcome.OK, status=200, requests=1, body=body)


feedward.library._guarded = lambda _within_s: Garden()  # type: ignore[assignment,return-value]
