"""The rest of a budget is shared by all concurrent fetches: fixed before they start, and never given twice."""

from __future__ import annotations

import pytest

from feedward.services.canonicalize.canonicalization import shares
from feedward.urls.redirects import MAX_REDIRECTS


@pytest.mark.parametrize(
    ("count", "left", "expected"),
    [
        (0, 9, []),
        (1, 1, [0]),
        (3, 3, [0, 0, 0]),
        (3, 8, [2, 2, 1]),
        (3, 9, [2, 2, 2]),
        (2, 99, [MAX_REDIRECTS, MAX_REDIRECTS]),
        (3, 2, [0, 0, 0]),
    ],
)
def test_each_has_a_request_of_its_own_and_its_share_of_the_rest(count: int, left: int, expected: list[int]) -> None:
    assert shares(count, left) == expected
