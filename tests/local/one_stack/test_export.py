"""Feeds leave the stack as files, and are imported unchanged."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
import urllib3

from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack


def fetched(stack: StackProcess, path: str) -> urllib3.BaseHTTPResponse:
    found = urllib3.request("GET", f"{stack.url}{path}", timeout=40.0)
    assert found.status == 200, found.data
    return found


def test_a_feed_with_a_topic_is_exported(stack: StackProcess) -> None:
    feed: Any = stack.canonicalize(url="https://paper.example/feed", register=True)
    status, _, decided = stack.call("POST", f"/v1/feeds/{feed['feed_id']}/topics", {"approve": ["DIY"]})
    assert (status, decided["topics"][0]["name"]) == (200, "Crafts & DIY")

    seeds = json.loads(fetched(stack, "/v1/exports/json?topic=crafts").data)

    assert [(each["url"], each["category"]) for each in seeds] == [("https://paper.example/feed", "Crafts & DIY")]


def test_subscriptions_are_exported_in_their_folders(stack: StackProcess) -> None:
    stack.call("POST", "/v1/subscriptions", {"url": "https://gazette.example/all/index.rss", "tags": ["Food/Daily"]})

    found = fetched(stack, "/v1/exports/opml?tag=Food")

    assert found.headers["content-type"] == "text/x-opml; charset=utf-8"
    names = [outline.get("text") for outline in Xml.fromstring(found.data).iter("outline")]
    assert names[:2] == ["Food", "Daily"]
    assert found.headers["feedward-private-feeds"] == "0"
