"""`feedward keys` and `feedward tenants`, without the API: their requests, their output, and their secrets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from feedward.access.key import parse_key
from feedward_local.api_client.api import ApiAnswer
from feedward_local.api_client.by_hand import event_of
from feedward_local.command import main
from feedward_local.commands import keys_command
from tests.functions.directory_function import DirectoryFunction, make_directory_function


class FunctionByHand:
    """The directory function, called by a holder of AWS rights."""

    def __init__(self, function: DirectoryFunction) -> None:
        self.function = function
        self.forgot = 0

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, has: str) -> ApiAnswer:
        answer = self.function.call(event_of(method, path, body))
        document = answer.body or {}
        assert answer.status >= 400 or not has or has in document
        return ApiAnswer(status=answer.status, headers=answer.headers, document=document)

    def forget_verdicts(self) -> None:
        self.forgot += 1


@pytest.fixture
def stack(monkeypatch: pytest.MonkeyPatch) -> FunctionByHand:
    found = FunctionByHand(make_directory_function())
    monkeypatch.setattr(keys_command, "stack_of", lambda _options: found)
    return found


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    assert main([*arguments, "--stack", "feedward"]) == code
    out = capsys.readouterr()
    return out.out, out.err


@pytest.mark.usefixtures("stack")
def test_the_first_key_is_printed_alone_and_its_story_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    out, told = said(capsys, "keys", "create")
    key = parse_key(out.strip())
    assert key is not None
    assert "operator" in told
    assert key.secret not in told
    listed, _ = said(capsys, "keys")
    assert listed.split()[:4] == [key.key_id, "live", "operator", "_self"]
    assert key.secret not in listed


@pytest.mark.usefixtures("stack")
def test_a_key_of_a_tenant_is_rotated_and_revoked(capsys: pytest.CaptureFixture[str]) -> None:
    made = json.loads(said(capsys, "keys", "create", "one", "--tenant", "acme", "--days", "3", "--json")[0])
    assert (made["tenant_id"], made["scope"], made["name"]) == ("acme", "admin", "one")
    assert made["expires_at"] is not None
    out, told = said(capsys, "keys", "rotate", made["id"], "--tenant", "acme", "--overlap", "1")
    newer = parse_key(out.strip())
    assert newer is not None
    assert made["id"] in told
    said(capsys, "keys", "revoke", made["id"], "--tenant", "acme")
    lines = said(capsys, "keys", "list", "--tenant", "acme")[0].splitlines()
    assert [line.split()[1] for line in lines] == ["revoked", "live"]


def test_revoking_now_lets_the_gateway_forget(stack: FunctionByHand, capsys: pytest.CaptureFixture[str]) -> None:
    made = json.loads(said(capsys, "keys", "create", "--json")[0])
    said(capsys, "keys", "revoke", made["id"], "--now")
    assert stack.forgot == 1


@pytest.mark.usefixtures("stack")
def test_unknown_ids_are_reported_and_the_exit_code_is_1(capsys: pytest.CaptureFixture[str]) -> None:
    for what, arguments in (
        ("no key with this id", ("keys", "revoke", "x" * 12)),
        ("no tenant with this name", ("tenants", "delete", "unknown")),
    ):
        out, told = said(capsys, *arguments, code=1)
        assert out == ""
        assert what in told


@pytest.mark.parametrize(
    "arguments",
    [
        ["keys", "rotate"],
        ["keys", "revoke"],
        ["keys", "list", "x"],
        ["keys", "list", "--scope", "read"],
        ["keys", "revoke", "x" * 12, "--now"],
        ["keys", "create", "--now", "--stack", "s"],
        ["tenants", "delete"],
        ["tenants", "list", "acme"],
    ],
)
def test_wrong_usage_ends_with_exit_code_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


@pytest.mark.usefixtures("stack")
def test_a_tenant_is_deleted_and_still_listed(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "keys", "create")
    said(capsys, "keys", "create", "--tenant", "acme")
    out, _ = said(capsys, "tenants", "delete", "acme")
    assert out.startswith("acme  since ")
    assert "checked again" in out
    names = [line.split()[0] for line in said(capsys, "tenants")[0].splitlines()]
    assert names == ["_self", "acme"]


def test_an_event_names_the_operation_its_id_and_the_rest() -> None:
    assert event_of("DELETE", "/v1/keys/a%20b?tenant_id=acme", None) == {
        "do": "DELETE /v1/keys/{id}",
        "id": "a b",
        "query": {"tenant_id": "acme"},
        "body": None,
    }
    assert event_of("POST", "/v1/keys/x/rotate", {"overlap_s": 1})["do"] == "POST /v1/keys/{id}/rotate"
    assert event_of("GET", "/v1/tenants", None)["do"] == "GET /v1/tenants"
