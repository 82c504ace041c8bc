"""The queues' event sources, whose concurrency MiniStack keeps as text, the type of a stack's parameter.

It compares the text with a number, so it would never receive a message.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from feedward_local.deployment.routes import Resource

MAPPING = "AWS::Lambda::EventSourceMapping"


def number_concurrency(functions: Any, resources: Mapping[str, Resource]) -> None:
    """Set each event source's MaximumConcurrency to a number.

    `functions` is the lambda client. It reads text as a number, so it cannot show which type is stored.
    """
    for resource in resources.values():
        if resource.kind == MAPPING:
            scaling = functions.get_event_source_mapping(UUID=resource.physical_id).get("ScalingConfig") or {}
            if "MaximumConcurrency" in scaling:
                limit = {"MaximumConcurrency": int(scaling["MaximumConcurrency"])}
                functions.update_event_source_mapping(UUID=resource.physical_id, ScalingConfig=limit)
