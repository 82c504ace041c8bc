"""Deploys the packaged template into MiniStack: creates the stack, or updates it if sources changed.

The deployed digest is a tag of the stack itself, so it cannot contradict the state that MiniStack kept.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

from feedward_local.aws.ministack import MiniStack
from feedward_local.deployment.event_sources import number_concurrency
from feedward_local.deployment.package import Template, packaged
from feedward_local.deployment.routes import Resource, add_routes
from feedward_local.errors import LocalStackError
from feedward_local.workspace import host_architecture

STACK = "feedward"
BUCKET = "feedward-archives"
INDEX_FUNCTION = "IndexFunction"
TEMPLATE_KEY = "template.json"
SOURCES_TAG = "feedward:sources"
CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"]
DEPLOY_WITHIN_S = 180.0
JOBS_AT_ONCE = 4  # each has its own process here
BATCHES_AT_ONCE = 2  # of checks and of pages, as well


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """The deployment's parts: the template, an archive per logical id, the replacements, and the parameters."""

    template: Template
    archives: Mapping[str, Path]
    handlers: Mapping[str, str]
    parameters: Mapping[str, str]
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def packaged(self) -> Template:
        """The template that goes to CloudFormation."""
        addresses = {name: f"s3://{BUCKET}/{path.name}" for name, path in self.archives.items()}
        return packaged(self.template, addresses, self.handlers, variables=self.variables)

    @property
    def digest(self) -> str:
        """A digest of all parts."""
        whole = json.dumps([self.packaged, dict(self.parameters)], sort_keys=True)
        return hashlib.sha256(whole.encode()).hexdigest()[:32]


def local_parameters(template: Template, asked: Mapping[str, str]) -> dict[str, str]:
    """The parameters of a local deployment: its own, as far as the template has them, and the user's.

    Raises LocalStackError for a parameter that the template does not have.
    """
    known = template.get("Parameters", {})
    for name in asked.keys() - known.keys():
        raise LocalStackError(f"template.yaml has no parameter {name}. It has: {', '.join(sorted(known))}")
    wanted = {
        "Architecture": host_architecture(),
        "TableDeletionProtection": "false",
        "DiscoverMaximumConcurrency": str(JOBS_AT_ONCE),
        "HealthMaximumConcurrency": str(BATCHES_AT_ONCE),
        "WebhookMaximumConcurrency": str(BATCHES_AT_ONCE),
        "FrontierMaximumConcurrency": str(BATCHES_AT_ONCE),
    }
    return {name: value for name, value in wanted.items() if name in known} | dict(asked)


def deployed_digest(ministack: MiniStack) -> str | None:
    """Return the digest of the deployment in MiniStack, or None without a complete stack."""
    stack = _describe(ministack.client("cloudformation"))
    if stack is None or stack["StackStatus"] not in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
        return None
    return next((tag["Value"] for tag in stack["Tags"] if tag["Key"] == SOURCES_TAG), None)


def deploy(ministack: MiniStack, deployment: Deployment) -> None:
    """Create or update the stack. Raises LocalStackError with CloudFormation's reasons if that fails."""
    s3 = ministack.client("s3")
    _upload(s3, deployment.archives)
    # A request takes a template of at most 51,200 bytes, as on AWS.
    s3.put_object(Bucket=BUCKET, Key=TEMPLATE_KEY, Body=json.dumps(deployment.packaged).encode())
    formation = ministack.client("cloudformation")
    request = {
        "StackName": STACK,
        "TemplateURL": f"{ministack.url}/{BUCKET}/{TEMPLATE_KEY}",
        "Capabilities": CAPABILITIES,
        "Parameters": [
            {"ParameterKey": name, "ParameterValue": value} for name, value in deployment.parameters.items()
        ],
        "Tags": [{"Key": SOURCES_TAG, "Value": deployment.digest}],
    }
    known = _describe(formation)
    try:
        if known is None or known["StackStatus"] == "DELETE_COMPLETE":
            formation.create_stack(**request)
        else:
            formation.update_stack(**request)
    except ClientError as error:
        raise LocalStackError(f"CloudFormation refuses the template: {error.response['Error']['Message']}") from error
    _wait(formation)


def open_api(ministack: MiniStack, made: Mapping[str, Resource], *, with_keys: bool) -> str:
    """Create the API's routes from its own definition, with their authorizer or open, and return its id."""
    formation = ministack.client("cloudformation")
    processed = formation.get_template(StackName=STACK, TemplateStage="Processed")["TemplateBody"]
    template = json.loads(processed) if isinstance(processed, str) else processed
    stack = _describe(formation) or {}
    given = {one["ParameterKey"]: one["ParameterValue"] for one in stack.get("Parameters", ())}
    gateway, functions = ministack.client("apigatewayv2"), ministack.client("lambda")
    return add_routes(gateway, functions, template, made, with_keys=with_keys, given=given)


def open_queues(ministack: MiniStack, made: Mapping[str, Resource]) -> None:
    """Connect the functions to the messages of their queues."""
    number_concurrency(ministack.client("lambda"), made)


def open_index(ministack: MiniStack, made: Mapping[str, Resource]) -> None:
    """Run the index function's maintenance now, which its schedule would run a minute later."""
    found = made.get(INDEX_FUNCTION)
    if found is not None:
        asked = {"InvocationType": "Event", "Payload": json.dumps({"do": "maintain"})}
        ministack.client("lambda").invoke(FunctionName=found.physical_id, **asked)


def resources(ministack: MiniStack) -> dict[str, Resource]:
    """Return all deployed resources by logical id."""
    listed = ministack.client("cloudformation").describe_stack_resources(StackName=STACK)["StackResources"]
    return {
        one["LogicalResourceId"]: Resource(kind=one["ResourceType"], physical_id=one["PhysicalResourceId"])
        for one in listed
    }


def _upload(s3: Any, archives: Mapping[str, Path]) -> None:
    buckets = [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]
    if BUCKET not in buckets:
        s3.create_bucket(Bucket=BUCKET)
    there = {one["Key"] for one in s3.list_objects_v2(Bucket=BUCKET).get("Contents", [])}
    wanted = {path.name: path for path in archives.values()}
    for name in there - wanted.keys():
        s3.delete_object(Bucket=BUCKET, Key=name)
    for name in wanted.keys() - there:
        with wanted[name].open("rb") as archive:
            s3.put_object(Bucket=BUCKET, Key=name, Body=archive)


def _describe(formation: Any) -> dict[str, Any] | None:
    try:
        stack: dict[str, Any] = formation.describe_stacks(StackName=STACK)["Stacks"][0]
    except ClientError:
        return None
    return stack


def _wait(formation: Any) -> None:
    deadline = time.monotonic() + DEPLOY_WITHIN_S
    while time.monotonic() < deadline:
        stack = _describe(formation)
        status = stack["StackStatus"] if stack else "DELETE_COMPLETE"
        if status in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
            return
        if not status.endswith("IN_PROGRESS"):
            raise LocalStackError(f"The deployment ended as {status}:\n{_reasons(formation)}")
        time.sleep(0.05)
    raise LocalStackError(f"The deployment did not complete within {DEPLOY_WITHIN_S:.0f} s.")


def _reasons(formation: Any) -> str:
    events = formation.describe_stack_events(StackName=STACK)["StackEvents"]
    failed = [one for one in events if one["ResourceStatus"].endswith("FAILED")]
    lines = [f"  {one['LogicalResourceId']}: {one.get('ResourceStatusReason', '')}" for one in failed]
    return "\n".join(reversed(lines[:10])) or "  no reason was given"
