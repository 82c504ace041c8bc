"""`feedward webhooks` against the directory function itself, behind a server on loopback."""

from __future__ import annotations

import json

import pytest

from tests.fakes.webhooks import answered
from tests.functions.directory_function import UNKNOWN_ID, DirectoryFunction
from tests.unit.local.conftest import Run

URL = "https://receiver.example/hook"


def created(run: Run, url: str = URL) -> str:
    """Create a webhook and return its id."""
    code, out, _ = run("webhooks", "create", url, "--event", "feed.*", "--json")
    assert code == 0
    return str(json.loads(out)["id"])


def test_a_webhook_is_created_and_its_secret_is_shown_once(directory: DirectoryFunction, run: Run) -> None:
    code, out, _ = run("webhooks", "create", URL, "--event", "feed.*", "--event", "items.published", "--tag", "news")
    directory.ports.webhooks.work(delays_too=True)

    assert code == 0
    assert "whsec_" in out
    code, listed, _ = run("webhooks")
    assert (code, "live" in listed, "#news" in listed, "whsec_" in listed) == (0, True, True, False)


def test_a_webhook_is_shown_changed_and_deleted(directory: DirectoryFunction, run: Run) -> None:
    webhook_id = created(run)
    directory.ports.webhooks.work(delays_too=True)

    assert "disabled" in run("webhooks", "change", webhook_id, "--disable")[1]
    assert "owner" in run("webhooks", "show", webhook_id)[1]
    assert run("webhooks", "change", webhook_id, "--enable")[0] == 0
    directory.ports.webhooks.work(delays_too=True)
    assert "live" in run("webhooks", "show", webhook_id)[1]
    assert run("webhooks", "change", webhook_id, "--url", "https://other.example/hook")[0] == 0
    assert run("webhooks", "delete", webhook_id) == (0, "", "")
    assert run("webhooks", "show", webhook_id)[0] == 1


def test_attempts_are_shown_and_sent_again(directory: DirectoryFunction, run: Run) -> None:
    webhook_id = created(run)
    directory.ports.webhooks.poster.answers[URL] = answered(500)
    directory.ports.webhooks.work(delays_too=True)

    shown = run("webhooks", "deliveries", webhook_id, "--failed")[1]
    assert "500  server_error" in shown
    assert run("webhooks", "deliveries", webhook_id, "--delivered") == (0, "", "")
    directory.ports.webhooks.poster.answers[URL] = answered(204)
    directory.ports.webhooks.clock.advance(60)
    assert run("webhooks", "test", webhook_id)[0] == 0
    directory.ports.webhooks.work(delays_too=True)
    delivery = json.loads(run("webhooks", "deliveries", webhook_id, "--json")[1].splitlines()[0])["delivery_id"]
    assert run("webhooks", "redeliver", webhook_id, delivery)[0] == 0
    since = str(directory.ports.webhooks.clock.now() - 60)
    assert "started" in run("webhooks", "replay", webhook_id, "--since", since)[1]
    assert "whsec_" in run("webhooks", "rotate", webhook_id)[1]


@pytest.mark.parametrize(
    "arguments",
    [("create", URL), ("create",), ("show",), ("list", UNKNOWN_ID), ("redeliver", UNKNOWN_ID), ("replay", UNKNOWN_ID),
     ("test", UNKNOWN_ID, "--url", URL), ("show", UNKNOWN_ID, "--since", "1"), ("show", UNKNOWN_ID, UNKNOWN_ID),
     ("test", UNKNOWN_ID, "--event", "feed.*"), ("show", UNKNOWN_ID, "--failed"), ("dance",),
     ("change", UNKNOWN_ID, "--enable", "--disable")],
)  # fmt: skip
def test_wrong_usage_is_refused(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("webhooks", *arguments)[0] == 2


def test_a_refusal_of_the_api_is_reported(run: Run) -> None:
    assert run("webhooks", "create", "https://127.0.0.1/", "--event", "feed.*")[::2] == (
        1, "feedward: url: the host is a private or reserved address\n",
    )  # fmt: skip
    assert run("webhooks", "test", UNKNOWN_ID) == (1, "", "feedward: there is no webhook with this id\n")
