"""The receiver of webhooks in the made-up internet: https://receiver.example/ accepts a POST and shows what it got.

A path that ends in a number is answered with that status; /turns accepts test events only, and fails with 500
otherwise; any other path is answered with 204. GET /received lists the last requests as JSON.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Mapping

from feedward_local.demo.sites import Page

RECEIVER_HOST = "receiver.example"
RECEIVED_PATH = "/received"
TURNING_PATH = "/turns"
_KEPT = 1000


class Receiver:
    """The received requests. Threads of the server share it."""

    def __init__(self) -> None:
        self._received: deque[Mapping[str, object]] = deque(maxlen=_KEPT)
        self._lock = threading.Lock()

    def take(self, path: str, headers: Mapping[str, str], body: bytes) -> Page:
        """Store a request, and return its answer."""
        told = {"path": path, "headers": {name.lower(): value for name, value in headers.items()}}
        with self._lock:
            self._received.append({**told, "body": body.decode(errors="replace")})
        last = path.rpartition("/")[2]
        if path == TURNING_PATH and b'"webhook.test"' not in body:
            return Page(at=(), status=500)
        return Page(at=(), status=int(last) if last.isdecimal() and 200 <= int(last) < 600 else 204)

    def listed(self) -> Page:
        """Return the received requests, oldest first."""
        with self._lock:
            body = json.dumps(list(self._received)).encode()
        return Page(at=(), headers={"Content-Type": "application/json"}, body=body)
