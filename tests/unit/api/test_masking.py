"""A key that may only read is shown no token, anywhere in an answer (rule AK8)."""

from __future__ import annotations

import pytest

from feedward.api.masking import for_readers
from feedward.api.route import Reply

SECRET = "9f3a71c2d4e5b6a7"
URL = f"https://a.example/feed?token={SECRET}"
MASKED = "https://a.example/feed?token=..."


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (URL, MASKED),
        (f"a.example/feed?token={SECRET}", "https://a.example/feed?token=..."),
        (f"there is no feed at {URL} now", f"there is no feed at {MASKED} now"),
        ({"url": URL, "deep": [{"aliases": (URL, "x")}]}, {"url": MASKED, "deep": [{"aliases": [MASKED, "x"]}]}),
        ("https://a.example/feed?page=2", "https://a.example/feed?page=2"),
        ("The secret garden: what a pass!", "The secret garden: what a pass!"),
        ({"count": 3, "is": True, "none": None}, {"count": 3, "is": True, "none": None}),
    ],
)
def test_tokens_are_masked_and_nothing_else_changes(said: object, shown: object) -> None:
    assert for_readers(said) == shown


def test_a_reply_keeps_its_status_and_headers() -> None:
    shown = for_readers(Reply(document={"url": URL}, status=202, headers={"Location": "/v1/x"}))

    assert shown == Reply(document={"url": MASKED}, status=202, headers={"Location": "/v1/x"})


def test_a_file_passes_as_its_service_made_it() -> None:
    assert for_readers(Reply(file=b"x", media_type="text/csv")) == Reply(file=b"x", media_type="text/csv")
