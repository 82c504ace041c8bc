"""Parses a feed document: decodes it, detects the format, reads it, and repairs it only if reading fails.

XML has three attempts: as sent, then after one repair pass, then the complete items of the readable part.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from feedward.errors import InvalidInput
from feedward.feeds.atom import ATOM_RULES
from feedward.feeds.build_feed import build_feed
from feedward.feeds.decode import decode
from feedward.feeds.draft import Draft, DraftHandler
from feedward.feeds.jsonfeed import parse_json_feed
from feedward.feeds.prolog import Prolog, read_prolog
from feedward.feeds.repairs import Repair
from feedward.feeds.rss import RSS_RULES
from feedward.feeds.sax import DocumentRefused, NotWellFormed, read
from feedward.model import Feed, FeedFormat, Rejection, RejectionReason
from feedward.reading_budget import ReadingBudget, TooCostly

_RULES = {FeedFormat.RSS: RSS_RULES, FeedFormat.RDF: RSS_RULES, FeedFormat.ATOM: ATOM_RULES}
_BLANK = " \t\r\n\f\v\0\ufeff"


# RSS that went through a reader and a writer of HTML, where a link has no content.
_LINK_BEFORE_ITS_TEXT = re.compile(r"<link ?/>\s{0,20}(https?://[^\s<]{1,2048})")


def parse_feed(
    body: bytes, *, content_type: str | None = None, url: str | None = None, budget: ReadingBudget | None = None
) -> Feed | Rejection:
    """Parse a feed document of any known format (rule P1). No bytes raise anything; text raises InvalidInput.

    `content_type` is the HTTP header: only its charset is used, and last. `url` is the document's URL: the site link
    and the items' links are resolved against it; self link and hubs stay as written (xml:base applied). A document
    that exceeds `budget` is rejected as `too_complex`.
    """
    if not isinstance(body, bytes):
        raise InvalidInput("body", f"body must be bytes as fetched, not {type(body).__name__}")
    for name, value in (("content_type", content_type), ("url", url)):
        if not isinstance(value, str | None):
            raise InvalidInput(name, f"{name} must be text, not {type(value).__name__}")
    try:
        return _parse(body, content_type, url, budget or ReadingBudget())
    except TooCostly as costly:
        return Rejection(reason=RejectionReason.TOO_COMPLEX, detail=costly.detail)


def _parse(body: bytes, content_type: str | None, url: str | None, budget: ReadingBudget) -> Feed | Rejection:
    budget.admit_bytes(len(body))
    decoded = decode(body, content_type)
    if isinstance(decoded, Rejection):
        return decoded
    first = decoded.text.lstrip(_BLANK)[:1]
    if not first:
        return Rejection(reason=RejectionReason.EMPTY, detail="nothing but white space")
    if first in "{[":
        return parse_json_feed(decoded.text.strip(_BLANK), url=url, repairs=decoded.repairs)
    prolog = read_prolog(decoded.text)
    if isinstance(prolog, Rejection):
        return prolog
    text, repairs = decoded.text[prolog.root_at :], [*decoded.repairs, *prolog.repairs]
    return _parse_xml(text, prolog, url, repairs, budget)


def _parse_xml(
    text: str, prolog: Prolog, url: str | None, repairs: list[Repair], budget: ReadingBudget
) -> Feed | Rejection:
    try:
        draft, truncated = _climb(text, partial(DraftHandler, _RULES[prolog.format], url, budget), repairs, budget)
    except DocumentRefused as refused:
        return refused.rejection
    lacking = _lacks_a_feed(draft, prolog.format, truncated=truncated)
    if lacking:
        return lacking
    if draft.undeclared_prefix:
        repairs.append(Repair.UNDECLARED_PREFIX)
    if draft.too_many_items:
        repairs.append(Repair.TOO_MANY_ITEMS)
    names = tuple(dict.fromkeys(str(repair) for repair in repairs))
    return build_feed(draft, prolog.format, url=url, repairs=names, truncated=truncated)


def _climb(
    text: str, new_handler: Callable[[], DraftHandler], repairs: list[Repair], budget: ReadingBudget
) -> tuple[Draft, bool]:
    """Try each attempt; return (draft, truncated). Adds to `repairs`. Raises DocumentRefused or TooCostly."""
    draft, error = _read_once(text, new_handler())
    if (error or draft.bad_link) and (enclosed := _with_links_around_their_text(text)) != text:
        text = enclosed
        repairs.append(Repair.END_TAGS)
        draft, error = _read_once(text, new_handler())
    if error is None:
        return draft, False
    if draft.closed:
        repairs.append(Repair.TRAILING_JUNK)
        return draft, False
    if error.at_end:
        return draft, True
    from feedward.feeds.markup import mend  # noqa: PLC0415 - most processes never meet a broken document

    mended = mend(text, budget)
    repairs.extend(mended.repairs)
    draft, error = _read_once(mended.text, new_handler())
    if error is not None and draft.closed:
        repairs.append(Repair.TRAILING_JUNK)
    return draft, error is not None and not draft.closed


def _with_links_around_their_text(text: str) -> str:
    has_any = "<link/>" in text or "<link />" in text
    return _LINK_BEFORE_ITS_TEXT.sub(r"<link>\1</link>", text) if has_any else text


def _read_once(text: str, handler: DraftHandler) -> tuple[Draft, NotWellFormed | None]:
    try:
        read(text, handler)
    except NotWellFormed as error:
        return handler.draft, error
    return handler.draft, None


def _lacks_a_feed(draft: Draft, form: FeedFormat, *, truncated: bool) -> Rejection | None:
    """Return the rejection of a document with a feed's root, but no channel, item or data about the feed."""
    if form is FeedFormat.RDF and not draft.opened and not truncated:
        return Rejection(reason=RejectionReason.NOT_A_FEED, detail="RDF without a channel or items")
    has_content = bool(draft.items or draft.feed.keys() - {"xml_lang"})
    if has_content or (draft.opened and not truncated):
        return None
    return Rejection(reason=RejectionReason.MALFORMED, detail="the document says nothing about a feed")
