"""Packaging as in `sam package`: the template, with local folders replaced by uploaded archives.

Pure functions on the parsed template; only `read_template` touches the disk.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from samtranslator.yaml_helper import intrinsics_multi_constructor

Template = dict[str, Any]
FUNCTION = "AWS::Serverless::Function"
LAYER = "AWS::Serverless::LayerVersion"
ALARM = "AWS::CloudWatch::Alarm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A resource built from a local folder, relative to the template, with its code and its Makefile."""

    logical_id: str
    folder: str
    context: str


class _ShortForms(yaml.CSafeLoader):
    """Reads the same as the translator's own loader, with the C parser: in a tenth of the time."""


_ShortForms.add_multi_constructor("!", intrinsics_multi_constructor)


def parse_template(text: str) -> Template:
    """Parse a SAM template; short forms like `!Ref` become their long ones."""
    parsed: Template = yaml.load(text, Loader=_ShortForms)  # noqa: S506 - our own safe loader
    return parsed


def read_template(path: Path) -> Template:
    """Parse a SAM template's file into plain JSON data: a date in it becomes text."""
    parsed: Template = json.loads(json.dumps(parse_template(path.read_text()), default=str))
    return parsed


def sources(template: Template, kind: str) -> list[Source]:
    """Return the local code folders of all resources of one type (FUNCTION or LAYER), in the template's order."""
    name, shared = _code_property(kind), _shared(template, kind)
    found = []
    for logical_id, resource in template["Resources"].items():
        if resource["Type"] == kind:
            folder = resource.get("Properties", {}).get(name, shared.get(name))
            if isinstance(folder, str) and not folder.startswith("s3://"):
                context = resource.get("Metadata", {}).get("ContextPath", folder)
                found.append(Source(logical_id=logical_id, folder=folder, context=context))
    return found


def packaged(
    template: Template,
    archives: Mapping[str, str],
    handlers: Mapping[str, str] | None = None,
    *,
    variables: Mapping[str, str] | None = None,
) -> Template:
    """Return the template with each resource's folder replaced by its archive's `s3://` address.

    `handlers` replaces the handlers of the named functions, for the demo's entries. `variables` replace those that all
    functions have. Alarms on a query are left out: MiniStack refuses a template with one.
    """
    ready = copy.deepcopy(template)
    ready["Resources"] = {name: one for name, one in ready["Resources"].items() if not _is_alarm_on_query(one)}
    for logical_id, address in archives.items():
        resource = ready["Resources"][logical_id]
        resource.setdefault("Properties", {})[_code_property(resource["Type"])] = address
    if variables:
        ready["Globals"]["Function"]["Environment"]["Variables"].update(variables)
    for logical_id, handler in (handlers or {}).items():
        ready["Resources"][logical_id]["Properties"]["Handler"] = handler
    return ready


def _is_alarm_on_query(resource: Template) -> bool:
    return bool(resource["Type"] == ALARM and "Metrics" in resource.get("Properties", {}))


def _code_property(kind: str) -> str:
    return "CodeUri" if kind == FUNCTION else "ContentUri"


def _shared(template: Template, kind: str) -> Template:
    section = "Function" if kind == FUNCTION else "LayerVersion"
    shared: Template = template.get("Globals", {}).get(section, {})
    return shared
