"""The site whose choice wins."""

from __future__ import annotations

import pytest

from feedward.discovery.site_choice import SiteChoice, chosen_by, passed_on

NONE = SiteChoice()
OURS = SiteChoice(site_id="ours", is_canonical=True, score=80)
THEIRS = SiteChoice(site_id="theirs", is_canonical=True, score=90)
LEFT = SiteChoice(site_id="theirs")


@pytest.mark.parametrize(
    ("stored", "score", "expected"),
    [
        (NONE, 80, OURS),
        (LEFT, 80, OURS),
        (THEIRS, 99, None),
        (OURS, 80, None),
        (OURS, 70, SiteChoice(site_id="ours", is_canonical=True, score=70)),
        (OURS, None, NONE),
        (THEIRS, None, None),
        (NONE, None, None),
    ],
)
def test_the_first_site_keeps_a_feed_for_as_long_as_it_chooses_it(
    stored: SiteChoice, score: int | None, expected: SiteChoice | None
) -> None:
    assert chosen_by(stored, "ours", score) == expected


@pytest.mark.parametrize(
    ("merged", "stays", "expected"),
    [(OURS, NONE, OURS), (OURS, LEFT, OURS), (OURS, THEIRS, None), (LEFT, NONE, None), (NONE, NONE, None)],
)
def test_a_merged_feed_s_choice_is_passed_on_unless_another_site_chose_the_one_that_stays(
    merged: SiteChoice, stays: SiteChoice, expected: SiteChoice | None
) -> None:
    assert passed_on(merged, stays) == expected
