"""Free work: for a deployment without tenants."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from feedward.access.caller import Caller
from feedward.ports.quotas import WorkName


class Uncharged:
    """Implements ports.quotas.Charges without quotas."""

    def charged(
        self, _caller: Caller, _work: WorkName, _weight: int = 1, **_named: object
    ) -> AbstractContextManager[None]:
        """Charge nothing."""
        return nullcontext()

    def charged_to(self, _tenant_id: str | None, _work: WorkName, _weight: int = 1) -> AbstractContextManager[None]:
        """Charge nothing."""
        return nullcontext()

    def place(self, _caller: Caller, _kind: str, **_named: object) -> AbstractContextManager[None]:
        """Take no slot."""
        return nullcontext()

    def count(self, _tenant_id: str | None, _work: WorkName, _weight: int) -> None:
        """Count nothing."""
