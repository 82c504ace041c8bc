"""The OpenAPI description of the API: a file of this package, read on request."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    document: dict[str, Any] = json.loads(resources.files(__package__).joinpath("openapi.json").read_text("utf-8"))
    return document
