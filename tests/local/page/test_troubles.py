"""What goes wrong is said with a way on: lost answers, strange answers, a second click, a wrong key, a way back."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.local.page.conftest import Objects
from tests.local.page.looking import NARROW, Looking, Tabs
from tests.local.stack_process import StackProcess

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.local_stack
# A minute of patience passes in a moment.
HASTE = "const real = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = () => real(100);"


def answer(route: Route, document: Any, status: int = 200) -> None:
    route.fulfill(status=status, content_type="application/json", body=json.dumps(document))


@pytest.mark.parametrize("body", ["<html>Sign in to the network</html>", "", "null", '"words"'])
def test_an_answer_of_something_else_is_said_and_can_be_tried_again(
    tabs: Tabs, begun: StackProcess, objects: Objects, body: str
) -> None:
    with Looking(tabs, begun.url) as looking:
        looking.page.route("**/v1/**", lambda route: route.fulfill(status=200, body=body))
        looking.page.goto(f"{looking.url}/#{objects.run}")
        looking.page.get_by_text("What answered is not the API").wait_for()
        looking.page.unroute("**/v1/**")
        looking.button("Try again").click()
        looking.heading("A run").wait_for()
    assert looking.complaints == []


def test_a_server_that_never_answers_is_given_up(tabs: Tabs, begun: StackProcess) -> None:
    with Looking(tabs, begun.url, is_new=True) as looking:
        looking.page.add_init_script(HASTE)
        looking.page.route("**/v1/**", lambda _: None)
        looking.page.goto(f"{looking.url}/#/webhooks")
        looking.page.get_by_text("the server has not answered in time").wait_for()
        looking.page.unroute_all(behavior="ignoreErrors")


def test_a_progress_outlives_lost_answers(tabs: Tabs, begun: StackProcess, objects: Objects) -> None:
    asked = 0

    def run(route: Route) -> None:
        nonlocal asked
        asked += 1
        if asked in (2, 3, 4):
            return answer(route, {"message": "Service Unavailable"}, 503)
        document = route.fetch().json()
        return answer(route, {**document, "status": "pending", "ended": 0} if asked < 5 else document)

    with Looking(tabs, begun.url) as looking:
        looking.page.route(f"**/v1{objects.run}", run)
        looking.go(objects.run)
        looking.page.get_by_text("0 of 1", exact=True).wait_for()
        looking.page.get_by_text("1 of 1", exact=True).wait_for()
        looking.settle()
        assert looking.page.get_by_role("alert").count() == 0
        assert sum(path.startswith("/v1/items?") for path in looking.asked) == 2  # before and after


def test_a_form_that_is_sent_twice_is_sent_once(tabs: Tabs, begun: StackProcess) -> None:
    held: list[Route] = []
    with Looking(tabs, begun.url) as looking:
        looking.go("/keys")
        looking.page.route(
            "**/v1/keys", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
        )
        looking.page.get_by_label("Name").fill("the reader")
        for _ in range(3):
            looking.button("Create").click()
        looking.page.get_by_text("Working…").wait_for()
        answer(held[0], {"key": "fw_shown_once"}, 201)
        looking.page.get_by_text("fw_shown_once").wait_for()
    assert (len(held), looking.complaints) == (1, [])


def test_a_wrong_key_is_said_and_back_leads_out_of_it(tabs: Tabs, begun: StackProcess) -> None:
    with Looking(tabs, begun.url) as looking:
        page = looking.page
        page.route("**/v1/**", lambda route: answer(route, {"message": "Forbidden"}, 403))
        looking.go("/exports")
        page.evaluate("location.hash = '/keys'")
        page.get_by_text("The server asks for a key.").wait_for()
        page.get_by_label("Key", exact=True).fill("fw_wrong")
        page.keyboard.press("Enter")
        page.get_by_text("The server does not take the key of this tab").wait_for()
        page.go_back()
        looking.heading("Export").wait_for()


def test_an_address_entered_quickly_stays_that_of_its_view(looking: Looking) -> None:
    looking.look_at("orchard.example")
    looking.page.wait_for_timeout(300)  # the pause after which a search begins
    assert looking.page.url.endswith("#/look?url=orchard.example")

    looking.go("/look?url=https://garden.example/?p=1")
    assert looking.page.get_by_label("Address of a site or feed").input_value() == "https://garden.example/?p=1"


def test_the_keyboard_keeps_its_place_after_an_action(looking: Looking, objects: Objects) -> None:
    page = looking.page
    looking.go(objects.feed)
    for name, other in (("Pause", "Resume"), ("Resume", "Pause")):
        looking.button(name).focus()
        page.keyboard.press("Enter")
        looking.button(other).wait_for()
        page.wait_for_function("() => document.activeElement !== document.body")
        assert page.evaluate("document.activeElement.parentElement.closest('main') !== null")


def test_a_choice_alone_leads_nowhere(looking: Looking) -> None:
    looking.go("/feeds")
    looking.page.get_by_label("State").focus()
    for _ in range(2):
        looking.page.keyboard.press("ArrowDown")
    assert looking.page.url.endswith("#/feeds")
    looking.button("Filter").click()
    looking.heading("Directory: degraded").wait_for()


def test_a_webhook_is_deleted_by_two_clicks(looking: Looking, begun: StackProcess) -> None:
    made = begun.call("POST", "/v1/webhooks", {"url": "https://receiver.example/page/none", "events": ["feed.moved"]})[
        2
    ]
    looking.go(f"/webhooks/{made['id']}")
    looking.button("Delete this webhook").click()
    looking.page.keyboard.press("Escape")
    looking.button("Delete this webhook").click()
    looking.button("Delete it permanently").click()
    looking.heading("Webhooks").wait_for()
    looking.settle()
    assert looking.page.get_by_text("page/none").count() == 0


def test_back_returns_to_all_the_pages_that_were_shown(tabs: Tabs, begun: StackProcess, objects: Objects) -> None:
    feed = begun.call("GET", f"/v1{objects.feed}")[2]

    def page_of(route: Route) -> None:
        at = int((re.search(r"cursor=(\d+)", route.request.url) or [0, 0])[1])
        answer(route, {"feeds": [feed] * 50, "cursor": str(at + 1) if at < 5 else None})

    with Looking(tabs, begun.url, width=NARROW) as looking:
        page, rows = looking.page, looking.page.get_by_role("list", name="Feeds").locator("> li")
        page.route(re.compile(r"/v1/feeds\?"), page_of)
        looking.go("/feeds")
        for _ in range(2):
            looking.button("Show more").click()
            looking.settle()
        page.wait_for_function("() => document.querySelectorAll('.row').length === 150")
        rows.nth(130).scroll_into_view_if_needed()
        place = page.evaluate("scrollY")
        rows.nth(130).get_by_role("link").first.click()
        looking.heading("Checks", level=2).wait_for()
        page.go_back()
        page.wait_for_function("() => document.querySelectorAll('.row').length === 150")
        page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)
        page.reload()
        page.wait_for_function("() => document.querySelectorAll('.row').length === 150")
        page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)
        long = "Math.max(...[...document.querySelectorAll('.rows')].map(list => list.children.length))"
        assert page.evaluate(long) == 25  # a list that comes into sight is drawn in one task
    assert looking.complaints == []


def test_the_start_stays_current_but_not_under_the_hands_of_a_person(tabs: Tabs, begun: StackProcess) -> None:
    counts = {"healthy": 0, "degraded": 0, "unhealthy": 0, "paused": 0}
    stats = {
        "directory": {"by_state": counts, "never_fetched": 3},
        "checks": [{"at": 1_800_000_000, "ok": 2, "unchanged": 0, "failed": 1}],
        "subscriptions": {"count": 1, "more": False},
    }
    status, minute = 200, 66_000
    with Looking(tabs, begun.url, is_new=True) as looking:
        page = looking.page
        page.clock.install()
        page.route("**/v1/stats?*", lambda route: answer(route, stats, status))
        looking.go("/")
        page.get_by_text("No feed is checked at present").wait_for()
        counts["healthy"] = 3
        page.clock.run_for(minute)
        page.get_by_text("No feed fails").wait_for()
        column = page.locator(".chart rect:not(.hover)").evaluate_all(
            "rects => rects.map(({y, height}) => [y.baseVal.value, height.baseVal.value].map(Math.round))"
        )
        assert sorted(column) == [[4, 27], [31, 53]]  # the failed part on top, the others down to the axis at 84
        counts["degraded"] = 2
        page.clock.run_for(minute)
        page.get_by_text("2 feeds fail at present").wait_for()

        looking.link("degraded").focus()
        counts["unhealthy"] = 1
        with page.expect_response("**/v1/stats?parts=directory"):
            page.clock.run_for(minute)
        assert page.evaluate("document.activeElement.textContent") == "degraded"
        page.get_by_role("searchbox").focus()
        page.clock.run_for(minute)
        page.get_by_text("1 feed has failed for long").wait_for()

        status = 503
        page.clock.run_for(minute)
        page.get_by_text("This could not be updated").first.wait_for()
        assert page.get_by_text("1 feed has failed for long").count() == 1
        page.route("**/v1/feeds?*", lambda route: answer(route, {}, status))
        page.reload()
        looking.settle()
        assert page.get_by_role("alert").count() == 1


def test_an_open_feed_and_an_open_webhook_stay_current(tabs: Tabs, begun: StackProcess, objects: Objects) -> None:
    feed = begun.call("GET", f"/v1{objects.feed}")[2] | {"consecutive_failures": 0, "collect_items": False}
    items = begun.call("GET", f"/v1{objects.feed}/items")[2]
    webhook = begun.call("GET", f"/v1{objects.webhook}")[2] | {"failures_in_a_row": 0}
    with Looking(tabs, begun.url, is_new=True) as looking:
        page = looking.page
        page.clock.install()
        page.route(f"**/v1{objects.feed}", lambda route: answer(route, feed, 200))
        page.route(f"**/v1{objects.feed}/items", lambda route: answer(route, items, 200))
        page.route(f"**/v1{objects.webhook}", lambda route: answer(route, webhook, 200))
        looking.go(objects.feed)
        feed |= {"state": "degraded", "consecutive_failures": 1, "last_outcome": "timeout", "first_failure_at": 1000}
        items["items"] = [{"title": "Fresh from the press", "url": None, "published_at": 2000, "first_seen_at": 2000}]
        page.clock.run_for(66_000)
        page.get_by_text("The last check failed").wait_for()
        page.get_by_text("Fresh from the press").wait_for()

        looking.go(objects.webhook)
        webhook["failures_in_a_row"] = 12
        page.clock.run_for(66_000)
        page.get_by_text("Failures in a row").wait_for()


def test_a_feed_that_never_worked_is_not_drawn_as_healthy(tabs: Tabs, begun: StackProcess, objects: Objects) -> None:
    feed = begun.call("GET", f"/v1{objects.feed}")[2]
    failing = {"state": "degraded", "last_success_at": None, "created_at": 1000, "last_attempt_at": 2000}
    change = {"from": "healthy", "to": "degraded", "reason": "dns_error"}
    entry = {"id": "0", "at": 2000, "action": "state_changed", "by": "check", "details": change}
    with Looking(tabs, begun.url) as looking:
        looking.page.route(f"**/v1{objects.feed}", lambda route: answer(route, {**feed, **failing}))
        looking.page.route("**/audit?*", lambda route: answer(route, {"entries": [entry], "cursor": None}))
        looking.go(objects.feed)
        marks = looking.page.locator(".strip .mark").all()
        told = [str(mark.get_attribute("aria-label")).partition(",")[0] for mark in marks]
        widths = [box["width"] for mark in marks if (box := mark.bounding_box())]
    assert told == ["Not checked yet", "The host’s name is unknown"]
    assert min(widths) > 5


def test_a_subscription_changes_once_its_feed_is_found(tabs: Tabs, begun: StackProcess) -> None:
    found = next(one for one in begun.call("GET", "/v1/subscriptions")[2]["subscriptions"] if one["feed_id"])
    pending = found | {"status": "pending", "asked_at": 1000}
    with Looking(tabs, begun.url) as looking:
        page = looking.page
        page.route(
            re.compile(r"/v1/subscriptions\?"),
            lambda route: answer(route, {"subscriptions": [pending], "cursor": None}),
        )
        looking.go("/subscriptions")
        page.get_by_text("followed since").wait_for()
        assert page.get_by_role("list", name="Subscriptions").get_by_role("listitem").count() == 1
    assert looking.complaints == []
