"""Two documents with the same items, at two addresses (rule H6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.discovery.merge_candidates import cover_the_same, have_same_items
from feedward.model import Item
from tests.unit.discovery.candidates import items

OURS = items(5)


@pytest.mark.parametrize(
    ("found", "is_same"),
    [
        (OURS, True),
        (OURS[3:], True),  # newer ones came, older ones went
        (OURS[4:], False),  # one alone is no proof
        ((), False),
        (tuple(replace(item, url=f"https://moved.example/p{n}") for n, item in enumerate(OURS)), True),
        (tuple(replace(item, id=f"new{n}", url=f"https://moved.example/p{n}") for n, item in enumerate(OURS)), True),
        (tuple(Item(id=item.id, url=f"https://x.example/{n}a", title="t") for n, item in enumerate(OURS)), False),
        (tuple(Item(title=item.title) for item in OURS), False),  # a title alone is no proof
    ],
)
def test_items_are_the_same_where_two_of_three_names_agree(found: tuple[Item, ...], is_same: bool) -> None:
    assert have_same_items(OURS, found) is is_same


def test_numbers_for_ids_prove_nothing() -> None:
    ours = [Item(id=str(n), url=f"https://a.example/{n}-tea", title=f"Tea {n}") for n in range(5)]
    theirs = [Item(id=str(n), url=f"https://b.example/{n}-rum", title=f"Rum {n}") for n in range(5)]
    assert not have_same_items(ours, theirs)


def test_the_front_page_names_no_item() -> None:
    ours = [Item(url="https://a.example/", title="News"), Item(url="https://a.example/", title="News")]
    theirs = [Item(url="https://b.example/", title="News"), Item(url="https://b.example/", title="News")]
    assert not have_same_items(ours, theirs)


def test_the_only_item_is_enough_and_no_item_is_none() -> None:
    assert have_same_items(OURS[:1], OURS)
    assert not have_same_items((), OURS)


@pytest.mark.parametrize(
    ("known", "found", "is_covered"),
    [
        ("54321", "54321", True),
        ("54321", "987654321", True),  # newer ones came
        ("54321", "5432", True),  # it is shorter
        ("54", "54321", True),  # it goes on where the known ones end
        ("54321", "5421", True),  # a post was deleted
        ("54321", "42", False),
        ("54321", "531", False),
        ("42", "54321", False),
        ("54321", "21", False),  # the newest are missing
        ("54321", "", False),
        ("", "54321", False),
        ("54321", "12345", True),  # the order of a document is no matter
    ],
)
def test_neither_document_lacks_items_of_the_other(known: str, found: str, is_covered: bool) -> None:
    def posts(days: str) -> list[Item]:
        return [Item(id=day, url=f"https://x.example/{day}", title=day, published_at=int(day)) for day in days]

    assert cover_the_same(posts(known), posts(found)) is is_covered
