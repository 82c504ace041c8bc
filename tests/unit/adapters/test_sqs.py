"""The queue of a function that a deployment does not have."""

from __future__ import annotations

import pytest

from feedward.adapters.sqs import UndeployedQueue
from feedward.deadline import NO_DEADLINE
from feedward.errors import NotDeployed


def test_it_says_that_nothing_would_read_the_messages_instead_of_taking_them() -> None:
    with pytest.raises(NotDeployed, match="Refresh=false"):
        UndeployedQueue().within(NO_DEADLINE).send_batch([])
