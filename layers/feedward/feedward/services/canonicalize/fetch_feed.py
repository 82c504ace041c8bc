"""Fetch a URL and say what feed is there: one outcome for both steps (spec H1). Parsed once."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.model import Feed, FetchResult, Outcome, Rejection, RejectionReason, Validators
from feedward.ports import Fetcher


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedFeed:
    """A fetch and its document. `feed` is there exactly when `outcome` is `ok`, also for a truncated document.

    `outcome` is the fetch's own, or `not_feed` or `empty_body` where a body arrived whole and `rejection` says why, or
    `generator_error` where a generator reports its own failure as a feed (spec D3).
    """

    fetch: FetchResult
    outcome: Outcome
    feed: Feed | None = None
    rejection: Rejection | None = None


def fetch_feed(
    fetcher: Fetcher, url: str, *, validators: Validators | None = None, within_s: float | None = None
) -> FetchedFeed:
    """Fetch `url`, with all its redirects, and parse what arrived. Raises nothing for what a server does."""
    return read_feed(fetcher.fetch(url, validators=validators, within_s=within_s))


def read_feed(fetch: FetchResult) -> FetchedFeed:
    """Parse the body of a fetch. Its content type is a hint; URLs of the document belong to where it was found."""
    if fetch.outcome is not Outcome.OK:
        return FetchedFeed(fetch=fetch, outcome=fetch.outcome)
    from feedward.feeds.error_feed import is_error_feed  # noqa: PLC0415 - a cold start does without them
    from feedward.feeds.parse import parse_feed  # noqa: PLC0415

    document = parse_feed(fetch.body, content_type=fetch.content_type, url=fetch.url)
    if isinstance(document, Rejection):
        return FetchedFeed(fetch=fetch, outcome=_outcome_of(document), rejection=document)
    if is_error_feed(document):
        return FetchedFeed(fetch=fetch, outcome=Outcome.GENERATOR_ERROR)
    return FetchedFeed(fetch=fetch, outcome=Outcome.OK, feed=document)


def _outcome_of(rejection: Rejection) -> Outcome:
    return Outcome.EMPTY_BODY if rejection.reason is RejectionReason.EMPTY else Outcome.NOT_FEED
