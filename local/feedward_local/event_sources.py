"""The queues' event sources, whose concurrency MiniStack leaves as the text that a stack's parameter is.

It compares it with a number, so no message would ever be taken from the queue.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from feedward_local.routes import Resource

MAPPING = "AWS::Lambda::EventSourceMapping"


def number_concurrency(functions: Any, resources: Mapping[str, Resource]) -> None:
    """Set each event source's MaximumConcurrency to the number that it says.

    `functions` is the lambda client, which reads text as a number: whether it is one already, it cannot tell.
    """
    for resource in resources.values():
        if resource.kind == MAPPING:
            scaling = functions.get_event_source_mapping(UUID=resource.physical_id).get("ScalingConfig") or {}
            if "MaximumConcurrency" in scaling:
                limit = {"MaximumConcurrency": int(scaling["MaximumConcurrency"])}
                functions.update_event_source_mapping(UUID=resource.physical_id, ScalingConfig=limit)
