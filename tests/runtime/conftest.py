"""The base of the runtime tests: a build for this machine's processor, and MiniStack with the template's tables."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import boto3
import pytest

from feedward.adapters.dynamodb.store.keys import TableNames
from tests.runtime.emulator import BUILD, HOST_ARCHITECTURE, PYTHON, ROOT, SAM
from tests.template_tables import create_tables

PAGE = b"""<!doctype html>
<html lang="en"><head><title>Made up</title>
<link rel="alternate" type="application/rss+xml" href="/feed"></head></html>"""
FEED = b"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>Made up</title><link>http://made-up.example/</link>
<item><guid>urn:1</guid><title>First</title><link>http://made-up.example/1</link></item></channel></rss>"""


@pytest.fixture(scope="session")
def built(request: pytest.FixtureRequest) -> Path:
    """The build folder, fresh from `make build` for this machine's processor."""
    if not ((SAM / ".ready").exists() and PYTHON.exists()):
        missing = "the SAM CLI and the runtime's Python are set up by `make test-runtime`"
        (pytest.fail if "runtime" in request.config.getoption("-m") else pytest.skip)(missing)
    start = time.monotonic()
    run_make("build", f"ARCHITECTURE={HOST_ARCHITECTURE}")
    print(f"\nsam build for {HOST_ARCHITECTURE}: {time.monotonic() - start:.1f} s")
    return BUILD


def client(service: str, endpoint: str) -> Any:
    """A client of one of MiniStack's services."""
    return boto3.client(
        service,
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="test",
        aws_secret_access_key="test",
    )


@pytest.fixture(scope="session")
def dynamodb(ministack: str) -> Any:
    """A client of MiniStack's DynamoDB."""
    return client("dynamodb", ministack)


@pytest.fixture(scope="session")
def tables(dynamodb: Any) -> TableNames:
    return create_tables(dynamodb, prefix="runtime-")


@pytest.fixture(scope="session")
def variables(ministack: str, tables: TableNames) -> dict[str, str]:
    """The functions' environment, as the template gives it, with the address of its AWS."""
    client("events", ministack).create_event_bus(Name="runtime")
    bodies = "runtime-bodies"
    client("s3", ministack).create_bucket(Bucket=bodies)
    return {
        "URLS_TABLE": tables.urls,
        "FEEDS_TABLE": tables.feeds,
        "SITES_TABLE": tables.sites,
        "STATE_TABLE": tables.state,
        "TENANTS_TABLE": tables.tenants,
        "FRONTIER_TABLE": tables.frontier,
        "LINEAGE_TABLE": tables.lineage,
        "BODIES_BUCKET": bodies,
        "DISCOVER_QUEUE_URL": client("sqs", ministack).create_queue(QueueName="runtime-discover")["QueueUrl"],
        "HEALTH_QUEUE_URL": client("sqs", ministack).create_queue(QueueName="runtime-health")["QueueUrl"],
        "FRONTIER_QUEUE_URL": client("sqs", ministack).create_queue(QueueName="runtime-frontier")["QueueUrl"],
        "EVENT_BUS_NAME": "runtime",
        "RSSHUB_BASE_URL": "",
        "POWERTOOLS_SERVICE_NAME": "feedward",
        "POWERTOOLS_METRICS_NAMESPACE": "feedward",
        "AWS_ENDPOINT_URL": ministack,
    }


@pytest.fixture
def site() -> Iterator[int]:
    """The port of a small web server on loopback that has one feed, at /feed."""
    with serving({"/feed": ("application/rss+xml", FEED)}) as port:
        yield port


@pytest.fixture
def discovered() -> Iterator[int]:
    """The port of another, of discovered.example, which has a page that advertises its feed."""
    feed = FEED.replace(b"made-up", b"discovered")
    with serving({"": ("text/html", PAGE), "/feed": ("application/rss+xml", feed)}) as port:
        yield port


@contextmanager
def serving(documents: Mapping[str, tuple[str, bytes]]) -> Iterator[int]:
    """Serve documents, with their types, by their path without a slash at its end."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = documents.get(self.path.partition("?")[0].rstrip("/"))
            kind, document = found or ("text/plain", b"")
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(document)))
            self.end_headers()
            self.wfile.write(document)

        def log_message(self, *_: object) -> None:
            """No log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def run_make(*arguments: str) -> str:
    """Run make in the project's folder as a person would; fails the test with its output."""
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    done = subprocess.run(
        ["make", *arguments], cwd=ROOT, env=env, text=True, capture_output=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout
