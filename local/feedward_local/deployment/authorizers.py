"""The API's authorizers, which MiniStack does not read from the API's definition either.

They are created from the definition: the function, the identity source, and the cache time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

API = "AWS::ApiGatewayV2::Api"
FUNCTION = re.compile(r'"Fn::GetAtt": \["(\w+)", "Arn"\]')


def add_authorizers(
    gateway: Any, api_id: str, template: Mapping[str, Any], *, arns: Mapping[str, str], given: Mapping[str, str]
) -> dict[str, str]:
    """Create the API's authorizers from a processed template. Return the id of each by name.

    `arns` are those of the functions by logical id, `given` the parameters of the stack. A second call changes nothing.
    """
    (definition,) = (one["Properties"].get("Body", {}) for one in template["Resources"].values() if one["Type"] == API)
    schemes = definition.get("components", {}).get("securitySchemes", {})
    known = {one["Name"]: one["AuthorizerId"] for one in gateway.get_authorizers(ApiId=api_id)["Items"]}
    ids = {}
    for name, scheme in schemes.items():
        settings = _settings(scheme["x-amazon-apigateway-authorizer"], arns, {**_defaults(template), **given})
        if name in known:
            gateway.update_authorizer(ApiId=api_id, AuthorizerId=known[name], **settings)
        else:
            made = gateway.create_authorizer(ApiId=api_id, Name=name, **settings)
            known[name] = made["AuthorizerId"]
        ids[name] = known[name]
    return ids


def function_of(authorizer: Mapping[str, Any]) -> str:
    """Return the logical id of the function in the URI of an authorizer."""
    match = FUNCTION.search(json.dumps(authorizer["authorizerUri"]))
    if match is None:
        raise ValueError(f"unknown function of this authorizer: {authorizer!r}")
    return match.group(1)


def _settings(authorizer: Mapping[str, Any], arns: Mapping[str, str], parameters: Mapping[str, Any]) -> dict[str, Any]:
    arn = arns[function_of(authorizer)]
    return {
        "AuthorizerType": "REQUEST",
        "AuthorizerUri": f"arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/{arn}/invocations",
        "AuthorizerPayloadFormatVersion": authorizer["authorizerPayloadFormatVersion"],
        "AuthorizerResultTtlInSeconds": _number(authorizer["authorizerResultTtlInSeconds"], parameters),
        "EnableSimpleResponses": authorizer["enableSimpleResponses"],
        "IdentitySource": authorizer["identitySource"],
    }


def _defaults(template: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one["Default"] for name, one in template.get("Parameters", {}).items() if "Default" in one}


def _number(value: Any, parameters: Mapping[str, Any]) -> int:
    """Return a number, which may be a parameter of the stack."""
    return int(parameters[value["Ref"]] if isinstance(value, Mapping) else value)
