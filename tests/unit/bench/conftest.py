"""What the tests of the bench share."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(autouse=True)
def no_search_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bench searches for garbage before it reads the memory. Among thousands of tests that takes half a second."""
    monkeypatch.setattr(gc, "collect", lambda: 0)
