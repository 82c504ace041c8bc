"""Local answers wait as long as the person who asked."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from feedward_local.api_client.answers import demo_fetcher, patient_fetcher


@pytest.mark.parametrize("within_s", [0.5, 15.0, 600.0])
def test_a_slow_site_is_given_up_only_at_the_callers_deadline(within_s: float) -> None:
    with ExitStack() as ending:
        for fetcher in (patient_fetcher(within_s), demo_fetcher(within_s, ending)):
            assert (fetcher.settings.total_s, fetcher.settings.io_s) == (within_s, within_s)
