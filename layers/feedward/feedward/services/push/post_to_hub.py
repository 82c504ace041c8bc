"""A request to a hub: one form, sent again to redirect targets (rules W2, W6, W12).

The limits of hosts hold for each target too: a cooldown, one request a second, and a 429 or Retry-After that it sends.
"""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Final

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.model import Hop
from feedward.push.push_record import said
from feedward.push.subscribing import HubAnswer
from feedward.scheduling.cooldown import rate_limit_s
from feedward.services.push.ports import PushPorts
from feedward.urls.parse import join_url, parse_http_url
from feedward.urls.safety import host_of_url
from feedward.webhooks.attempt import Posted

HUB_PAUSE_MS: Final = 1000
HUB_WAIT_MS: Final = 2000
HOPS_AT_MOST: Final = 3
REQUEST_S: Final = 12.0
"""The time limit of all hops together: less than the pass reserves for a started request."""
_REDIRECTS: Final = frozenset({301, 302, 307, 308})
_HEADERS: Final = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "*/*"}


def take_hub_slot(url: str, ports: PushPorts) -> int:
    """Wait for the next rate limiter slot of a URL's host, and return 0; or the seconds until it, if it is far away.

    A host in its cooldown has no slot before its end.
    """
    wait_ms = ports.limiter.take_slot(
        host_of_url(url), now_ms=ports.clock.now_ms(), pause_ms=HUB_PAUSE_MS, wait_ms=HUB_WAIT_MS
    )
    if wait_ms > HUB_WAIT_MS:
        return math.ceil(wait_ms / 1000)
    if wait_ms:
        ports.sleep(wait_ms / 1000)
    return 0


def post_to_hub(url: str, form: bytes, *, ports: PushPorts) -> HubAnswer:
    """POST a form to a hub whose slot was taken, and return its answer.

    Redirects get the same POST, once their host has a slot: the guard checks each hop. A redirect that leaves https is
    not followed, because the form has a secret.
    """
    sent_to, is_permanent = None, True
    deadline = Deadline.after(min(REQUEST_S, ports.deadline.left_s()), ports.clock.monotonic)
    posted = _post(url, form, ports, deadline)
    for _ in range(HOPS_AT_MOST):
        target = _target(url, posted)
        if target is None or deadline.left_s() <= 0:
            break
        is_permanent = is_permanent and Hop(url=url, status=posted.status or 0).permanent
        sent_to = target if is_permanent else sent_to
        wait_s = take_hub_slot(target, ports)
        if wait_s:
            text = f"its redirect leads to a host that gets no request for {wait_s} s"
            return HubAnswer(status=posted.status, text=text, retry_after_s=wait_s, sent_to=sent_to)
        url = target
        posted = _post(url, form, ports, deadline)
    text = posted.detail if posted.status is None else posted.answer.decode("utf-8", "replace")
    return HubAnswer(status=posted.status, text=said(text), retry_after_s=posted.retry_after_s, sent_to=sent_to)


def _post(url: str, form: bytes, ports: PushPorts, deadline: Deadline) -> Posted:
    """POST to one host. A 429 or Retry-After starts a cooldown of the host that sent it (rule I9)."""
    posted = ports.poster.post(url, body=form, headers=_HEADERS, within_s=deadline.left_s())
    wait_s = rate_limit_s(posted.outcome, posted.status, posted.retry_after_s)
    if wait_s:
        now = ports.clock.now()
        with suppress(FeedwardError):  # the hub's own record has the wait as well
            ports.limiter.cool_down(host_of_url(url), until=now + wait_s, now=now)
    return posted


def _target(url: str, posted: Posted) -> str | None:
    base = parse_http_url(url)
    if posted.status not in _REDIRECTS or not posted.location or base is None:
        return None
    joined = join_url(base, posted.location)
    return joined.href if joined is not None and joined.protocol == "https:" else None
