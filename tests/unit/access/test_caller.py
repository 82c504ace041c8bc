"""The rights that a scope includes."""

from __future__ import annotations

import pytest

from feedward.access.caller import SELF_HOSTED, Scope


@pytest.mark.parametrize("scope", Scope)
def test_a_scope_includes_itself_and_those_before_it(scope: Scope) -> None:
    order = tuple(Scope)
    assert [other for other in order if scope.includes(other)] == list(order[: order.index(scope) + 1])


def test_where_no_keys_are_asked_for_the_caller_is_the_deployments_own_user_and_may_do_all() -> None:
    assert (SELF_HOSTED.tenant_id, SELF_HOSTED.key_id) == (None, None)
    assert all(SELF_HOSTED.scope.includes(scope) for scope in Scope)
