"""The recorded events that the runtime tests send: a request, or a record of a queue, with a test's content."""

from __future__ import annotations

import json
from typing import Any

from tests.runtime.emulator import ROOT


def event(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "events" / f"{name}.json").read_text())
    return found


def record(name: str, body: str) -> dict[str, Any]:
    """The only record of a recorded batch, with another text, by which it is also named."""
    (found,) = event(name)["Records"]
    return dict(found) | {"messageId": body[:20], "body": body}
