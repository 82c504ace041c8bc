"""Routes come from the API's own definition, and reconciling them twice changes nothing."""
# ruff: noqa: N803 - the names are those of the AWS API

from __future__ import annotations

from typing import Any

import pytest

from feedward_local.deployment.routes import Resource, Route, add_routes, routes_of


def integration(reference: str) -> dict[str, Any]:
    path = (
        f"arn:${{AWS::Partition}}:apigateway:${{AWS::Region}}:lambda:path/2015-03-31/functions/{reference}/invocations"
    )
    return {"x-amazon-apigateway-integration": {"type": "aws_proxy", "uri": {"Fn::Sub": path}}}


DEFINITION = {
    "paths": {
        "/v1/things": {"post": integration("${Things.Arn}"), "get": integration("${ThingsAliaslive}")},
        "/v1/things/{id}": {"x-amazon-apigateway-any-method": integration("${Things.Arn}")},
        "/$default": {"x-amazon-apigateway-any-method": integration("${Web.Arn}"), "parameters": []},
    }
}
TEMPLATE = {"Resources": {"Api": {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"Body": DEFINITION}}}}
RESOURCES = {
    "Api": Resource(kind="AWS::ApiGatewayV2::Api", physical_id="abc"),
    "Things": Resource(kind="AWS::Lambda::Function", physical_id="stack-Things-1"),
    "ThingsAliaslive": Resource(kind="AWS::Lambda::Alias", physical_id="arn:things:live"),
    "Web": Resource(kind="AWS::Lambda::Function", physical_id="stack-Web-1"),
}


class Gateway:
    """Keeps routes and integrations as apigatewayv2 does, and counts the writes."""

    def __init__(self) -> None:
        self.routes: dict[str, dict[str, str]] = {}
        self.integrations: dict[str, dict[str, str]] = {}
        self.authorizers: dict[str, dict[str, Any]] = {}
        self.writes = 0

    def get_routes(self, ApiId: str) -> dict[str, Any]:
        return {"Items": list(self.routes.values())}

    def get_integrations(self, ApiId: str) -> dict[str, Any]:
        return {"Items": list(self.integrations.values())}

    def create_integration(self, *, IntegrationUri: str, **_rest: str) -> dict[str, str]:
        self.writes += 1
        made = {"IntegrationId": f"i{self.writes}", "IntegrationUri": IntegrationUri}
        self.integrations[made["IntegrationId"]] = made
        return made

    def create_route(self, *, ApiId: str, **settings: str) -> None:
        self.writes += 1
        self.routes[f"r{self.writes}"] = {"RouteId": f"r{self.writes}", **settings}

    def update_route(self, *, ApiId: str, RouteId: str, **settings: str) -> None:
        self.writes += 1
        self.routes[RouteId].update(settings)

    def get_authorizers(self, ApiId: str) -> dict[str, Any]:
        return {"Items": list(self.authorizers.values())}

    def create_authorizer(self, *, ApiId: str, **settings: Any) -> dict[str, Any]:
        made = {"AuthorizerId": f"a{len(self.authorizers)}", **settings}
        self.authorizers[made["AuthorizerId"]] = made
        return made

    def update_authorizer(self, *, ApiId: str, AuthorizerId: str, **settings: Any) -> None:
        self.authorizers[AuthorizerId].update(settings)

    def judges(self) -> dict[str, str]:
        return {
            route["RouteKey"]: route.get("AuthorizerId", "none")
            for route in self.routes.values()
            if route["AuthorizationType"] == "CUSTOM"
        }

    def delete_route(self, *, ApiId: str, RouteId: str) -> None:
        self.writes += 1
        del self.routes[RouteId]

    def targets(self) -> dict[str, str]:
        return {
            route["RouteKey"]: self.integrations[route["Target"].removeprefix("integrations/")]["IntegrationUri"]
            for route in self.routes.values()
        }


class Functions:
    def get_function(self, FunctionName: str) -> dict[str, Any]:
        return {"Configuration": {"FunctionArn": f"arn:{FunctionName}"}}


EXPECTED = {
    "POST /v1/things": "arn:stack-Things-1",
    "GET /v1/things": "arn:things:live",
    "ANY /v1/things/{id}": "arn:stack-Things-1",
    "$default": "arn:stack-Web-1",
}


def test_routes_are_read_from_the_definition() -> None:
    assert sorted(routes_of(TEMPLATE, "Api"), key=lambda route: route.key) == [
        Route(key="$default", target="Web", authorizer=None),
        Route(key="ANY /v1/things/{id}", target="Things", authorizer=None),
        Route(key="GET /v1/things", target="ThingsAliaslive", authorizer=None),
        Route(key="POST /v1/things", target="Things", authorizer=None),
    ]


def test_each_route_reaches_its_function_or_alias() -> None:
    gateway = Gateway()
    assert add_routes(gateway, Functions(), TEMPLATE, RESOURCES) == "abc"
    assert gateway.targets() == EXPECTED


def test_adding_the_routes_again_writes_nothing() -> None:
    gateway = Gateway()
    add_routes(gateway, Functions(), TEMPLATE, RESOURCES)
    writes = gateway.writes
    add_routes(gateway, Functions(), TEMPLATE, RESOURCES)
    assert gateway.writes == writes


def test_routes_that_are_gone_from_the_definition_go_and_moved_ones_move() -> None:
    gateway = Gateway()
    old = {"paths": {"/v1/old": {"get": integration("${Web.Arn}")}, "/v1/things": {"post": integration("${Web.Arn}")}}}
    before = {"Resources": {"Api": {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"Body": old}}}}
    add_routes(gateway, Functions(), before, RESOURCES)
    add_routes(gateway, Functions(), TEMPLATE, RESOURCES)
    assert gateway.targets() == EXPECTED


def test_an_integration_that_names_no_function_is_an_error_that_shows_it() -> None:
    body = {"paths": {"/x": {"get": {"x-amazon-apigateway-integration": {"uri": "https://elsewhere.example"}}}}}
    with pytest.raises(ValueError, match=r"elsewhere\.example"):
        routes_of({"Resources": {"Api": {"Properties": {"Body": body}}}}, "Api")


def with_keys() -> dict[str, Any]:
    """The template, with a route that has an authorizer and one that is open."""
    keys = {
        "authorizerUri": {"Fn::Sub": ["arn:${f}", {"f": {"Fn::GetAtt": ["Web", "Arn"]}}]},
        "authorizerResultTtlInSeconds": {"Ref": "KeyCacheSeconds"},
        "identitySource": ["$request.header.Authorization"],
        "authorizerPayloadFormatVersion": "2.0",
        "enableSimpleResponses": True,
    }
    body = {
        "paths": {
            "/closed": {"get": {**integration("${Things.Arn}"), "security": [{"Keys": []}]}},
            "/open": {"get": {**integration("${Things.Arn}"), "security": [{"NONE": []}]}},
        },
        "components": {"securitySchemes": {"Keys": {"x-amazon-apigateway-authorizer": keys}}},
    }
    return {
        "Parameters": {"KeyCacheSeconds": {"Default": 60}},
        "Resources": {"Api": {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"Body": body}}},
    }


def test_with_keys_each_route_has_the_authorizer_of_the_definition() -> None:
    gateway = Gateway()
    for _ in range(2):
        add_routes(gateway, Functions(), with_keys(), RESOURCES, with_keys=True)

    (made,) = gateway.authorizers.values()
    assert gateway.judges() == {"GET /closed": made["AuthorizerId"]}
    assert made["AuthorizerUri"].endswith("/functions/arn:stack-Web-1/invocations")
    assert (made["AuthorizerResultTtlInSeconds"], made["IdentitySource"]) == (60, ["$request.header.Authorization"])
    assert (made["AuthorizerPayloadFormatVersion"], made["EnableSimpleResponses"]) == ("2.0", True)


def test_a_stack_that_enforced_keys_is_open_again_when_it_is_told_so() -> None:
    gateway = Gateway()
    add_routes(gateway, Functions(), with_keys(), RESOURCES, with_keys=True)
    add_routes(gateway, Functions(), with_keys(), RESOURCES)

    assert gateway.judges() == {}
