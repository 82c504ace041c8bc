"""Keys are made and end on the page: the text of a key is shown once, and no key ends by one wrong click."""

from __future__ import annotations

import re

import pytest

from feedward.access.key import parse_key
from tests.local.page.looking import Looking

pytestmark = pytest.mark.local_stack


def test_a_key_is_made_shown_once_and_ended(looking: Looking) -> None:
    page = looking.page
    looking.go("/key")
    looking.link(re.compile("^All keys of the tenant")).click()
    looking.heading("Keys").wait_for()
    looking.settle()
    page.get_by_label("Name").fill("the reader <b>upstairs</b>")
    page.get_by_label("Expires").select_option("30")
    looking.button("Create").click()
    shown = page.get_by_text(re.compile("^The key, which is not shown again")).locator("code")
    text = shown.inner_text()
    key = parse_key(text)
    assert key is not None

    row = page.get_by_role("list", name="Keys").get_by_role("listitem").filter(has_text=f"fw_{key.key_id}_")
    assert re.search(r"live · read\s+fw_\w+_…", row.inner_text())
    page.reload()
    looking.settle()
    assert text not in page.content()
    revoke = row.get_by_role("button", name="Revoke the reader <b>upstairs</b>")
    revoke.click()
    row.get_by_role("button", name="Keep it").click()
    revoke.click()
    row.get_by_role("button", name="Revoke it permanently").click()
    page.get_by_role("status").filter(has_text="has ended").wait_for()
    looking.settle()
    assert "revoked · read" in row.inner_text()
    assert row.get_by_role("button").count() == 0
