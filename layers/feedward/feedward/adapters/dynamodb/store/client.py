"""Creates the DynamoDB client, with the time-outs of every call. No other module does.

botocore makes one attempt per call: it does not know our deadline, so the retries are in Tables. The client is the one
that boto3.client returns; importing boto3 would only lengthen the cold start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from feedward.adapters.aws_calls import aws_session
from feedward.deadline import ATTEMPT_S

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

CONNECT_TIMEOUT_S = 1.0
READ_TIMEOUT_S = ATTEMPT_S - CONNECT_TIMEOUT_S
# A batch of URLs runs on 25 threads and a batch of checks on 50. All of them may call at the same time.
CONNECTIONS = 50


def dynamodb_client(*, endpoint_url: str | None = None, read_timeout_s: float = READ_TIMEOUT_S) -> DynamoDBClient:
    """Return a client for the region and endpoint of the environment, or for `endpoint_url`. Thread-safe."""
    from botocore.config import Config  # noqa: PLC0415 - loaded only when a client is made

    config = Config(
        connect_timeout=CONNECT_TIMEOUT_S,
        read_timeout=read_timeout_s,
        retries={"mode": "standard", "total_max_attempts": 1},
        max_pool_connections=CONNECTIONS,
        parameter_validation=False,  # DynamoDB does it too, and it takes a quarter of a transaction's processor time
    )
    client = aws_session().create_client("dynamodb", endpoint_url=endpoint_url, config=config)
    return cast("DynamoDBClient", client)
