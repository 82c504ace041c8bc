"""The push function over subscriptions in memory: requests of hubs as the gateway forwards them."""

from __future__ import annotations

import base64
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.fakes.push import FakePush
from tests.functions.conftest import LambdaContext, load_function

PATH = "/v1/push/{feed}/{token}"


class PushFunction:
    """The function, and the subscriptions that it serves."""

    def __init__(self, push: FakePush | None = None) -> None:
        self.push = push or FakePush()
        self.context = LambdaContext(function_name="push")
        services: Any = SimpleNamespace(callback_ports=self.push.ports, clock=self.push.clock, is_open=False)
        self.handler = load_function("push").make_handler(lambda: services)

    def get(self, callback: str, query: str | dict[str, str] = "") -> dict[str, Any]:
        """A verification request of a hub."""
        raw = query if isinstance(query, str) else urlencode(query)
        return self._call("GET", callback, rawQueryString=raw)

    def post(
        self, callback: str, body: bytes = b"", signature: str | None = None, *, as_base64: bool = False
    ) -> dict[str, Any]:
        """A push. A gateway forwards binary bodies in base64."""
        sent = base64.b64encode(body).decode() if as_base64 else body.decode()
        headers = {"content-type": "application/atom+xml", **({"x-hub-signature": signature} if signature else {})}
        return self._call("POST", callback, body=sent, isBase64Encoded=as_base64, headers=headers)

    def _call(self, method: str, callback: str, **members: Any) -> dict[str, Any]:
        path = urlsplit(callback).path
        _, feed, token = path.rsplit("/", 2)
        event = {
            "version": "2.0",
            "routeKey": f"{method} {PATH}",
            "rawPath": path,
            "pathParameters": {"feed": feed, "token": token},
            "requestContext": {"http": {"method": method, "path": path}, "requestId": "r1"},
            **members,
        }
        answer: dict[str, Any] = self.handler(event, self.context)
        return answer
