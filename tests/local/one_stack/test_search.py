"""Search on the whole stack: from the table's stream to an answer, and after the bucket was emptied."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.local.command_line import run_command
from tests.local.stack_aws import WORK_WITHIN_S, StackAws, wait_until
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack
MAINTAIN = Path(__file__).parents[3] / "events" / "schedule_maintain_index.json"


def found(stack: StackProcess, q: str) -> list[str] | None:
    """The ids that a search gives; None as long as there is no index."""
    status, _, page = stack.call("GET", f"/v1/search?q={quote(q)}")
    return [result["feed"]["id"] for result in page["results"]] if status == 200 else None


def maintain(aws: StackAws) -> None:
    """Call the function as its schedule does each minute."""
    aws.client("lambda").invoke(FunctionName=aws.ids["IndexFunction"], Payload=MAINTAIN.read_text())


@pytest.fixture(scope="module")
def feed(new_stack: StackProcess, answers: object) -> Any:
    """A feed of the made-up internet, and the words of its title."""
    entry = new_stack.canonicalize(url="https://www.garden.example/feed/", register=True, candidates=False)
    _, _, feed = new_stack.call("GET", f"/v1/feeds/{entry['feed_id']}")
    return feed


def test_a_registered_feed_is_found_by_its_address_at_once_and_by_its_title_soon(
    stack: StackProcess, feed: Any
) -> None:
    assert (found(stack, feed["url"]) or [])[:1] == [feed["id"]]
    wait_until(lambda: feed["id"] in (found(stack, feed["title"]) or ()), WORK_WITHIN_S, "the feed in the index")


def test_an_emptied_bucket_is_filled_again_by_one_command(stack: StackProcess, feed: Any) -> None:
    aws = StackAws(stack.state / "demo")
    s3, bucket = aws.client("s3"), aws.ids["SearchBucket"]
    wait_until(lambda: s3.list_objects_v2(Bucket=bucket).get("Contents"), WORK_WITHIN_S, "the first index")
    for each in s3.list_objects_v2(Bucket=bucket)["Contents"]:
        s3.delete_object(Bucket=bucket, Key=each["Key"])

    with ThreadPoolExecutor(1) as pool:
        rebuilding = pool.submit(run_command, "search", "--rebuild", "--json", "--api", stack.url)

        def is_done() -> bool:
            maintain(aws)
            return rebuilding.done()

        wait_until(is_done, WORK_WITHIN_S, "the end of the rebuild")
        done = rebuilding.result()
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["documents"] >= 1
    assert feed["id"] in (found(stack, feed["title"]) or ())
