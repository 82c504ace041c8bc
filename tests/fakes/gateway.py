"""The API as its callers see it: a gateway with the real authorizer and functions, over a directory in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from werkzeug.wrappers import Request, Response

from feedward.access.caller import SELF_HOSTED, Scope
from feedward.services.access.manage_keys import KeyDraft, NewKey, create_key
from tests.fakes.directory import FakeDirectory
from tests.fakes.keys import fake_keys, fake_presented_keys
from tests.functions.conftest import LambdaContext, load_function
from tests.functions.directory_function import DirectoryFunction, event_of, make_directory_function

KEPT_S = 60
UNAUTHORIZED, FORBIDDEN, FAILED = ({"message": text} for text in ("Unauthorized", "Forbidden", "Internal Server Error"))
OF_DISCOVERY = ("/v1/discoveries", "/v1/sites")
OF_CANONICALIZE = ("/v1/canonicalize", "/v1/health", "/v1/openapi.json")
OPEN = ("/v1/health",)


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a caller. `body` is decoded, None without one; `is_bare`: the gateway answered by itself."""

    status: int
    body: Any
    headers: Mapping[str, str]
    is_bare: bool = False

    @property
    def said(self) -> str:
        """The body without the id of the request."""
        members = {**self.body, "instance": None} if isinstance(self.body, dict) else self.body
        return json.dumps(members, sort_keys=True)


class AuthorizerParts:
    """The ports of the authorizer."""

    def __init__(self, directory: FakeDirectory) -> None:
        self.presented_keys = fake_presented_keys(directory.store)
        self.clock = directory.clock


class FakeGateway:
    """Asks the authorizer as API Gateway does: by the header alone, and never twice within a minute.

    `asked` counts the calls of the authorizer, `passed` those of the functions behind it.
    """

    def __init__(self, network: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        self.function: DirectoryFunction = make_directory_function(network)
        self.directory = self.function.directory
        self.parts: Any = AuthorizerParts(self.directory)
        self.keys = fake_keys(self.directory.store)
        self.clock = self.directory.clock
        self.asked = self.passed = 0
        self._kept: dict[str, tuple[int, Any]] = {}
        self._judge = load_function("authorize").make_handler(lambda: self.parts)
        services = self.directory.services()
        self._others: dict[tuple[str, ...], Callable[[Any, Any], dict[str, Any]]] = {
            OF_DISCOVERY: load_function("discover").make_handler(lambda: services),
            OF_CANONICALIZE: load_function("canonicalize").make_handler(lambda: services),
        }

    def new_key(self, tenant: str | None, scope: Scope, expires_at: int | None = None) -> NewKey:
        """Create a key, as the deployment's operator does."""
        draft = KeyDraft(name="a test", scope=scope, expires_at=expires_at)
        return create_key(SELF_HOSTED, draft, ports=self, tenant_id=tenant)

    def ask(
        self, authorization: str | None, method: str, path: str, headers: Mapping[str, str] | None = None, **given: Any
    ) -> Answered:
        """Return the answer to a request. `given` are the `parameters` and the `body`."""
        event = event_of(method, path, **given)
        said: Any = None
        if path not in OPEN:
            if not authorization:
                return Answered(401, UNAUTHORIZED, {}, is_bare=True)
            try:
                said = self._verdict(authorization)
            except Exception:  # noqa: BLE001 - the gateway says nothing of it
                return Answered(500, FAILED, {}, is_bare=True)
            if not said["isAuthorized"]:
                return Answered(403, FORBIDDEN, {}, is_bare=True)
        sent = {**event["headers"], **(headers or {}), **({"authorization": authorization} if authorization else {})}
        context = {name: value for name, value in event["requestContext"].items() if name != "authorizer"}
        if said is not None:
            context["authorizer"] = {"lambda": dict(said["context"])}
        return self._answer(path, {**event, "headers": sent, "requestContext": context})

    def _verdict(self, authorization: str) -> Any:
        kept = self._kept.get(authorization)
        if kept is not None and self.clock.now() < kept[0]:
            return kept[1]
        self.asked += 1
        event = {"version": "2.0", "type": "REQUEST", "identitySource": [authorization]}
        said = self._judge(event, LambdaContext())
        self._kept[authorization] = (self.clock.now() + KEPT_S, said)
        return said

    def _answer(self, path: str, event: Any) -> Answered:
        self.passed += 1
        others = (handler for paths, handler in self._others.items() if path.startswith(paths))
        answer = next(others, self.function.handler)(event, LambdaContext())
        body = answer["body"]
        if answer.get("isBase64Encoded") or not body:
            return Answered(answer["statusCode"], body or None, answer["headers"])
        return Answered(answer["statusCode"], json.loads(body), answer["headers"])


def as_wsgi(gateway: FakeGateway) -> Callable[..., Iterable[bytes]]:
    """The gateway and all behind it as a WSGI application, for requests and answers in JSON."""

    def application(environ: Any, start_response: Any) -> Iterable[bytes]:
        request = Request(environ)
        given = {
            "parameters": {name: ",".join(request.args.getlist(name)) for name in request.args},
            "body": request.get_data(as_text=True) or None,
        }
        headers = {name.lower(): value for name, value in request.headers.items()}
        authorization = headers.pop("authorization", None)
        answer = gateway.ask(authorization, request.method, request.path, headers, **given)
        body = "" if answer.body is None else json.dumps(answer.body)
        sent = {"Content-Type": "application/json", **answer.headers}
        return Response(body, status=answer.status, headers=sent)(environ, start_response)

    return application
