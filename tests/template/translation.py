"""template.yaml as CloudFormation would see it: translated offline, without an account."""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Any
from unittest import mock

from samtranslator.public.translator import ManagedPolicyLoader
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

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
    document: dict[str, Any] = yaml_parse(TEMPLATE.read_text())
    return document


def translate(text: str) -> dict[str, Any]:
    """The CloudFormation template that SAM makes of `text`. Parameters keep their defaults.

    Raises InvalidDocumentException for what SAM does not know.
    """
    template: dict[str, Any] = yaml_parse(text)
    for resource in template["Resources"].values():
        path = LOCAL_PATHS.get(resource["Type"])
        if path:  # what `sam package` does
            resource["Properties"][path] = "s3://bucket/key"
    with mock.patch.dict(os.environ, {"AWS_DEFAULT_REGION": REGION}):  # whose partition it asks for
        document: dict[str, Any] = transform(template, {}, NoManagedPolicies())
    return document


@functools.cache
def translated() -> dict[str, Any]:
    """template.yaml as CloudFormation. Not to be changed."""
    return translate(TEMPLATE.read_text())


def resources(kind: str) -> dict[str, dict[str, Any]]:
    """The translated resources of one type, by logical id."""
    return {name: resource for name, resource in translated()["Resources"].items() if resource["Type"] == kind}


def properties(kind: str) -> dict[str, dict[str, Any]]:
    """Their properties, by logical id."""
    return {name: resource["Properties"] for name, resource in resources(kind).items()}
