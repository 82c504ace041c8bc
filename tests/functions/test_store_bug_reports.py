"""Faults of other systems with tenants and keys, as their users reported them, tried on the directory function."""

from __future__ import annotations

import pytest

from tests.fakes.dynamodb_faults import Died
from tests.functions.conftest import LambdaContext
from tests.functions.directory_function import DirectoryFunction
from tests.functions.test_idempotency import Caller


@pytest.mark.parametrize("path", ["/v1/feeds", "/v1/subscriptions"])
@pytest.mark.parametrize("name", ["user", "tenant", "tenant_id"])
def test_whose_data_it_is_cannot_be_said_in_the_url_and_is_not_silently_ignored(
    directory: DirectoryFunction, path: str, name: str
) -> None:
    for tenant in ("t1", "t2"):
        answer = directory.get(path, **{name: tenant})
        assert (answer.status, answer.body["field"]) == (400, name)


def test_a_key_taken_up_with_no_time_left_is_free_again_soon(directory: DirectoryFunction) -> None:
    feed_id, path = directory.feed("garden"), "/v1/feeds/{}/check"
    caller = Caller(directory.handler, LambdaContext(remaining_ms=0))
    lifespan = directory.directory.lifespan
    lifespan.end_at(1, makes_last=False)  # after the key was taken up
    with pytest.raises(Died):
        caller.post(path.format(feed_id))
    lifespan.live_on()

    assert caller.post(path.format(feed_id))["statusCode"] == 409
    directory.directory.clock.advance(2)
    assert caller.post(path.format(feed_id))["statusCode"] == 202
