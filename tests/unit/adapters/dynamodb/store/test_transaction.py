"""Transactions as they are sent: every name aliased, and the same writes have the same token."""

from __future__ import annotations

import re
from uuid import UUID

from feedward.adapters.dynamodb.store.transaction import Transaction, absent, both, either, equals, present


def written(value: object = "x") -> Transaction:
    transaction = Transaction()
    transaction.update(
        "urls",
        {"url_hash": "h"},
        either(absent("feed_id"), equals("feed_id", "01A")),
        assign={"state": value},
        assign_once={"url": "u"},
        increment=("rev",),
        remove=("due_shard", "owner"),
    )
    transaction.check("feeds", {"feed_id": "01A", "sk": "FEED"}, both(present("feed_id"), absent("merged_into")))
    return transaction


def test_an_update_says_all_of_it_in_one_expression() -> None:
    update = written().items[0]["Update"]
    assert update["UpdateExpression"] == (
        "SET #state = :v0, #url = if_not_exists(#url, :v1), #rev = #rev + :v2 REMOVE #due_shard, #owner"
    )
    assert update["ConditionExpression"] == "(attribute_not_exists(#feed_id) OR #feed_id = :v3)"
    assert update["ExpressionAttributeValues"][":v2"] == {"N": "1"}


def test_numbers_and_sets_are_counted_up_and_taken_out_of_in_clauses_of_their_own() -> None:
    transaction = Transaction()
    united, taken = {"runs": frozenset({"a", "b"}), "none": frozenset[str]()}, {"left": frozenset({"c"})}
    transaction.update("rows", {"row_id": "r"}, None, unite=united, add={"dead": 2}, take_out=taken)
    update = transaction.items[0]["Update"]
    assert update["UpdateExpression"] == "ADD #runs :v0, #dead :v1 DELETE #left :v2"
    assert update["ExpressionAttributeValues"] == {":v0": {"SS": ["a", "b"]}, ":v1": {"N": "2"}, ":v2": {"SS": ["c"]}}


def test_no_attribute_name_stands_in_an_expression_unaliased() -> None:
    words = {"SET", "REMOVE", "AND", "OR", "if_not_exists", "attribute_exists", "attribute_not_exists"}
    for item in written().items:
        [write] = item.values()
        for expression in (write.get("UpdateExpression", ""), write["ConditionExpression"]):
            assert set(re.findall(r"(?<![#:\w])[A-Za-z_]+", expression)) <= words


def test_a_check_without_values_sends_no_empty_values() -> None:
    check = written().items[1]["ConditionCheck"]
    assert "ExpressionAttributeValues" not in check
    assert check["ConditionExpression"] == "attribute_exists(#feed_id) AND attribute_not_exists(#merged_into)"


def test_every_condition_asks_for_the_item_that_failed_it() -> None:
    for item in written().items:
        [write] = item.values()
        assert write["ReturnValuesOnConditionCheckFailure"] == "ALL_OLD"


def test_the_token_is_made_of_the_writes_and_fits_the_limit() -> None:
    assert written().token == written().token != written("y").token
    assert UUID(written().token).version == 5
    assert len(written().token) <= 36
