"""A person finds, follows and looks after feeds: with a mouse, with the keyboard alone, on a phone, in dark mode."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest

from feedward_local.demo.deployment import PHASE_FILE
from tests.local.page.conftest import Objects
from tests.local.page.looking import NARROW, WIDE, Looking, Tabs
from tests.local.stack_aws import WORK_WITHIN_S, wait_until
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack
VIEWS = (
    "/",
    "/feeds",
    "/subscriptions",
    "/imports",
    "/exports",
    "/pages",
    "/runs",
    "/webhooks",
    "/queues",
    "/key",
    "/keys",
)
GONE = "https://tidings.example/nowhere/1"
UNFOLLOWED = "https://lantern.example/rss.xml"


def test_an_empty_directory_explains_itself_and_is_filled(begun: StackProcess, looking: Looking) -> None:
    looking.go("/")
    looking.heading("The directory", level=2).wait_for()
    assert looking.heading("The directory is empty", level=2).count() == 0
    wait_until(lambda: waiting(looking) > 5, WORK_WITHIN_S, "the counts of the index")
    looking.link("not fetched yet").click()
    looking.heading("Directory: not fetched yet").wait_for()
    looking.settle()
    badges = looking.page.get_by_role("list", name="Feeds").locator(".badge").all_inner_texts()
    assert set(badges) == {"not fetched yet"}
    check_first(begun)
    looking.go("/feeds?state=healthy")
    badges = looking.page.get_by_role("list", name="Feeds").locator(".badge").all_inner_texts()
    assert {badge.split(" ")[0] for badge in badges} == {"healthy"}


def check_first(begun: StackProcess) -> None:
    """Check one of the seeded feeds, which is healthy then."""
    feed = f"/v1/feeds/{begun.call('GET', '/v1/feeds?domain=orchard.example')[2]['feeds'][0]['id']}"
    begun.call("POST", f"{feed}/check", {})
    wait_until(lambda: not begun.call("GET", feed)[2]["never_fetched"], WORK_WITHIN_S, "the first check of a feed")


def waiting(looking: Looking) -> int:
    """The number of seeded feeds without a fetch on the start page: the index counts them a little later."""
    looking.page.reload()
    looking.settle()
    rows = looking.page.get_by_role("listitem").filter(has_text="not fetched yet").locator(".bar-value")
    return int(rows.inner_text()) if rows.count() else 0


def test_search_answers_as_one_types_and_each_result_leads_to_its_feed(looking: Looking) -> None:
    looking.to_feed("orch")

    assert re.search(r"#/feeds/\w{26}$", looking.page.url)
    assert looking.page.title().endswith("feedward")


def test_candidates_of_a_site_have_their_scores_in_parts_and_the_clean_address_its_steps(looking: Looking) -> None:
    looking.look_at("https://orchard.example/")
    looking.open_all()
    looking.button("Show the steps").click()
    looking.page.get_by_text(re.compile("The clean address is http")).wait_for()

    assert looking.page.get_by_text("the site’s own feed").count() == 1
    assert looking.page.get_by_role("list", name=re.compile("The parts of its score")).count() >= 2


def test_a_feed_is_paused_resumed_and_checked(looking: Looking) -> None:
    looking.to_feed("orchard")
    looking.button("Pause").click()
    looking.button("Resume").click()
    looking.button("Check now").click()
    looking.page.get_by_role("status").filter(has_text="Checked").wait_for()

    looking.page.reload()
    looking.heading("What happened", level=2).wait_for()
    looking.settle()
    found = [text for text in looking.page.locator("li.row strong").all_inner_texts() if text in ("Paused", "Resumed")]
    assert found[:2] == ["Resumed", "Paused"]


def test_a_move_is_told_and_undone(looking: Looking, begun: StackProcess) -> None:
    before, moved = "https://almanac.example/feed.xml", "https://almanac.example/posts/feed.xml"
    sent = {"url": before, "register": True}
    feed_id = looking.page.request.post(f"{looking.url}/v1/canonicalize", data=sent).json()["feed_id"]
    phase = begun.state / "demo" / PHASE_FILE
    phase.write_text("almanac-moved")
    try:
        looking.go(f"/feeds/{feed_id}")
        looking.button("Check now").click()
        looking.page.get_by_role("status").filter(has_text="Checked").wait_for()
        assert looking.page.request.get(f"{looking.url}/v1/feeds/{feed_id}").json()["url"] == moved
        looking.page.reload()
        looking.settle()
        looking.button("Undo this move").click()
        looking.page.get_by_role("status").filter(has_text="The move is undone").wait_for()
    finally:
        phase.unlink()
    assert looking.page.request.get(f"{looking.url}/v1/feeds/{feed_id}").json()["url"] == before
    looking.page.reload()
    looking.settle()
    told = looking.page.get_by_role("list", name="History").locator("li.row strong").all_inner_texts()
    assert [words for words in told if "move" in words.lower()] == ["A move was undone", "Moved to another address"]
    assert looking.button("Undo this move").count() == 0


def test_pages_are_collected_and_those_that_fail_are_told_by_reason(looking: Looking) -> None:
    looking.go("/pages")
    looking.page.get_by_text("Collect pages").click()
    looking.page.get_by_label("Addresses").fill(f"https://garden.example/\n{GONE}\nnonsense")
    looking.button("Collect").click()
    looking.page.get_by_text("2 pages will be fetched soon.").wait_for()
    assert looking.page.get_by_text("urls[2]").count() == 1
    asked = f"{looking.url}/v1/frontier?last_error=not_found"
    wait_until(lambda: GONE in looking.page.request.get(asked).text(), WORK_WITHIN_S, "the page that is not there")
    looking.go("/pages?reason=not_found")

    assert looking.page.get_by_text(GONE).count() == 1


def test_a_run_leads_to_its_items_and_an_item_shows_its_lineage(looking: Looking, objects: Objects) -> None:
    looking.go(objects.run)
    looking.page.get_by_text("1 of 1", exact=True).wait_for()
    looking.page.get_by_role("list", name="Items").get_by_role("link", name="The tide came late").click()
    looking.heading("Lineage", level=2).wait_for()
    looking.settle()
    graph = looking.page.get_by_role("group", name="2 items, each superseding the one on its right")
    assert graph.get_by_text("same address").count() == 1

    graph.get_by_role("link").click()
    looking.page.get_by_role("group", name="This item supersedes none").wait_for()


def test_a_file_is_imported_with_its_progress_and_exported_again(looking: Looking, tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("https://garden.example/feed\nhttps://orchard.example/feed/\nnot an address\n")
    looking.go("/imports")
    looking.button("Import").click()
    looking.page.get_by_text("Choose a file, or paste addresses.").wait_for()
    looking.page.get_by_label("File").set_input_files(file)
    looking.button("Import").click()
    looking.page.get_by_text("Done.").wait_for()
    looking.settle()
    looking.page.get_by_role("list", name="Entries").get_by_text(re.compile("^line 1:")).wait_for()

    looking.go("/exports")
    followed = exported(looking)
    assert "https://orchard.example/feed/" in followed
    assert UNFOLLOWED not in followed
    looking.page.get_by_label("What").select_option("the shared directory")
    looking.page.get_by_label("State").select_option("all")
    assert UNFOLLOWED in exported(looking)


def exported(looking: Looking) -> str:
    with looking.page.expect_download() as saved:
        looking.button("Export").click()
    return Path(saved.value.path()).read_text()


def test_an_unknown_feed_and_an_unknown_view_offer_a_way_back(tabs: Tabs, begun: StackProcess) -> None:
    with Looking(tabs, begun.url) as looking:
        looking.go("/feeds/" + "0" * 26)
        looking.page.get_by_text("It does not exist, or belongs to another tenant.").wait_for()
        for mistyped in ("/feeds/%", "/feeds/..%2Fstats"):
            looking.go(mistyped)
            looking.heading("This page does not exist").wait_for()
        looking.go("/look")
        looking.go("/look?url=http%3A%2F%2F")
        looking.go("/nowhere")
        looking.link("Go to the start.").click()
        looking.heading("Find a feed").wait_for()
    assert {line.partition(":")[0] for line in looking.complaints} <= {"404", "400", "422", "console"}


def test_everything_can_be_done_with_the_keyboard(looking: Looking) -> None:
    page = looking.page
    looking.go("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("orchard.example")
    page.keyboard.press("Enter")
    looking.heading("Feeds of an address").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Feeds of an address"
    looking.button("Show the steps").wait_for()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Follow":
            break
    page.keyboard.press("Enter")
    looking.link(re.compile("^Followed")).wait_for()


def test_back_returns_to_the_place(looking: Looking) -> None:
    looking.go("/feeds")
    looking.page.evaluate("document.body.style.minHeight = '4000px'")
    looking.page.evaluate("scrollTo(0, 300)")
    looking.page.get_by_role("list", name="Feeds").get_by_role("link").first.evaluate("link => link.click()")
    looking.heading("Checks", level=2).wait_for()
    assert looking.page.evaluate("scrollY") == 0
    looking.page.go_back()
    looking.heading("Directory").wait_for()
    assert looking.page.evaluate("scrollY") == 300


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_no_view_scrolls_sideways(
    tabs: Tabs, begun: StackProcess, width: int, scheme: Literal["light", "dark"]
) -> None:
    with Looking(tabs, begun.url, width=width, scheme=scheme) as looking:
        wide = []
        for view in VIEWS:
            looking.go(view)
            looking.open_all()
            wide += [view] if looking.scrolls_sideways else []
        looking.to_feed("orchard")
        looking.open_all()
        wide += ["a feed"] if looking.scrolls_sideways else []
    assert (wide, looking.complaints) == ([], [])


def test_the_first_view_asks_for_little(tabs: Tabs, begun: StackProcess) -> None:
    with Looking(tabs, begun.url, is_new=True) as looking:
        looking.go("/")

    calls = [path for path in looking.asked if path.startswith("/v1/")]
    files = [path for path in looking.asked if not path.startswith("/v1/")]
    assert (len(calls) <= 6, len(files) <= 11) == (True, True), looking.asked  # the icon is no file of the view
