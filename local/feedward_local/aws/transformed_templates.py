"""Templates that SAM transforms once, for all starts: a third of what MiniStack computed at a start."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any, Final

KEPT_TEMPLATES: Final = 6
_TRANSFORMERS: Final = ("ministack", "aws-sam-translator")
Transform = Callable[..., Any]


def transform_templates_once(handlers: ModuleType, folder: Path) -> None:
    """Let MiniStack's handlers of stacks keep transformed templates below `folder`."""
    transform: Transform = vars(handlers)["_apply_transforms"]

    def transformed(*asked: Any) -> Any:
        file = folder / f"{_name_of(asked)}.json"
        with contextlib.suppress(OSError, ValueError):
            return json.loads(file.read_text())
        template = transform(*asked)
        with contextlib.suppress(OSError, TypeError, ValueError):
            _keep(template, file)
        return template

    vars(handlers)["_apply_transforms"] = transformed


def _name_of(asked: object) -> str:
    """The name of a file: another one for another template, other parameters or another version of the transform."""
    said = json.dumps([*map(_version, _TRANSFORMERS), os.environ.get("AWS_DEFAULT_REGION"), asked], default=repr)
    return hashlib.sha256(said.encode()).hexdigest()[:32]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _keep(template: object, file: Path) -> None:
    """Write a template whose JSON is the same template. The file appears whole, and the oldest ones go."""
    text = json.dumps(template)
    if json.loads(text) != template:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as part:
        part.write(text)
    Path(part.name).replace(file)
    kept = sorted(file.parent.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
    for old in kept[KEPT_TEMPLATES:]:
        old.unlink()
