"""An object of ports whose calls keep to a deadline (rule M10): for services whose ports are a container."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from feedward.deadline import Deadline

Ports = TypeVar("Ports")


def bounded(ports: Ports, deadline: Deadline) -> Ports:
    """Return the ports with a deadline."""
    return cast("Ports", _BoundedPorts(ports, deadline))


class _BoundedPorts:
    """Stands for an object of ports: each port that has `within` is bound when it is used."""

    def __init__(self, ports: Any, deadline: Deadline) -> None:
        self._ports = ports
        self._deadline = deadline

    def __getattr__(self, name: str) -> Any:
        port = getattr(self._ports, name)
        return port.within(self._deadline) if hasattr(port, "within") else port
