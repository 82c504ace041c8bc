"""The API's routes, which MiniStack does not read from the API's own definition.

They are read from the definition in the processed template (so they match a deployment) and created one by one. The
local API is open, as it listens on loopback only, unless its keys are enforced: then each route has the authorizer that
the definition names for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from feedward_local.deployment.authorizers import API, add_authorizers

FUNCTION = "AWS::Lambda::Function"
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "x-amazon-apigateway-any-method")
TARGET = re.compile(r"functions/\$\{(\w+)(?:\.\w+)?\}/invocations")


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One route of an API: `POST /v1/x` or `$default`, and the logical id of its function or alias.

    `authorizer` is the name of its authorizer, None for an open route.
    """

    key: str
    target: str
    authorizer: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One deployed resource."""

    kind: str
    physical_id: str


def routes_of(template: Mapping[str, Any], api: str) -> list[Route]:
    """Return the routes in the definition of `api` (a logical id) in a processed template."""
    return list(_routes(template["Resources"][api]["Properties"].get("Body", {})))


def _routes(definition: Mapping[str, Any]) -> Iterator[Route]:
    for path, operations in definition.get("paths", {}).items():
        for method in METHODS:
            integration = operations.get(method, {}).get("x-amazon-apigateway-integration")
            if integration is None:
                continue
            verb = "ANY" if method.startswith("x-") else method.upper()
            key = "$default" if path == "/$default" else f"{verb} {path}"
            yield Route(key=key, target=_target(integration["uri"]), authorizer=_authorizer(operations[method]))


def _authorizer(operation: Mapping[str, Any]) -> str | None:
    names = [name for one in operation.get("security", ()) for name in one if name != "NONE"]
    return names[0] if names else None


def _target(uri: Any) -> str:
    """Return the logical id in an integration's `Fn::Sub` address."""
    match = TARGET.search(json.dumps(uri))
    if match is None:
        raise ValueError(f"unknown function of this integration: {uri!r}")
    return match.group(1)


def add_routes(
    gateway: Any,
    functions: Any,
    template: Mapping[str, Any],
    resources: Mapping[str, Resource],
    *,
    with_keys: bool = False,
    given: Mapping[str, str] | None = None,
) -> str:
    """Create the API's routes from the template, and return the API's id. A second call changes nothing.

    `gateway` and `functions` are the apigatewayv2 and lambda clients. `with_keys` gives the routes their authorizers.
    `given` are the parameters of the stack.
    """
    logical_id, api = next((name, made) for name, made in resources.items() if made.kind == API)
    api_id, wanted = api.physical_id, {route.key: route for route in routes_of(template, logical_id)}
    integrations = _integrations(gateway, functions, api_id, {one.target for one in wanted.values()}, resources)
    arns = {name: arn_of(functions, made) for name, made in resources.items() if made.kind == FUNCTION}
    judges = add_authorizers(gateway, api_id, template, arns=arns, given=given or {}) if with_keys else {}
    existing = {route["RouteKey"]: route for route in gateway.get_routes(ApiId=api_id)["Items"]}
    for key in existing.keys() - wanted.keys():
        gateway.delete_route(ApiId=api_id, RouteId=existing[key]["RouteId"])
    for key, route in wanted.items():
        settings = {"Target": f"integrations/{integrations[route.target]}", **_authorization(route, judges)}
        if key not in existing:
            gateway.create_route(ApiId=api_id, RouteKey=key, **settings)
        elif any(existing[key].get(name) != value for name, value in settings.items()):
            gateway.update_route(ApiId=api_id, RouteId=existing[key]["RouteId"], **settings)
    return api_id


def _authorization(route: Route, judges: Mapping[str, str]) -> dict[str, str]:
    """Return the authorizer setting of a route: none without keys."""
    if not judges or route.authorizer is None:
        return {"AuthorizationType": "NONE"}
    return {"AuthorizationType": "CUSTOM", "AuthorizerId": judges[route.authorizer]}


def _integrations(
    gateway: Any, functions: Any, api_id: str, targets: set[str], resources: Mapping[str, Resource]
) -> dict[str, str]:
    """Return the integration id per target, creating missing ones."""
    known = {one["IntegrationUri"]: one["IntegrationId"] for one in gateway.get_integrations(ApiId=api_id)["Items"]}
    ids = {}
    for target in sorted(targets):
        arn = arn_of(functions, resources[target])
        if arn not in known:
            made = gateway.create_integration(
                ApiId=api_id,
                IntegrationType="AWS_PROXY",
                IntegrationUri=arn,
                IntegrationMethod="POST",
                PayloadFormatVersion="2.0",
            )
            known[arn] = made["IntegrationId"]
        ids[target] = known[arn]
    return ids


def arn_of(functions: Any, resource: Resource) -> str:
    """An alias is named by its ARN already, a function by its name."""
    if resource.kind != FUNCTION:
        return resource.physical_id
    arn: str = functions.get_function(FunctionName=resource.physical_id)["Configuration"]["FunctionArn"]
    return arn
