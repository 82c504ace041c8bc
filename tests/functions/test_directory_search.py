"""GET /v1/search: the best feeds first, page by page, with facts about the search."""

from __future__ import annotations

import base64
import json
from functools import partial

import pytest

from feedward.model import Item
from feedward.page_cursor import encode_cursor
from feedward.topics.feed_topics import seeded, suggested
from tests.functions.directory_function import UNKNOWN_ID, DirectoryFunction, event_of
from tests.functions.index_function import IndexFunction, make_index_function

TOPICS = ("Gardening", "x" * 80, "x" * 81, " ")


@pytest.fixture
def index(directory: DirectoryFunction) -> IndexFunction:
    made = make_index_function(directory)
    made.do("maintain")
    return made


def known(index: IndexFunction, number: int, title: str = "Garden") -> list[str]:
    """So many feeds of one title, in the index."""
    feeds = [index.directory.feed(f"{title} {each}", title=title) for each in range(number)]
    index.deliver(*feeds)
    return sorted(feeds)


def test_an_answer_has_the_feed_its_score_its_highlights_and_facts_of_the_search(index: IndexFunction) -> None:
    feed_id = index.directory.feed("feed", title="Garden Notes")
    index.deliver(feed_id)
    answer = index.search("notes")

    assert answer.status == 200
    assert answer.body.keys() == {"results", "cursor", "partial", "corrected", "ignored", "index_age_s"}
    assert (answer.body["cursor"], answer.body["partial"], answer.body["index_age_s"]) == (None, False, 0)
    (result,) = answer.body["results"]
    assert result.keys() == {"feed", "score", "highlights"}
    assert result["feed"] == index.directory.get(f"/v1/feeds/{feed_id}").body
    assert result["score"] > 0
    assert result["highlights"] == [{"field": "title", "start": 7, "end": 12}]


def test_only_approved_topics_of_a_feed_are_shown_as_in_lists(index: IndexFunction) -> None:
    feed_id = index.directory.feed("feed", title="Garden", topics=(*seeded((), "Food"), *suggested((), ["Kites"])))
    index.deliver(feed_id)
    (result,) = index.search("garden").body["results"]

    assert [topic["name"] for topic in result["feed"]["topics"]] == ["Food"]
    assert index.directory.get("/v1/feeds").body["feeds"] == [result["feed"]]


def test_the_parts_of_a_score_are_told_on_request_and_add_up(index: IndexFunction) -> None:
    known(index, 1)
    (result,) = index.search("garden", parts="true").body["results"]

    assert sum(result["parts"].values()) == result["score"]


def test_pages_have_each_feed_once_even_if_the_index_changes_between_them(index: IndexFunction) -> None:
    feeds = known(index, 7)
    found: list[str] = []
    cursor: dict[str, str] = {}
    for step in range(10):
        page = index.search("garden", limit="2", **cursor).body
        found += [result["feed"]["id"] for result in page["results"]]
        if page["cursor"] is None:
            break
        cursor = {"cursor": page["cursor"]}
        index.do("rebuild") if step == 1 else index.deliver(index.directory.feed(f"other {step}", title="Other"))

    assert found == feeds


@pytest.mark.parametrize("limit", ["1", "2", "3"])
def test_feeds_that_are_gone_leave_no_gap_in_a_page(index: IndexFunction, limit: str) -> None:
    feeds = known(index, 6)
    for feed_id in feeds[:3]:
        index.directory.write(feed_id, owner="tenant")

    assert index.found("garden", limit=limit) == feeds[3 : 3 + int(limit)]


@pytest.mark.parametrize(
    "place",
    ["", "7", "[]", "[-1]", '["a", "b"]', '[true, "ID"]', '[NaN, "ID"]', '[-1e999, "ID"]', '[-1, "ID", 1]', "{}"],
)
def test_a_cursor_at_a_place_that_no_search_has_is_refused(index: IndexFunction, place: str) -> None:
    known(index, 2)
    of, generation, _ = json.loads(base64.urlsafe_b64decode(index.search("garden", limit="1").body["cursor"] + "=="))

    answer = index.search("garden", cursor=encode_cursor(of, generation, place.replace("ID", UNKNOWN_ID)))

    assert (answer.status, answer.body["field"]) == (400, "cursor")


@pytest.mark.parametrize("path", ["/v1/search", "/v1/feeds", "/v1/exports/opml"])
def test_a_topic_is_the_same_in_each_route(index: IndexFunction, path: str) -> None:
    event = partial(event_of, "GET", path)
    asked = {name: index.directory.handler(event(parameters={"topic": name}), index.context) for name in TOPICS}

    assert [answer["statusCode"] for answer in asked.values()] == [200, 200, 400, 400]
    for name in TOPICS[2:]:
        assert json.loads(asked[name]["body"])["field"] == "topic"


def test_a_cursor_of_another_search_is_refused(index: IndexFunction) -> None:
    known(index, 3)
    cursor = index.search("garden", limit="1").body["cursor"]

    for parameters in ({"q": "other"}, {"q": "garden", "state": "healthy"}, {"q": "garden", "language": "en"}):
        answer = index.search(**parameters, cursor=cursor)
        assert (answer.status, answer.body["field"]) == (400, "cursor")
    assert index.search("garden", cursor=cursor, limit="2").status == 200


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"limit": "0"}, "limit"),
        ({"limit": "101"}, "limit"),
        ({"state": "dead"}, "state"),
        ({"language": "english please"}, "language"),
        ({"topic": " "}, "topic"),
        ({"parts": "yes"}, "parts"),
        ({"cursor": "x"}, "cursor"),
        ({"cursor": ""}, "cursor"),
        ({"query": "x"}, "query"),
    ],
)
def test_unusable_fields_are_named(index: IndexFunction, parameters: dict[str, str], field: str) -> None:
    answer = index.search("garden", **parameters)

    assert (answer.status, answer.body["field"]) == (400, field)


@pytest.mark.parametrize(
    "q",
    [
        *("", "-", '"', "-garden", "(((((", "NEAR(a b)", "title:x* OR", "a" * 10_000, "\0", "<b>garden</b>", "AND"),
        *("😀", "192.0.2.7", "1.0.0.0/feed"),
    ],
)
def test_no_text_of_a_person_is_an_error(index: IndexFunction, q: str) -> None:
    known(index, 1)

    assert index.search(q).status == 200


def test_a_state_is_that_of_now(index: IndexFunction) -> None:
    one, other = known(index, 2)
    index.directory.write(one, state="degraded")

    assert index.found("garden", state="healthy") == [other]


def test_without_an_index_a_search_is_told_to_come_again(directory: DirectoryFunction) -> None:
    answer = directory.get("/v1/search", q="garden")

    assert (answer.status, answer.body["code"], answer.headers["Retry-After"]) == (503, "search_unavailable", "5")
    assert directory.get("/v1/search/index").status == 503


# --- pasted addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pasted",
    ["https://garden.example/feed", "http://garden.example/feed/", "www.garden.example/feed", "garden.example"],
)
def test_a_pasted_address_comes_first_before_the_index_knows_of_it(index: IndexFunction, pasted: str) -> None:
    feed_id = index.directory.feed("garden", "https://garden.example/feed", title="Beds")

    answer = index.search(pasted, parts="true")
    assert [result["feed"]["id"] for result in answer.body["results"]] == [feed_id]
    assert answer.body["results"][0]["parts"].keys() == {"registry"}
    index.deliver(feed_id)
    assert index.found(pasted) == [feed_id]


@pytest.mark.parametrize(
    ("filters", "is_found"),
    [
        ({"topic": "Food"}, True),
        ({"topic": "History"}, False),
        ({"language": "pt"}, True),
        ({"language": "pt-BR"}, True),
        ({"language": "en"}, False),
        ({"state": "degraded"}, False),
    ],
)
def test_a_pasted_address_is_filtered_as_all_that_is_found(
    index: IndexFunction, filters: dict[str, str], is_found: bool
) -> None:
    url = "https://garden.example/feed"
    feed_id = index.directory.feed("garden", url, title="Beds", language="pt-br", topics=seeded((), "Food"))

    assert index.found("https://garden.example/feed", **filters) == [feed_id] * is_found
    index.deliver(feed_id)
    assert index.found("garden.example", **filters) == [feed_id] * is_found


def test_the_feeds_of_a_pasted_domain_come_before_all_others_and_once(index: IndexFunction) -> None:
    main = index.directory.feed("main", "https://garden.example/feed", title="Beds")
    comments = index.directory.feed("comments", "https://garden.example/comments/feed", title="Beds, comments")
    below = index.directory.feed("below", "https://shop.garden.example/feed", title="Shop")
    other = index.directory.feed("other", title="About garden.example")
    index.deliver(main, comments, below, other)

    assert index.found("garden.example") == [main, comments, below, other]
    first = index.search("garden.example", limit="2").body
    second = index.search("garden.example", limit="2", cursor=first["cursor"]).body
    shown = [result["feed"]["id"] for page in (first, second) for result in page["results"]]
    assert shown[:2] == [main, comments]
    assert len(set(shown)) == len(shown)
    assert other in shown


def test_a_pasted_address_is_found_without_an_index_too(directory: DirectoryFunction) -> None:
    feed_id = directory.feed("garden", "https://garden.example/feed")
    answer = directory.get("/v1/search", q="https://garden.example/feed")

    assert [result["feed"]["id"] for result in answer.body["results"]] == [feed_id]
    assert (answer.body["partial"], answer.body["index_age_s"]) == (True, None)


def test_tokens_of_addresses_are_masked(index: IndexFunction) -> None:
    url = "https://garden.example/feed?token=0123456789abcdef0123456789abcdef"
    index.deliver(index.directory.feed("garden", url, title="Garden"))

    (result,) = index.search(url).body["results"]
    assert "0123456789abcdef" not in result["feed"]["url"]


def test_a_feed_whose_url_has_a_token_is_not_in_the_index_that_all_tenants_search(index: IndexFunction) -> None:
    feeds = known(index, 1)
    index.deliver(index.directory.feed("own", "https://garden.example/own?token=0123456789abcdef0123", title="Garden"))
    index.do("maintain")

    assert [result["feed"]["id"] for result in index.search("garden").body["results"]] == feeds
    assert not any(b"0123456789abcdef0123" in each for each in index.directory.ports.search.s3.objects.values())


# --- the index ----------------------------------------------------------------------------------------


def test_a_rebuild_is_asked_for_and_done_by_the_next_pass(index: IndexFunction) -> None:
    (feed_id,) = known(index, 1)
    index.directory.ports.search.s3.objects.clear()
    asked = index.directory.post("/v1/search/rebuild")
    assert (asked.status, asked.headers["Location"]) == (202, "/v1/search/index")

    assert index.do("maintain") == {"did": "rebuild", "documents": 1}
    assert index.found("garden") == [feed_id]
    status = index.directory.get("/v1/search/index").body
    assert status.keys() == {"generation", "documents", "deltas", "age_s", "rebuilt_at", "rebuild_wanted"}
    assert (status["documents"], status["deltas"], status["rebuild_wanted"]) == (1, 0, False)
    assert status["rebuilt_at"] >= asked.body["asked_at"]


def test_a_bucket_that_was_deleted_is_told_and_the_copy_answers(index: IndexFunction) -> None:
    (feed_id,) = known(index, 1)
    assert index.found("garden") == [feed_id]
    index.directory.ports.search.s3.is_missing = True

    assert index.found("garden") == [feed_id]
    answer = index.directory.post("/v1/search/rebuild")
    assert (answer.status, answer.body["code"]) == (503, "search_unavailable")
    assert "bucket is missing" in answer.body["detail"]


def test_titles_of_items_are_marked_where_nothing_else_is(index: IndexFunction) -> None:
    items = tuple(Item(id=str(number), title=f"Leek {number}") for number in range(5))
    index.deliver(index.directory.feed("garden", title="Garden", items=items))

    (result,) = index.search("leek").body["results"]
    assert {mark["field"] for mark in result["highlights"]} == {"item_title"}
    assert len(result["highlights"]) == 3
