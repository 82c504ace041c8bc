"""The new items of a document: by id, else by canonical URL; and the kept data of the others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.health.recent_items import CONSIDERED, Recent, RecentItem, updated
from feedward.model import Item
from tests.unit.health.times import NOW

HOUR = 3600


def item(
    name: str, *, at: int | None = NOW, url: str | None = "", title: str | None = "", guid: str | None = ""
) -> Item:
    return Item(
        id=f"urn:{name}" if guid == "" else guid,
        url=f"https://example.com/{name}" if url == "" else url,
        title=f"On {name}" if title == "" else title,
        published_at=at,
    )


def read(before: Recent, *items: Item, now: int) -> tuple[Recent, list[RecentItem]]:
    return updated(before, items, now, site_url="https://example.com/")


def known(*items: Item, now: int = NOW) -> Recent:
    return read(Recent(), *items, now=now)[0]


def new(before: Recent, *items: Item) -> list[str | None]:
    return [each.item.title for each in read(before, *items, now=NOW + HOUR)[1]]


def test_an_item_with_another_id_and_url_is_new() -> None:
    assert new(known(item("a")), item("a"), item("b")) == ["On b"]


@pytest.mark.parametrize(
    "changed",
    [
        item("a", title="Edited"),
        item("a", url="https://example.com/elsewhere"),
        item("a", at=NOW + 5),
        item("a", guid="other"),
        item("a", guid="https://example.com/a?guid"),
        item("a", guid="other", url="http://example.com/a/?utm_source=rss"),
        item("a", guid="other", title="Edited"),
        item("a", guid="other", at=NOW + 5),
        item("a", guid=None),
    ],
)
def test_a_known_item_that_changed_is_not_new(changed: Item) -> None:
    assert new(known(item("a")), changed) == []


def test_changed_items_keep_their_first_sight() -> None:
    after, _ = read(known(item("a")), item("a", title="Edited"), now=NOW + HOUR)
    assert [(each.item.title, each.first_seen_at) for each in after.items] == [("Edited", NOW)]


def test_a_page_that_is_written_anew_under_one_url_is_new_each_time() -> None:
    page = "https://example.com/today"
    before = known(item("mon", url=page))
    assert new(before, item("tue", url=page, at=NOW + HOUR)) == ["On tue"]


def test_a_link_to_the_site_itself_names_no_item() -> None:
    before = known(item("mon", url="https://example.com", title="Forecast"))
    assert new(before, item("tue", url="https://example.com", title="Forecast", at=NOW + HOUR)) == ["Forecast"]


def test_items_that_share_a_url_are_told_apart_by_their_ids() -> None:
    page = "https://example.com/log"
    before = known(item("a", url=f"{page}#a"), item("b", url=f"{page}#b"))
    assert new(before, item("a", url=f"{page}#a"), item("b", url=f"{page}#b"), item("c", url=f"{page}#c")) == ["On c"]


def test_items_that_share_an_id_are_told_apart_by_their_urls() -> None:
    before = known(item("a", guid="1"), item("b", guid="1"))
    assert new(before, item("a", guid="1"), item("b", guid="1"), item("c", guid="1")) == ["On c"]


def test_items_without_id_and_url_are_told_apart_by_title_and_date() -> None:
    bare = [item(name, guid=None, url=None) for name in "abc"]
    assert new(known(*bare[:2]), *bare) == ["On c"]
    assert new(known(*bare), *bare) == []


def test_the_same_entry_twice_is_one() -> None:
    after, fresh = read(Recent(), item("a"), item("a"), now=NOW)
    assert (len(after.items), len(fresh)) == (1, 1)


def test_the_last_20_are_kept_newest_first_also_after_they_left_the_document() -> None:
    early = known(*(item(str(n), at=NOW - n * HOUR) for n in range(15)))
    after, _ = read(early, *(item(f"x{n}", at=NOW + n) for n in range(8)), now=NOW + HOUR)
    titles = [each.item.title for each in after.items]
    assert titles[:9] == [f"On x{n}" for n in reversed(range(8))] + ["On 0"]
    assert len(titles) == 20


def test_a_future_date_counts_as_first_seen() -> None:
    after = known(item("late", at=NOW + 10**8), item("now", at=NOW - 1))
    assert [(each.item.title, each.came_at) for each in after.items] == [("On late", NOW), ("On now", NOW - 1)]


def test_an_old_item_that_slides_back_into_sight_is_not_new() -> None:
    window = [item(str(n), at=NOW - n * HOUR) for n in range(30)]
    before = known(*window[:25])
    before, _ = read(before, *window[1:26], now=NOW + 1)
    after, fresh = read(before, *window[:25], now=NOW + 2)
    assert fresh == []
    assert len(after.items) == 20


@pytest.mark.parametrize("count", [21, 100, 250])
def test_a_document_longer_than_the_kept_list_brings_no_item_twice(count: int) -> None:
    items = [item(str(n), at=NOW - n * HOUR) for n in range(count)]
    before = known(*items)
    after, fresh = read(before, *reversed(items), now=NOW + HOUR)
    assert (fresh, after) == ([], before)
    assert new(before, item("z", at=NOW), *items) == ["On z"]
    late = [item("backdated", at=NOW - 50 * HOUR), *items]
    assert new(before, *late) == ["On backdated"]


def test_of_a_very_long_document_the_newest_items_count() -> None:
    items = [item(str(n), at=NOW - n * HOUR) for n in range(3 * CONSIDERED)]
    before = known(*reversed(items))
    assert new(before, *items, item("z", at=NOW)) == ["On z"]
    assert len("".join(before.older)) < 15_000


def test_a_short_document_leaves_no_hashes() -> None:
    assert known(*(item(str(n)) for n in range(20))).older == ()


def test_the_signature_is_set_only_for_a_proven_document() -> None:
    before = replace(known(item("a")), signature="s")
    assert read(before, item("b"), now=NOW)[0].signature == "s"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("https://example.com/a", "https://www.example.com/a"),
        ("https://example.com/a;jsessionid=AB", "https://example.com/a;jsessionid=CD"),
        ("https://example.com/a.html", "https://example.com/a"),
        ("https://example.com/a", "https://main.previews.example.com/a"),
        ("https://example.com/?p=1", "https://example.com/blog/a"),
        ("https://example.com/x.txt?t=1683312440", "https://example.com/x.txt?t=1683400000"),
    ],
)
@pytest.mark.parametrize("at", [NOW, None], ids=["dated", "undated"])
def test_an_item_that_only_its_address_tells_from_one_that_is_gone_is_that_one(
    before: str, after: str, at: int | None
) -> None:
    first = known(item("a", guid=before, url=before, at=at), item("b"))
    renamed = item("a", guid=after, url=after, at=at)
    assert new(first, renamed, item("b")) == []
    kept, _ = read(first, renamed, item("b"), now=NOW + HOUR)
    assert {each.item.url: each.first_seen_at for each in kept.items}[after] == NOW


@pytest.mark.parametrize(
    "other",
    [
        item("a2", title="On a", at=NOW + HOUR),
        item("a2", title="Another"),
        item("a2", title=None),
        item("a2", title="On a", at=None),
    ],
    ids=["another date", "another title", "no title", "no date"],
)
def test_an_item_with_another_address_and_another_title_or_date_is_new(other: Item) -> None:
    assert new(known(item("a"), item("b")), other, item("b")) == [other.title]


def test_an_item_with_title_and_date_of_one_that_is_still_there_is_new() -> None:
    assert new(known(item("a")), item("a"), item("a2", title="On a")) == ["On a"]


def test_of_two_items_with_title_and_date_of_one_that_is_gone_one_is_new() -> None:
    assert new(known(item("a")), item("a2", title="On a"), item("a3", title="On a")) == ["On a"]


def test_two_items_of_one_title_and_date_may_both_get_another_address() -> None:
    before = known(item("a1", title="Photo"), item("a2", title="Photo"))
    assert new(before, item("b1", title="Photo"), item("b2", title="Photo")) == []
    assert new(before, *(item(f"b{n}", title="Photo") for n in range(3))) == ["Photo"]


def test_the_next_day_of_a_series_without_dates_is_new() -> None:
    before = known(item("2025/06/09/links", title="Links", at=None))
    assert new(before, item("2025/06/16/links", title="Links", at=None)) == ["Links"]
    assert new(before, item("links", title="Links", at=None)) == []


def test_marks_and_forms_of_letters_do_not_make_an_item_new() -> None:
    before = known(item("a", title="Cafe\u0301 \u2764"))
    assert new(before, item("b", title="Caf\u00e9 \u2764\ufe0f")) == []


def linked(url: str, title: str, at: int | None) -> Item:
    """An item of a document without ids."""
    return Item(id=url, url=url, title=title, published_at=at, id_is_link=True)


def test_a_link_is_no_id_of_its_own() -> None:
    page, site = "https://example.com/today", "https://example.com/"
    assert new(known(linked(page, "Mon", NOW)), linked(page, "Tue", NOW + HOUR)) == ["Tue"]
    assert new(known(linked(site, "Mon", None)), linked(site, "Tue", None)) == ["Tue"]
    # an edit
    assert new(known(linked(page, "Mon", NOW)), linked(page, "Mon!", NOW)) == []
    assert new(known(linked(page, "Mon", NOW)), linked(page, "Mon", NOW + HOUR)) == []
    assert new(known(linked(page, "Mon", None)), linked(page, "Mon!", None)) == []


def test_the_old_title_of_an_edited_item_matches_no_other_item() -> None:
    assert new(known(item("a")), item("a", title="Edited"), item("a2", title="On a")) == ["On a"]


def test_an_item_without_a_title_is_known_by_its_date_and_the_end_of_its_address() -> None:
    one, other = (item("1", url=f"https://{host}/note/1", guid=None, title=None) for host in ("a.example", "b.example"))
    assert new(known(one), other) == []
    assert new(known(one), replace(other, published_at=NOW + HOUR)) == [None]
    assert new(known(one), replace(other, url="https://b.example/note/2")) == [None]


def test_a_new_platform_may_set_other_quotes_dashes_and_capitals() -> None:
    before = known(item("a.html", title='It\'s "new" - really...'), item("b"))
    assert new(before, item("a", title="It\u2019s \u201cNew\u201d \u2013 Really\u2026"), item("b")) == []


@pytest.mark.parametrize("path", ["x?id=51", "x?comic=51", "x.php?a=b&post_id=51"])
def test_a_parameter_may_say_which_issue_it_is(path: str) -> None:
    earlier = item(path, title="Comic", at=None, guid=None)
    later = item(path.replace("51", "52"), title="Comic", at=None, guid=None)
    assert new(known(earlier), later) == ["Comic"]


@pytest.mark.parametrize("name", ["v", "t", "jsessionid", "phpsessid", "rand"])
def test_many_items_without_dates_that_get_another_address_bring_nothing_again(name: str) -> None:
    first, second = (
        [item(f"{n}?{name}={token}", title=f"On {n}", at=None, guid=None) for n in range(60)] for token in (7, 8)
    )
    before = known(*first)
    assert new(before, *second) == []
    after, _ = read(before, *second, now=NOW + HOUR)
    assert new(after, *first, item("z", at=None)) == ["On z"]


@pytest.mark.parametrize("name", ["comic/51", "2025/06/10", "comic-51"])
def test_the_next_issue_of_a_series_without_dates_is_new(name: str) -> None:
    earlier = name[:-1] + str(int(name[-1]) + 8)[-1]
    assert new(known(item(earlier, title="Comic", at=None)), item(name, title="Comic", at=None)) == ["Comic"]


def test_a_whole_archive_under_new_addresses_has_no_new_item() -> None:
    archive = [item(f"post/{n}", title=f"Post {n}", at=NOW - n * HOUR) for n in range(100)]
    moved = [item(f"blog/p{n}", title=f"Post {n}", at=NOW - n * HOUR) for n in range(100)]
    first = known(*archive)
    again, _ = read(first, *archive, now=NOW + 1)
    assert again.older == first.older
    assert new(again, *moved) == []
    assert new(again, item("z"), *moved) == ["On z"]


def test_another_edition_of_an_article_is_the_article() -> None:
    page = "https://example.com/articles/c20"
    first, second, third = (item("c20", url=f"{page}?at=rss", guid=f"{page}#{number}") for number in range(3))
    assert new(known(first), replace(second, title="Edited", published_at=NOW + HOUR)) == []
    assert new(known(first, second), second, third) == []
    posts = [item("t", url=f"{page}#{number}", guid=f"{page}#{number}", title=None) for number in (1, 2)]
    assert len(read(known(posts[0]), *posts, now=NOW)[1]) == 1
