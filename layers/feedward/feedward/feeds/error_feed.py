"""Generators that tell of their own failure in a feed, with status 200: RSS-Bridge, RSSHub and their kind (spec D3).

Such a feed would be taken for fresh, with a new item each day. Only what a generator writes by itself, and in the shape
that it writes it, is one: a feed about errors is an honest feed.
"""

from __future__ import annotations

import re

from feedward.model import Feed, Item

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
    """Tell whether all that this feed says is that its generator failed."""
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
    """RSSHub signs each feed in its description; where it fails it may name nothing but itself."""
    return any(_HUB_NAME.search(text) for text in (feed.description, feed.title, feed.site_url) if text)
