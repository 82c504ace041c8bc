"""`feedward quotas` against the directory function itself, behind a server on loopback."""

from __future__ import annotations

import json

import pytest

from tests.functions.directory_function import DirectoryFunction
from tests.unit.local.conftest import Run


def test_limits_are_changed_and_shown(directory: DirectoryFunction, run: Run) -> None:
    directory.post("/v1/keys", {"name": "first", "scope": "admin", "tenant_id": "acme"})
    code, out, _ = run("quotas", "acme", "--set", "pages_per_day=7", "--set", "imports_per_day=unlimited")

    assert code == 0
    assert "pages_per_day                 0 of 7  own limit" in out.splitlines()
    assert "imports_per_day               unlimited" in out.splitlines()
    directory.ports.meter.count("acme", "pages", 3)
    assert "3 of 7  own limit  free again" in run("quotas", "acme")[1]
    assert "pages_per_day                 unlimited" in run("quotas", "acme", "--set", "pages_per_day=default")[1]


def test_ones_own_quotas_are_shown_as_the_api_says_them(directory: DirectoryFunction, run: Run) -> None:
    told = json.loads(run("quotas", "--json")[1])

    assert told == directory.get("/v1/quotas").body
    assert told["tenant"] == "_self"


def test_a_quota_that_there_is_not_is_refused(directory: DirectoryFunction, run: Run) -> None:
    code, _, error = run("quotas", "acme", "--set", "feeds=1")

    assert code == 1
    assert "there is no quota 'feeds'" in error


@pytest.mark.parametrize("wrong", [("--set", "pages_per_day=1"), ("acme", "--set", "pages_per_day")])
def test_wrong_usage_ends_with_2(run: Run, wrong: tuple[str, ...]) -> None:
    assert run("quotas", *wrong)[0] == 2
