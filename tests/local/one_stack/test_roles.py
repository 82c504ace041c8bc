"""Each function works with its own role, and is refused all calls that the role does not allow.

The other tests of this folder are the flows: the roles of their stack are enforced.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from botocore.session import Session

from feedward_local.aws.ministack import REGION
from feedward_local.deployment.package import FUNCTION, read_template, sources
from tests.local.stack_aws import StackAws
from tests.local.stack_process import StackProcess

TEMPLATE = Path(__file__).parents[3] / "template.yaml"
REFUSED = ("AccessDenied", "AccessDeniedException")
SESSION = Session()
"""Of all roles: each session reads the services' descriptions anew, most of the time that a client takes."""
NOTHING = {"url_hash": {"S": "0"}}
Call = Callable[["Role"], Any]


class Role:
    """The role of a function: clients with credentials of a session of it."""

    def __init__(self, aws: StackAws, function: str) -> None:
        self.ids = aws.ids
        self._endpoint = aws.endpoint
        arn = aws.client("lambda").get_function_configuration(FunctionName=aws.ids[function])["Role"]
        self._credentials = aws.client("sts").assume_role(RoleArn=arn, RoleSessionName=function)["Credentials"]

    def client(self, service: str) -> Any:
        return SESSION.create_client(
            service,
            region_name=REGION,
            endpoint_url=self._endpoint,
            aws_access_key_id=self._credentials["AccessKeyId"],
            aws_secret_access_key=self._credentials["SecretAccessKey"],
            aws_session_token=self._credentials["SessionToken"],
        )

    def refusal(self, call: Call) -> str | None:
        """The code with which a call is refused, None if the role may make it."""
        try:
            call(self)
        except ClientError as error:
            code = error.response["Error"]["Code"]
            return code if code in REFUSED else None
        return None


def read_registry(role: Role) -> Any:
    wanted = {role.ids["UrlsTable"]: {"Keys": [NOTHING]}}
    return role.client("dynamodb").batch_get_item(RequestItems=wanted)


def delete_from_registry(role: Role) -> Any:
    return role.client("dynamodb").delete_item(TableName=role.ids["UrlsTable"], Key=NOTHING)


def read_key(role: Role) -> Any:
    return role.client("dynamodb").get_item(TableName=role.ids["KeysTable"], Key={"key_id": {"S": "none"}})


def read_index(role: Role) -> Any:
    return role.client("s3").get_object(Bucket=role.ids["SearchBucket"], Key="manifest.json")


def read_body(role: Role) -> Any:
    return role.client("s3").get_object(Bucket=role.ids["BodiesBucket"], Key="bodies/00/none.gz")


def ask_for_a_discovery(role: Role) -> Any:
    return role.client("sqs").send_message(QueueUrl=role.ids["DiscoverQueue"], MessageBody="{}")


def scan_feeds(role: Role) -> Any:
    return role.client("dynamodb").scan(TableName=role.ids["FeedsTable"], Limit=1)


def read_webhooks(role: Role) -> Any:
    key = {"pk": {"S": "_self"}, "sk": {"S": "HOOKS"}}
    return role.client("dynamodb").get_item(TableName=role.ids["WebhooksTable"], Key=key)


def read_subscription(role: Role) -> Any:
    key = {"feed_id": {"S": "none"}, "sk": {"S": "PUSH"}}
    return role.client("dynamodb").get_item(TableName=role.ids["FeedsTable"], Key=key)


def encrypt_a_secret(role: Role) -> Any:
    return role.client("kms").encrypt(KeyId=role.ids["WebhookKey"], Plaintext=b"secret")


def tell_of_another_source(role: Role) -> Any:
    entry = {"EventBusName": "feedward", "Source": "another", "DetailType": "FeedDiscovered", "Detail": "{}"}
    return role.client("events").put_events(Entries=[entry])


def do_nothing(_role: Role) -> Any:
    """The rights of a function without any rights of its own."""


# For each function a call that its role allows, and one of another function's that it lacks.
CALLS: dict[str, tuple[Call, Call]] = {
    "AuthorizeFunction": (read_key, read_registry),
    "CanonicalizeFunction": (read_registry, ask_for_a_discovery),
    "DiscoverFunction": (read_registry, read_body),
    "HealthCheckFunction": (read_registry, scan_feeds),
    "CollectFunction": (read_body, delete_from_registry),
    "DirectoryFunction": (read_index, read_body),
    "IndexFunction": (read_index, read_registry),
    "NotifyFunction": (read_webhooks, encrypt_a_secret),
    "PageFunction": (do_nothing, read_registry),
    "PushFunction": (read_subscription, encrypt_a_secret),
}


def test_each_function_of_the_template_has_its_calls_here() -> None:
    assert CALLS.keys() == {function.logical_id for function in sources(read_template(TEMPLATE), FUNCTION)}


@pytest.mark.parametrize("function", CALLS)
def test_a_function_may_make_the_calls_of_its_role_and_is_refused_others(stack: StackProcess, function: str) -> None:
    role = Role(StackAws(stack.state / "demo"), function)
    allowed, lacking = CALLS[function]

    assert role.refusal(allowed) is None
    assert role.refusal(lacking) in REFUSED


def test_an_event_of_another_source_is_refused(stack: StackProcess) -> None:
    role = Role(StackAws(stack.state / "demo"), "DirectoryFunction")

    assert role.refusal(tell_of_another_source) in REFUSED
