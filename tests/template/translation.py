"""template.yaml as CloudFormation would see it: translated offline, without an account."""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path
from typing import Any
from unittest import mock

from samtranslator.public.translator import ManagedPolicyLoader
from samtranslator.translator.transform import transform

from feedward_local.deployment.package import parse_template

TEMPLATE = Path(__file__).parents[2] / "template.yaml"
REGION = "eu-central-1"
LOCAL_PATHS = {"AWS::Serverless::Function": "CodeUri", "AWS::Serverless::LayerVersion": "ContentUri"}


class NoManagedPolicies(ManagedPolicyLoader):  # type: ignore[misc]
    """The real loader asks IAM; the template names no managed policy that would have to be looked up."""

    def __init__(self) -> None:
        super().__init__(None)

    def load(self) -> dict[str, str]:
        return {}


@functools.cache
def source() -> dict[str, Any]:
    """template.yaml as written, with short forms of functions in their long form. Not to be changed."""
    document: dict[str, Any] = parse_template(TEMPLATE.read_text())
    return document


def translate(text: str) -> dict[str, Any]:
    """The CloudFormation template that SAM makes of `text`. Parameters keep their defaults.

    Raises InvalidDocumentException for anything that SAM does not know.
    """
    template: dict[str, Any] = parse_template(text)
    for resource in template["Resources"].values():
        path = LOCAL_PATHS.get(resource["Type"])
        if path:  # as in `sam package`
            resource["Properties"][path] = "s3://bucket/key"
    with mock.patch.dict(os.environ, {"AWS_DEFAULT_REGION": REGION}):  # whose partition it asks for
        document: dict[str, Any] = transform(template, {}, NoManagedPolicies())
    return document


@functools.cache
def translated() -> dict[str, Any]:
    """template.yaml as CloudFormation. Not to be changed."""
    return translate(TEMPLATE.read_text())


def resources(kind: str) -> dict[str, dict[str, Any]]:
    """The translated resources of one type, by logical id. Conditional ones are those of the whole shape."""
    return {name: resource for name, resource in _of_the_whole_shape().items() if resource["Type"] == kind}


@functools.cache
def _of_the_whole_shape() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = _with_refresh(translated()["Resources"])
    return found


def _with_refresh(value: Any) -> Any:
    match value:
        case {"Fn::If": ["Refreshes", refreshing, _]}:
            return _with_refresh(refreshing)
        case dict():
            return {name: _with_refresh(member) for name, member in value.items()}
        case list():
            return [_with_refresh(member) for member in value]
    return value


def properties(kind: str) -> dict[str, dict[str, Any]]:
    """Their properties, by logical id."""
    return {name: resource["Properties"] for name, resource in resources(kind).items()}


class Stack:
    """The translated template for one stack: parameters at their defaults, resources under made-up names.

    A resource without a name of its own is called `stack/LogicalId`, as CloudFormation makes names of both.
    """

    def __init__(self, name: str, **parameters: Any) -> None:
        defaults = {name: each.get("Default") for name, each in source()["Parameters"].items()}
        pseudo = {"AWS::StackName": name, "AWS::Region": REGION, "AWS::AccountId": "1" * 12, "AWS::Partition": "aws"}
        self.name = name
        self._known: dict[str, Any] = defaults | parameters | pseudo
        self.resources: dict[str, dict[str, Any]] = {
            logical_id: resource for logical_id, resource in translated()["Resources"].items() if self._exists(resource)
        }

    def properties(self, kind: str) -> dict[str, dict[str, Any]]:
        """The resolved properties of this stack's resources of one type, by logical id."""
        of_kind = {name: one for name, one in self.resources.items() if one["Type"] == kind}
        return {name: self.resolve(one.get("Properties", {})) for name, one in of_kind.items()}

    def resolve(self, value: Any) -> Any:
        """`value` with its intrinsic functions replaced by their values."""
        if isinstance(value, list):
            return [one for one in map(self.resolve, value) if one is not None]
        if not isinstance(value, dict):
            return value
        match value:
            case {"Ref": "AWS::NoValue"}:
                return None
            case {"Ref": str(name)}:
                return self._reference(name)
            case {"Fn::GetAtt": [name, attribute]}:
                return f"{self._reference(name)}.{attribute}"
            case {"Fn::Sub": str(text)}:
                return re.sub(r"\$\{([^}]+)\}", lambda found: str(self._reference(found[1])), text)
            case {"Fn::If": [condition, yes, no]}:
                return self.resolve(yes if self._holds({"Condition": condition}) else no)
        members = {name: self.resolve(member) for name, member in value.items()}
        return {name: member for name, member in members.items() if member is not None}

    def _reference(self, name: str) -> Any:
        return self._known.get(name, f"{self.name}/{name}")

    def _exists(self, resource: dict[str, Any]) -> bool:
        return "Condition" not in resource or self._holds({"Condition": resource["Condition"]})

    def _holds(self, condition: dict[str, Any]) -> bool:
        match condition:
            case {"Condition": name}:
                return self._holds(source()["Conditions"][name])
            case {"Fn::Not": [other]}:
                return not self._holds(other)
            case {"Fn::And": others}:
                return all(map(self._holds, others))
            case {"Fn::Equals": [one, other]}:
                return bool(self.resolve(one) == self.resolve(other))
        raise ValueError(f"no condition that this knows: {condition}")
