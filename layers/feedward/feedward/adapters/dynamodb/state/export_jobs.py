"""Jobs of exports in StateTable, for two days: ports.ExportJobs (rule EX1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from feedward.adapters.dynamodb.state.state_rows import export_key
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import Condition, absent, equals
from feedward.exports.job import KEPT_S, ExportJob, read_job, stored_job

_KEPT_S: Final = 2 * KEPT_S


class DynamoExportJobs(TableStore):
    """ports.ExportJobs. Thread-safe."""

    def open(self, job: ExportJob) -> ExportJob:
        """Write a new job, or return the stored job with this id."""
        refusal = self._write(replace(job, rev=1), absent("pk"))
        if refusal is None:
            return replace(job, rev=1)
        return read_job(refusal.item) if refusal.item else job

    def get(self, export_id: str) -> ExportJob | None:
        """Return the job, or None."""
        row = self._tables.get(self._tables.names.state, export_key(export_id))
        return read_job(row) if row else None

    def save(self, after: ExportJob) -> bool:
        """Write the job. Returns False if its rev has changed."""
        return self._write(replace(after, rev=after.rev + 1), equals("rev", after.rev)) is None

    def _write(self, job: ExportJob, when: Condition) -> Refusal | None:
        stored: Item = stored_job(job) | {"expires_at": job.created_at + _KEPT_S}
        assign = {name: value for name, value in stored.items() if value is not None}
        remove = sorted(stored.keys() - assign.keys())
        return self._tables.change(
            self._tables.names.state, export_key(job.export_id), when, assign=assign, remove=remove
        )
