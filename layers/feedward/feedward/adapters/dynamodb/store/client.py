"""The one place that makes a DynamoDB client, with the time-outs of every call.

botocore makes one attempt only: it knows nothing of the time that an answer has left, so that retries are Tables'.

It is botocore's own client, which is what boto3.client returns: boto3 on top of it would only lengthen the cold start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

CONNECT_TIMEOUT_S = 1
READ_TIMEOUT_S = 3
# What one attempt takes where the store is away.
ATTEMPT_S = CONNECT_TIMEOUT_S + READ_TIMEOUT_S
# A batch of URLs runs on 25 threads and one of checks on 50, and all of them may ask at once.
CONNECTIONS = 50


def dynamodb_client(*, endpoint_url: str | None = None) -> DynamoDBClient:
    """Return a client for the region and endpoint of the environment, or for `endpoint_url`. It is safe for threads."""
    from botocore.config import Config  # noqa: PLC0415 - whoever only plans or tests does not pay for it
    from botocore.session import get_session  # noqa: PLC0415

    config = Config(
        connect_timeout=CONNECT_TIMEOUT_S,
        read_timeout=READ_TIMEOUT_S,
        retries={"mode": "standard", "total_max_attempts": 1},
        max_pool_connections=CONNECTIONS,
    )
    client = get_session().create_client("dynamodb", endpoint_url=endpoint_url, config=config)
    return cast("DynamoDBClient", client)
