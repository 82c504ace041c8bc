"""The function that `sam build` makes, run as AWS runs it, against MiniStack's DynamoDB."""

from __future__ import annotations

import json
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench import cold_start
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.urls.key import url_hash
from tests.runtime.conftest import run_make
from tests.runtime.emulator import (
    COLLECT,
    DIRECTORY,
    DISCOVER,
    FUNCTION,
    HEALTH_CHECK,
    HOST_ARCHITECTURE,
    LAYER,
    PYTHON,
    Emulator,
    running_function,
)
from tests.runtime.recorded import event, record

pytestmark = pytest.mark.runtime

MADE_UP = Path(__file__).parent / "made_up"
FUNCTIONS = (FUNCTION, DISCOVER, DIRECTORY, HEALTH_CHECK, COLLECT)
ELF_MACHINES = {0x3E: "x86_64", 0xB7: "arm64"}
LAYER_BYTES_AT_MOST = 25 * 1000 * 1000


def canonicalize_event(**body: Any) -> dict[str, Any]:
    return event("http_canonicalize_one") | {"body": json.dumps(body)}


def architectures(folder: Path) -> set[str]:
    """The processors that the folder's libraries are for, by their ELF headers."""
    libraries = [path.read_bytes()[:20] for path in folder.rglob("*.so*")]
    assert libraries
    assert all(header[:4] == b"\x7fELF" for header in libraries)
    return {ELF_MACHINES[struct.unpack_from("<H", header, 18)[0]] for header in libraries}


def uncompiled(folder: Path) -> list[str]:
    return [str(path) for path in folder.rglob("*.py") if not Path(cache_of(path)).exists()]


def cache_of(path: Path) -> str:
    return str(path.parent / "__pycache__" / f"{path.stem}.cpython-313.pyc")


@pytest.fixture(scope="module")
def function(built: Path, variables: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulator]:
    with running_function(tmp_path_factory.mktemp("rie") / "function.log", variables) as emulator:
        yield emulator


def test_health_answers_cold_and_warm(built: Path, variables: dict[str, str], tmp_path: Path) -> None:
    with running_function(tmp_path / "function.log", variables) as emulator:
        cold, warm = (emulator.invoke(event("http_health")) for _ in range(2))
    print(f"\ncold {cold.seconds * 1000:.0f} ms, warm {warm.seconds * 1000:.0f} ms (health)")

    assert cold.payload["statusCode"] == 200
    assert json.loads(cold.payload["body"])["status"] == "ok"
    assert warm.payload["body"] == cold.payload["body"]


def test_url_of_this_machine_is_refused_without_a_request(function: Emulator, site: int) -> None:
    answer = function.invoke(canonicalize_event(url=f"http://127.0.0.1:{site}/feed", register=True)).payload

    assert answer["statusCode"] == 200
    result = json.loads(answer["body"])
    assert (result["url"], result["reason"], result["outcome"]) == (None, "unsafe_url", "blocked")


def test_no_environment_variable_allows_a_name_that_leads_to_this_machine(
    built: Path, variables: dict[str, str], tmp_path: Path
) -> None:
    loose = {"ALLOW_PRIVATE": "true", "FEEDWARD_RESOLVER": "loopback", "ADDRESS_POLICY": "any"}
    with running_function(tmp_path / "function.log", variables | loose) as emulator:
        result = json.loads(emulator.invoke(canonicalize_event(url="http://localhost/feed")).payload["body"])

    assert result["reason"] == "unsafe_url"


def test_malformed_request_is_a_problem_that_names_the_field(function: Emulator) -> None:
    answer = function.invoke(canonicalize_event(urls=["https://example.com/"], presets=["cleanest"])).payload

    assert answer["statusCode"] == 400
    assert answer["headers"]["Content-Type"] == "application/problem+json"
    assert json.loads(answer["body"])["field"] == "presets[0]"


def test_feed_is_fetched_and_stored(
    built: Path, variables: dict[str, str], dynamodb: Any, tables: TableNames, site: int, tmp_path: Path
) -> None:
    made_up = variables | {"MADE_UP_HOST": "made-up.example", "MADE_UP_PORT": str(site)}
    sent = "http://www.made-up.example/feed/?utm_source=newsletter"
    with running_function(
        tmp_path / "function.log", made_up, handler="entry.handler", more_code=(MADE_UP,)
    ) as emulator:
        cold = emulator.invoke(canonicalize_event(url=sent, register=True))
        again = emulator.invoke(canonicalize_event(url="http://made-up.example/feed/", register=True))
        lines = [json.loads(line) for line in emulator.log.read_text().splitlines() if line.startswith("{")]
    print(f"\ncold {cold.seconds * 1000:.0f} ms, warm {again.seconds * 1000:.0f} ms (canonicalize and register)")

    result = json.loads(cold.payload["body"])
    assert result["url"] == "http://made-up.example/feed"
    assert result["reason"] == "content_verified"
    assert result["created"] is True
    known = json.loads(again.payload["body"])
    assert (known["reason"], known["feed_id"], known["created"]) == ("exists_in_db", result["feed_id"], False)
    stored = dynamodb.get_item(TableName=tables.feeds, Key={"feed_id": {"S": result["feed_id"]}, "sk": {"S": "FEED"}})
    assert stored["Item"]["url"]["S"] == result["url"]
    for alias in result["aliases"]:
        row = dynamodb.get_item(TableName=tables.urls, Key={"url_hash": {"S": url_hash(alias)}})["Item"]
        assert row["feed_id"]["S"] == result["feed_id"]
    assert any(line.get("message") == "canonicalized" and line["reason"] == "content_verified" for line in lines)
    assert any("Canonicalized" in line and line["reason"] == "content_verified" for line in lines)
    assert "newsletter" not in (tmp_path / "function.log").read_text()


def test_feeds_are_discovered_and_stored_over_http_and_from_the_queue(
    built: Path, variables: dict[str, str], dynamodb: Any, tables: TableNames, discovered: int, tmp_path: Path
) -> None:
    made_up = variables | {"MADE_UP_HOST": "discovered.example", "MADE_UP_PORT": str(discovered)}
    url = "http://discovered.example/"
    with running_function(
        tmp_path / "function.log", made_up, function=DISCOVER, handler="entry.handler", more_code=(MADE_UP,)
    ) as emulator:
        cold = emulator.invoke(event("http_discover") | {"body": json.dumps({"url": url})})
        again = emulator.invoke(event("http_discover") | {"body": json.dumps({"url": url})})
        batch = emulator.invoke(
            {
                "Records": [
                    subscription(url),
                    record("sqs_discover_job", "no JSON"),
                    *event("sqs_discover_job")["Records"],
                ]
            }
        )
        kept = emulator.invoke(event("http_site") | {"pathParameters": {"id": url_hash(url)}})
        unknown = emulator.invoke(event("http_site"))
        lines = [json.loads(line) for line in emulator.log.read_text().splitlines() if line.startswith("{")]
    print(f"\ncold {cold.seconds * 1000:.0f} ms, warm {again.seconds * 1000:.0f} ms (discover, then from the records)")

    found = json.loads(cold.payload["body"])
    assert (cold.payload["statusCode"], found["complete"], found["outcome"]) == (200, True, "found")
    assert found["canonical"]["url"] == "http://discovered.example/feed"
    assert found == json.loads(again.payload["body"]) == json.loads(kept.payload["body"])
    assert cold.seconds < 25  # the function has no more; the figure is printed
    assert batch.payload == {"batchItemFailures": [{"itemIdentifier": "no JSON"}]}
    assert unknown.payload["statusCode"] == 404
    stored = dynamodb.get_item(TableName=tables.sites, Key={"site_hash": {"S": url_hash(url)}, "sk": {"S": "SITE"}})
    assert stored["Item"]["feed_id"]["S"] == found["canonical"]["feed_id"]
    undelivered = dynamodb.query(
        TableName=tables.feeds,
        KeyConditionExpression="feed_id = :feed AND begins_with(sk, :out)",
        ExpressionAttributeValues={":feed": stored["Item"]["feed_id"], ":out": {"S": "OUT#"}},
    )
    assert undelivered["Items"] == [], "the bus has the event"
    assert [line["receive"] for line in lines if line.get("message") == "message failed"] == [1]
    assert any("Discovered" in line and line["outcome"] == "found" for line in lines)


def subscription(url: str) -> dict[str, Any]:
    (recorded,) = event("sqs_subscription_created")["Records"]
    sent = json.loads(recorded["body"])
    return record("sqs_subscription_created", json.dumps(sent | {"detail": sent["detail"] | {"url": url}}))


def test_layer_is_small_and_omits_the_packages_of_the_runtime(built: Path) -> None:
    size = sum(path.stat().st_size for path in LAYER.parent.rglob("*") if path.is_file())
    print(f"\nlayer: {size / 1e6:.1f} MB unzipped")

    assert size < LAYER_BYTES_AT_MOST
    names = {path.name.partition("-")[0] for path in LAYER.iterdir()}
    assert {"feedward", "aws_lambda_powertools", "urllib3", "defusedxml", "selectolax"} <= names
    assert not names & {"boto3", "botocore", "s3transfer", "pydantic", "aws_xray_sdk"}


def test_layer_and_function_are_compiled_and_their_bytecode_is_used(built: Path, tmp_path: Path) -> None:
    assert [folder for folder in (LAYER, *FUNCTIONS) if uncompiled(folder)] == []
    flags = struct.unpack_from("<I", Path(cache_of(FUNCTION / "app.py")).read_bytes(), 4)
    assert flags == (1,), "unchecked hash: neither a changed time nor a missing source makes the runtime compile"
    command = [str(PYTHON), "-v", "-c", "import feedward.bootstrap, app"]
    env = {"PYTHONPATH": f"{FUNCTION}:{LAYER}", "PATH": "/usr/bin:/bin"}
    said = subprocess.run(command, env=env, cwd=tmp_path, text=True, capture_output=True, check=True).stderr
    assert f"code object from '{cache_of(FUNCTION / 'app.py')}'" in said
    assert f"code object from '{cache_of(LAYER / 'feedward' / 'bootstrap' / '__init__.py')}'" in said
    assert f"wrote '{LAYER}" not in said
    assert f"code object from {LAYER}" not in said


@pytest.mark.parametrize(
    ("name", "folder"),
    [("canonicalize", FUNCTION), ("discover", DISCOVER), ("directory", DIRECTORY)],
    ids=["canonicalize", "discover", "directory"],
)
def test_a_cold_start_of_the_built_function_loads_the_modules_of_its_source(
    built: Path, name: str, folder: Path
) -> None:
    """The loaded source has a budget. The time depends on the machine: it is reported, not asserted."""
    start, built_function = (
        cold_start.STARTS[name],
        cold_start.Installation(python=str(PYTHON), folders=(folder, LAYER)),
    )
    floors, functions = cold_start.measure(rounds=3, installation=built_function, start=start)
    found = cold_start.ratio(floors, functions)
    print(f"\ncold start of {name}: {min(functions) * 1000:.0f} ms of processor time, {found:.2f} of the floor")

    loaded, source = (cold_start.loaded_by(start, each) for each in (built_function, cold_start.source_of(name)))
    assert loaded.own_modules == source.own_modules


def test_layer_is_built_for_this_machine(built: Path) -> None:
    assert architectures(LAYER) == {HOST_ARCHITECTURE}


@pytest.mark.parametrize("architecture", ["arm64", "x86_64"])
def test_layer_is_built_for_either_processor(built: Path, architecture: str, tmp_path: Path) -> None:
    start = time.monotonic()
    run_make(
        "-C", "layers/feedward", "build-FeedwardLayer", f"ARTIFACTS_DIR={tmp_path}", f"ARCHITECTURE={architecture}"
    )
    print(f"\nlayer for {architecture}: {time.monotonic() - start:.1f} s")

    assert architectures(tmp_path) == {architecture}


def test_arm64_is_built_by_default(built: Path, tmp_path: Path) -> None:
    run_make("-C", "layers/feedward", "build-FeedwardLayer", f"ARTIFACTS_DIR={tmp_path}")

    assert architectures(tmp_path) == {"arm64"}


def test_runtime_has_the_version_of_the_template(built: Path) -> None:
    said = subprocess.run([str(PYTHON), "--version"], text=True, capture_output=True, check=True).stdout

    assert said.startswith("Python 3.13.")
