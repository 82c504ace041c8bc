"""Direct access to a stack with AWS rights, without the API: keys and tenants (rule AK10)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from feedward_local.api_client.api import ApiAnswer, ApiUnreachable

LOCAL_STACK = "feedward"
NOT_RUNNING = "no local stack is running in this checkout: start `make {mode}` first"


def add_by_hand(parser: argparse.ArgumentParser) -> None:
    """Add the options for direct access."""
    whose = parser.add_mutually_exclusive_group()
    whose.add_argument("--stack", metavar="NAME", help="a deployed stack, with your rights of its AWS account: no key")
    whose.add_argument("--local", choices=("run", "demo"), help="the local stack of this checkout: no key")


def stack_of(options: argparse.Namespace) -> StackByHand | None:
    """Return the stack that the options name, None if they name an API. Raises ApiUnreachable."""
    if options.stack is not None:
        import boto3  # noqa: PLC0415 - an API needs none

        return StackByHand(options.stack, boto3.session.Session().client)
    if options.local is None:
        return None
    from feedward_local.aws.ministack import own_client, url_file  # noqa: PLC0415
    from feedward_local.workspace import workspace_of  # noqa: PLC0415

    noted = url_file(workspace_of(options.local))
    if not noted.is_file():
        raise ApiUnreachable(NOT_RUNNING.format(mode=options.local))
    return StackByHand(LOCAL_STACK, partial(own_client, endpoint_url=noted.read_text().strip()))


class StackByHand:
    """A deployed stack. Its operations are those of the API for keys and tenants."""

    def __init__(self, stack: str, client: Callable[[str], Any]) -> None:
        """`client` makes a client of a service of AWS."""
        self._stack, self._client = stack, client

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, has: str) -> ApiAnswer:
        """Send a request as `Api.call` does."""
        event = event_of(method, path, body)
        name = self._physical_id("DirectoryFunction")
        answer = self._ask("lambda", "invoke", FunctionName=name, Payload=json.dumps(event).encode())
        said = json.loads(answer["Payload"].read())
        if "statusCode" not in said:
            raise ApiUnreachable(f"the function of {self._stack} failed: its log says why")
        document = json.loads(said["body"]) if said["body"] else {}
        if said["statusCode"] < 400 and has and has not in document:
            raise ApiUnreachable(f"the function of {self._stack} does not answer as feedward does")
        return ApiAnswer(status=said["statusCode"], headers=said["headers"], document=document)

    def forget_verdicts(self) -> None:
        """Clear the gateway's cache of keys, so that a revoked key is refused immediately (rule AK5)."""
        self._ask("apigatewayv2", "reset_authorizers_cache", ApiId=self._physical_id("Api"), StageName="$default")

    def close(self) -> None:
        """Nothing is open."""

    def _physical_id(self, logical_id: str) -> str:
        found = self._ask(
            "cloudformation", "describe_stack_resource", StackName=self._stack, LogicalResourceId=logical_id
        )
        return str(found["StackResourceDetail"]["PhysicalResourceId"])

    def _ask(self, service: str, operation: str, **request: Any) -> Any:
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415

        try:
            return getattr(self._client(service), operation)(**request)
        except (BotoCoreError, ClientError) as error:
            raise ApiUnreachable(f"{self._stack}: {error}") from None


def event_of(method: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the event of a direct invocation for a request of the API."""
    parts = urlsplit(path)
    _, version, kind, *rest = parts.path.split("/")
    template = "/".join(["", version, kind, *(["{id}", *rest[1:]] if rest else [])])
    return {
        "do": f"{method} {template}",
        "id": unquote(rest[0]) if rest else None,
        "query": dict(parse_qsl(parts.query)),
        "body": None if body is None else dict(body),
    }
