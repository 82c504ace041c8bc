"""With keys enforced the page asks for one, keeps it for the tab only, and shows it nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.local.page.looking import Looking, Tabs
from tests.local.stack_process import StackProcess

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.local_stack
KEY = "fw_4fT9xQ2LmB7c_" + "s" * 36


def as_the_gateway(route: Route) -> None:
    """Refuse requests without a key, like the gateway: without a problem document."""
    if route.request.headers.get("authorization") == f"Bearer {KEY}":
        route.continue_()
    else:
        route.fulfill(status=401, content_type="application/json", body='{"message": "Unauthorized"}')


def test_a_key_is_asked_for_kept_for_the_tab_and_told_to_the_api_alone(tabs: Tabs, begun: StackProcess) -> None:
    with Looking(tabs, begun.url, is_new=True) as looking:
        page = looking.page
        page.route("**/v1/**", as_the_gateway)
        page.goto(f"{looking.url}/#/feeds?state=healthy")
        field = page.get_by_label("Key", exact=True)
        field.fill(KEY)
        assert field.get_attribute("type") == "password"
        page.keyboard.press("Enter")
        looking.heading("Directory: healthy").wait_for()
        looking.go("/feeds")
        looking.settle()
        assert page.get_by_role("list", name="Feeds").get_by_role("listitem").count() > 0

        kept = page.evaluate("[localStorage.length, document.cookie, Object.values(sessionStorage)]")
        assert kept == [0, "", [KEY]]
        assert KEY not in page.url + page.title() + page.content()
        assert not any(KEY in asked for asked in looking.asked)
        looking.go("/key")
        looking.button("Forget it").click()
        page.get_by_label("Key", exact=True).wait_for()
        assert page.evaluate("sessionStorage.length") == 0


def test_another_tab_has_no_key(tabs: Tabs, begun: StackProcess) -> None:
    with Looking(tabs, begun.url, is_new=True) as looking:
        looking.go("/key")
        assert looking.button("Forget it").count() == 0
