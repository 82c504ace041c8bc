"""Lists and events show no token (rule T4); an object that is requested by its id is shown whole."""

from __future__ import annotations

import json

import pytest

from tests.functions.directory_function import DirectoryFunction, make_directory_function
from tests.unit.services.collect.collecting import page

TOKEN = "9f3a71c2b1d4"
SECRETS = [
    f"https://example.com/feed?token={TOKEN}",
    f"https://example.com/private/{TOKEN}/rss",
    f"https://www.reddit.com/.rss?feed={TOKEN}&user=ada",
]


@pytest.mark.parametrize("url", SECRETS)
def test_a_list_of_feeds_and_their_history_mask_tokens(directory: DirectoryFunction, url: str) -> None:
    feed_id = directory.feed("secret", url)
    directory.move(feed_id, f"{url}x")

    listed = directory.get("/v1/feeds", domain=url.split("/")[2])
    assert [each["id"] for each in listed.body["feeds"]] == [feed_id]
    assert TOKEN not in json.dumps(listed.body)
    assert TOKEN not in json.dumps(directory.get(f"/v1/feeds/{feed_id}/audit").body)
    assert directory.get(f"/v1/feeds/{feed_id}").body["url"] == f"{url}x"


@pytest.mark.parametrize("url", SECRETS)
def test_a_list_of_subscriptions_and_their_events_mask_tokens(directory: DirectoryFunction, url: str) -> None:
    made = directory.post("/v1/subscriptions", {"url": url}).body

    (listed,) = directory.get("/v1/subscriptions").body["subscriptions"]
    assert (listed["id"], TOKEN in listed["url"]) == (made["id"], False)
    assert directory.get(f"/v1/subscriptions/{made['id']}").body["url"] == url
    assert TOKEN not in directory.detail("SubscriptionCreated")["url"]


@pytest.mark.parametrize("url", SECRETS)
def test_lists_of_rows_and_items_mask_tokens(url: str) -> None:
    function = make_directory_function({url: page("one")})
    run = function.post("/v1/runs", {"urls": [url]}).body
    function.collect()

    (item,) = (items := function.get("/v1/items", run=run["id"]).body)["items"]
    rows = function.get("/v1/frontier", url=url).body
    chain = function.get(f"/v1/items/{item['id']}/chain").body
    edges = function.get(f"/v1/items/{item['id']}/edges").body
    (row,) = rows["rows"]
    assert all(TOKEN not in json.dumps(each) for each in (items, rows, chain, edges))
    assert function.get(f"/v1/frontier/{row['id']}").body["url"] == url
    assert function.get(f"/v1/items/{item['id']}").body["fetched_url"] == url
