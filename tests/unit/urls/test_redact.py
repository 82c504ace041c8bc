"""The form of a URL in a log line (rule X11)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.urls.secrets import redact_url


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://a.example/feed", "https://a.example/feed"),
        ("https://u:p@a.example/feed?token=s#f", "https://a.example/feed?..."),
        ("http://u:p@[broken/?token=s", "http://[broken/?..."),
        ("https://a.example/private/9f3a71c2/rss", "https://a.example/private/.../rss"),
        ("https://a.example/private/9f3a71c2?token=s", "https://a.example/private/...?..."),
        ("//a.example/private/9f3a71c2", "//a.example/private/..."),
        ("http:\\\\u:p@a b/", "http://ab/"),
        ('x\n{"level":"forged"}', 'x{"level":"forged"}'),
        ("", ""),
    ],
)
def test_credentials_and_query_are_not_shown(text: str, shown: str) -> None:
    assert redact_url(text) == shown


@given(st.text())
def test_any_text_becomes_one_short_line(text: str) -> None:
    shown = redact_url(text + "x" * 600)
    assert len(shown) <= 512
    assert len(shown.splitlines()) <= 1
