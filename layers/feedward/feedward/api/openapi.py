"""The description of the API, as it is served: a file of this package, read when somebody asks for it."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def openapi_document() -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    document: dict[str, Any] = json.loads(resources.files(__package__).joinpath("openapi.json").read_text("utf-8"))
    return document
