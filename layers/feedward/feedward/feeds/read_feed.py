"""Parses the response of a fetch into a feed, an error feed of a generator, or a rejection, with one outcome."""

from __future__ import annotations

import re
from dataclasses import dataclass

from feedward.model import Feed, FetchResult, Item, Outcome, Rejection, RejectionReason

# "Bridge returned error 404! (19345)": the number counts days. Older ones wrote no number, or a sentence.
_BRIDGE = re.compile(
    r"bridge returned error(?: -?\d{1,4})?!? *(?:\(\d{1,6}\))?"
    r"|\S.{0,80} was unable to receive or process the remote website's content!?.{0,200}",
    re.IGNORECASE,
)
_HUB = re.compile(r"rsshub (?:发生了一些意外|error\b).{0,300}", re.IGNORECASE)
_GATE = re.compile(r"rss reader not yet whitelisted!?", re.IGNORECASE)
_BY_ITSELF = (_BRIDGE, _HUB, _GATE)

# An error as programs write it: its class and message.
_RAISED = re.compile(r"(?:[A-Z][A-Za-z]{0,30})?(?:Error|Exception): ?\S.{0,500}")
_FAILED = re.compile(
    r"error|error: .{0,300}|request failed\b.{0,300}|route not found|looks like something went wrong.{0,100}"
    r"|this route is empty.{0,300}|(?:错误|出错了|请求失败)(?:[:：].{0,300})?"
    r"|(?:http )?[45]\d\d (?:bad request|unauthorized|forbidden|not found|gone|too many requests"
    r"|internal server error|bad gateway|service unavailable|gateway time-?out)\b.{0,300}",
    re.IGNORECASE,
)
_HUB_NAME = re.compile(r"\brsshub\b", re.IGNORECASE)
_BARE = re.compile(r"(?:rss ?feed |rsshub |feed )?errors?!?", re.IGNORECASE)
_AT_MOST = 1


def is_error_feed(feed: Feed) -> bool:
    """Return whether this feed only reports a failure of its generator."""
    if len(feed.items) != _AT_MOST:
        return False
    title = _title(feed.items[0])
    if any(pattern.fullmatch(title) for pattern in _BY_ITSELF):
        return True
    is_raised = _RAISED.fullmatch(title) is not None
    if _is_from_hub(feed):
        return is_raised or _FAILED.fullmatch(title) is not None
    return is_raised and _BARE.fullmatch((feed.title or "").strip()) is not None


def _title(item: Item) -> str:
    return (item.title or "").strip()


def _is_from_hub(feed: Feed) -> bool:
    """Return whether the description names RSSHub, as in all its feeds; an error feed may contain nothing else."""
    return any(_HUB_NAME.search(text) for text in (feed.description, feed.title, feed.site_url) if text)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedFeed:
    """A fetch and its document. `feed` is set exactly if `outcome` is `ok`, also for a truncated document.

    `outcome` is that of the fetch; or `not_feed` or `empty_body` if the body is complete and `rejection` says why; or
    `generator_error` if a generator reports its own failure as a feed (rule D3).
    """

    fetch: FetchResult
    outcome: Outcome
    feed: Feed | None = None
    rejection: Rejection | None = None


def read_feed(fetch: FetchResult) -> FetchedFeed:
    """Parse the body of a fetch. Its content type is a hint; the document's URLs are resolved against its own URL."""
    if fetch.outcome is not Outcome.OK:
        return FetchedFeed(fetch=fetch, outcome=fetch.outcome)
    from feedward.feeds.parse import parse_feed  # noqa: PLC0415
    from feedward.feeds.read_feed import is_error_feed  # noqa: PLC0415 - a cold start does without them

    document = parse_feed(fetch.body, content_type=fetch.content_type, url=fetch.url)
    if isinstance(document, Rejection):
        return FetchedFeed(fetch=fetch, outcome=_outcome_of(document), rejection=document)
    if is_error_feed(document):
        return FetchedFeed(fetch=fetch, outcome=Outcome.GENERATOR_ERROR)
    return FetchedFeed(fetch=fetch, outcome=Outcome.OK, feed=document)


def _outcome_of(rejection: Rejection) -> Outcome:
    return Outcome.EMPTY_BODY if rejection.reason is RejectionReason.EMPTY else Outcome.NOT_FEED
