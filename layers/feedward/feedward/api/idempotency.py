"""`Idempotency-Key`: a repeated POST gets the stored response and is executed once (rule G4).

Api does this for every route. The response is stored for 24 hours by tenant, API key, route and key, and the
body must be the same. Responses are not stored if the request had no effect or should be retried.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Callable
from typing import Any, Final, Protocol

from feedward.access.caller import Caller
from feedward.api.event import IDEMPOTENCY_KEY, Answer, Event, header
from feedward.api.problems import IdempotencyKeyInUse, IdempotencyKeyReused
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, InvalidInput
from feedward.observability.log import logger
from feedward.ports import Clock
from feedward.ports.idempotency import KEPT_S, IdempotencyRecord, IdempotencyRecords, KeyedRequest
from feedward.ulid import new_ulid

# Visible ASCII. A comma means two headers, which the gateway joins.
KEY: Final = re.compile(r"[\x21-\x2B\x2D-\x7E]{1,255}")
# Time limit of the store, once before the request is executed and once after it.
STORE_S: Final = 1.0
# Members that only the first response has.
SHOWN_ONCE: Final = ("key", "secret")
# Responses to requests that were refused before any effect. They are not stored: refusing again costs nothing.
UNUSABLE: Final = frozenset({400, 413, 415, 429})


class IdempotencyPorts(Protocol):
    """Ports of this module. bootstrap.Services implements them."""

    @property
    def idempotency(self) -> IdempotencyRecords: ...
    @property
    def clock(self) -> Clock: ...


def answer_once(
    caller: Caller, event: Event, context: Any, route: str, *, answer: Callable[[], Answer], ports: IdempotencyPorts
) -> Answer:
    """Return the response of `answer` to the event of `route` ("POST /v1/x"), or the stored response.

    Raises InvalidInput for an invalid key, IdempotencyKeyReused, IdempotencyKeyInUse, and the errors of the store.
    """
    now = ports.clock.now()
    request = _request(caller, event, route, now, context)
    found = ports.idempotency.within(Deadline.after(STORE_S)).begin(request, now=now)
    if found is not None:
        return _remembered(found, request)
    answered = answer()
    _keep(request, answered, ports)
    return answered


def _request(caller: Caller, event: Event, route: str, now: int, context: Any) -> KeyedRequest:
    """Return the event as an attempt at a request. The attempt ends at the latest when Lambda's time-out ends it."""
    key = header(event, IDEMPOTENCY_KEY) or ""
    if not KEY.fullmatch(key):
        raise InvalidInput(IDEMPOTENCY_KEY, "expected one key of 1 to 255 visible ASCII characters, without a comma")
    asked = (caller.tenant_id, caller.key_id, route, event.get("pathParameters"), event.get("rawQueryString"), key)
    return KeyedRequest(
        request_id=_hash(json.dumps(asked, sort_keys=True).encode()),
        fingerprint=_hash(_meaning(event)),
        attempt_id=new_ulid(now),
        until=now + math.ceil(context.get_remaining_time_in_millis() / 1000) + 1,
        tenant_id=caller.tenant_id,
    )


def _meaning(event: Event) -> bytes:
    """Return the meaning of the body: JSON in a canonical layout and order of members, anything else as sent."""
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
        raise IdempotencyKeyInUse("the first request with this key is still in progress: send it again later")
    answer: Answer = json.loads(found.answer)
    logger().info("answered again", status=answer["statusCode"])
    return answer


def _keep(request: KeyedRequest, answer: Answer, ports: IdempotencyPorts) -> None:
    """Store the response. If the store fails, the response is still returned, because the request was executed."""
    try:
        if _is_kept(answer):
            until = ports.clock.now() + KEPT_S
            ports.idempotency.within(Deadline.after(STORE_S)).finish(
                request, answer=json.dumps(_without_secrets(answer)), until=until
            )
        else:
            ports.idempotency.within(Deadline.after(STORE_S)).forget(request)
    except FeedwardError as error:
        logger().warning("answer not remembered", code=error.code, status=answer["statusCode"])


def _without_secrets(answer: Answer) -> Answer:
    """Return the response to store: its secrets, which are shown once, are null (rule AK2)."""
    if answer["headers"].get("Cache-Control") != "no-store":
        return answer
    document = json.loads(answer["body"])
    return {**answer, "body": json.dumps({**document, **{name: None for name in SHOWN_ONCE if name in document}})}


def _is_kept(answer: Answer) -> bool:
    status = answer["statusCode"]
    return status < 500 and status not in UNUSABLE and "Retry-After" not in answer["headers"]
