"""A request to a hub: one form, sent again to redirect targets (rule W6)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from feedward.deadline import Deadline
from feedward.ports.webhooks import Poster
from feedward.push.record import said
from feedward.push.subscribing import HubAnswer
from feedward.urls.parse import join_url, parse_http_url
from feedward.webhooks.attempt import Posted

HOPS_AT_MOST: Final = 3
REQUEST_S: Final = 12.0
"""The time limit of all hops together: less than the pass reserves for a started request."""
_REDIRECTS: Final = frozenset({301, 302, 307, 308})
_PERMANENT: Final = frozenset({301, 308})
_HEADERS: Final = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "*/*"}


def post_to_hub(url: str, form: bytes, *, poster: Poster, monotonic: Callable[[], float] = time.monotonic) -> HubAnswer:
    """POST a form to a hub and return its answer. Redirects get the same POST: the guard checks each hop.

    A redirect that leaves https is not followed, because the form has a secret.
    """
    sent_to, is_permanent = None, True
    deadline = Deadline.after(REQUEST_S, monotonic)
    posted = _post(url, form, poster, deadline)
    for _ in range(HOPS_AT_MOST):
        target = _target(url, posted)
        if target is None or deadline.left_s() <= 0:
            break
        is_permanent = is_permanent and posted.status in _PERMANENT
        sent_to = target if is_permanent else sent_to
        url = target
        posted = _post(url, form, poster, deadline)
    text = posted.detail if posted.status is None else posted.answer.decode("utf-8", "replace")
    return HubAnswer(status=posted.status, text=said(text), retry_after_s=posted.retry_after_s, sent_to=sent_to)


def _post(url: str, form: bytes, poster: Poster, deadline: Deadline) -> Posted:
    return poster.post(url, body=form, headers=_HEADERS, within_s=deadline.left_s())


def _target(url: str, posted: Posted) -> str | None:
    base = parse_http_url(url)
    if posted.status not in _REDIRECTS or not posted.location or base is None:
        return None
    joined = join_url(base, posted.location)
    return joined.href if joined is not None and joined.protocol == "https:" else None
