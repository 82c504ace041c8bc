"""Ports of the keys."""

from __future__ import annotations

from typing import Protocol

from feedward.ports import Clock
from feedward.ports.keys import KeyStore, TenantData


class KeyPorts(Protocol):
    """Ports of key management. bootstrap.Services implements them; tests bring their own."""

    @property
    def keys(self) -> KeyStore: ...
    @property
    def clock(self) -> Clock: ...


class TenantPorts(KeyPorts, Protocol):
    """Ports of the deletion of tenants."""

    @property
    def tenant_data(self) -> TenantData: ...
