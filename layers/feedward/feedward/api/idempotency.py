"""`Idempotency-Key`: a POST that is sent again is answered again, and done once (rule G4).

Every route gets this from Api. What came of a request is remembered for 24 hours by its caller, its route and its key;
the body has to be the same. What did nothing, or asks to be sent again, is not remembered.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Callable
from typing import Any, Final, Protocol

from feedward.api.event import IDEMPOTENCY_KEY, Answer, Event, caller_of, header
from feedward.api.problems import IdempotencyKeyInUse, IdempotencyKeyReused
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, InvalidInput
from feedward.idempotency import KEPT_S, IdempotencyRecord, KeyedRequest
from feedward.observability.log import logger
from feedward.ports import Clock
from feedward.ports.idempotency import IdempotencyRecords
from feedward.ulid import new_ulid

# Visible ASCII; a comma would be two headers, which the gateway has joined.
KEY: Final = re.compile(r"[\x21-\x2B\x2D-\x7E]{1,255}")
# No attempt of the store begins later, before the request is worked on and after it.
STORE_S: Final = 1.0
# What these say was decided before anything was done, and is decided again for nothing.
UNUSABLE: Final = frozenset({400, 413, 415})


class IdempotencyPorts(Protocol):
    """What this works with. bootstrap.Services is one."""

    @property
    def idempotency(self) -> IdempotencyRecords: ...
    @property
    def clock(self) -> Clock: ...


def answer_once(
    event: Event, context: Any, route: str, *, answer: Callable[[], Answer], ports: IdempotencyPorts
) -> Answer:
    """What `answer` returns for the event of `route` ("POST /v1/x"), or what it returned when the request came first.

    Raises InvalidInput for a key that is none, IdempotencyKeyReused, IdempotencyKeyInUse, and what the store raises.
    """
    now = ports.clock.now()
    request = _request(event, route, now, context)
    found = ports.idempotency.within(Deadline.after(STORE_S)).begin(request, now=now)
    if found is not None:
        return _remembered(found, request)
    answered = answer()
    _keep(request, answered, ports)
    return answered


def _request(event: Event, route: str, now: int, context: Any) -> KeyedRequest:
    """The event as one attempt at a request, which is over when Lambda would end it."""
    key = header(event, IDEMPOTENCY_KEY) or ""
    if not KEY.fullmatch(key):
        raise InvalidInput(IDEMPOTENCY_KEY, "expected one key of 1 to 255 visible ASCII characters, without a comma")
    asked = (caller_of(event), route, event.get("pathParameters"), event.get("rawQueryString"), key)
    return KeyedRequest(
        request_id=_hash(json.dumps(asked, sort_keys=True).encode()),
        fingerprint=_hash(_meaning(event)),
        attempt_id=new_ulid(now),
        until=now + math.ceil(context.get_remaining_time_in_millis() / 1000) + 1,
    )


def _meaning(event: Event) -> bytes:
    """What the body says: JSON is the same in any layout and order of members, all else as it was sent."""
    body = str(event.get("body") or "")
    try:
        sent = base64.b64decode(body) if event.get("isBase64Encoded") else body
        return json.dumps(json.loads(sent), sort_keys=True).encode()
    except (ValueError, RecursionError):
        return body.encode("utf-8", "surrogatepass")


def _hash(what: bytes) -> str:
    return hashlib.sha256(what).hexdigest()


def _remembered(found: IdempotencyRecord, request: KeyedRequest) -> Answer:
    if found.fingerprint != request.fingerprint:
        raise IdempotencyKeyReused(f"{IDEMPOTENCY_KEY}: this key was sent before, with another body: take a new one")
    if found.answer is None:
        raise IdempotencyKeyInUse("the request that came first with this key is not answered yet: send it again later")
    answer: Answer = json.loads(found.answer)
    logger().info("answered again", status=answer["statusCode"])
    return answer


def _keep(request: KeyedRequest, answer: Answer, ports: IdempotencyPorts) -> None:
    """Remember the answer. Where the store fails, what was done is answered all the same."""
    try:
        if _is_kept(answer):
            until = ports.clock.now() + KEPT_S
            ports.idempotency.within(Deadline.after(STORE_S)).finish(request, answer=json.dumps(answer), until=until)
        else:
            ports.idempotency.within(Deadline.after(STORE_S)).forget(request)
    except FeedwardError as error:
        logger().warning("answer not remembered", code=error.code, status=answer["statusCode"])


def _is_kept(answer: Answer) -> bool:
    status = answer["statusCode"]
    return status < 500 and status not in UNUSABLE and "Retry-After" not in answer["headers"]
