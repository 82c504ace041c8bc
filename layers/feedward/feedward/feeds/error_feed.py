"""Generators that tell of their own failure in a feed, with status 200: RSS-Bridge, RSSHub and their kind (spec D3).

Such a feed would be taken for fresh, with a new item each day. Only what a generator writes by itself, and in the shape
that it writes it, is one: a feed about errors is an honest feed.
"""

from __future__ import annotations

import re

from feedward.model import Feed, Item

# "Bridge returned error 404! (19345)": the number counts days. Older ones write no number.
_BRIDGE = re.compile(
    r"bridge returned error(?: -?\d{1,4})?!?(?: ?\(\d{1,6}\))?|\S.{0,80} was unable to receive or process"
    r" the remote website's content!?.{0,200}",
    re.IGNORECASE,
)
_HUB = re.compile(
    r"rsshub 发生了一些意外.{0,300}|(?:welcome to rsshub: )?rsshub(?:: | - | )?error\b.{0,300}", re.IGNORECASE
)
_GATE = re.compile(r"rss reader not yet whitell?isted!?", re.IGNORECASE)
_BY_ITSELF = (_BRIDGE, _HUB, _GATE)

_HUB_NAME = re.compile(r"\brsshub\b", re.IGNORECASE)
_FAILED = re.compile(
    r"(?:[a-z]{0,30}error\b|request failed\b|http(?: status)? [45]\d\d\b|[45]\d\d \S|route not found"
    r"|looks like something went wrong|this route is empty|出错|错误|请求失败|路由).{0,300}",
    re.IGNORECASE,
)
# A title that is nothing but the word, or the error's own class and message.
_BARE = re.compile(r"(?:rss ?feed |feed )?errors?!?", re.IGNORECASE)
_RAISED = re.compile(r"(?:[A-Z][A-Za-z]{0,30})?(?:Error|Exception): \S.{0,500}")
_AT_MOST = 1


def is_error_feed(feed: Feed) -> bool:
    """Tell whether all that this feed says is that its generator failed."""
    if len(feed.items) != _AT_MOST:
        return False
    title = _title(feed.items[0])
    if any(pattern.fullmatch(title) for pattern in _BY_ITSELF):
        return True
    if _is_from_hub(feed) and _FAILED.fullmatch(title):
        return True
    return _BARE.fullmatch((feed.title or "").strip()) is not None and _RAISED.fullmatch(title) is not None


def _title(item: Item) -> str:
    return (item.title or "").strip()


def _is_from_hub(feed: Feed) -> bool:
    """RSSHub signs each feed in its description; where it fails it may name nothing but itself."""
    return any(_HUB_NAME.search(text) for text in (feed.description, feed.title, feed.site_url) if text)
