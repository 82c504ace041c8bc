"""Reconcile pass of imports: sends the steps of abandoned ones again (rule I7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from feedward.services.intake.do_step import resume_step
from feedward.services.intake.ports import ImportPorts
from feedward.services.intake.send_steps import send_steps

# A step takes at most the time of a call, and its message is hidden for longer.
LEFT_FOR_S: Final = 10 * 60
AT_ONCE: Final = 20


def resume_imports(*, ports: ImportPorts) -> int:
    """Send the steps of imports that have been unfinished for 10 minutes. Returns how many imports were resumed.

    Raises the errors of the store and the queue; the next pass resumes the remaining imports.
    """
    now = ports.clock.now()
    resumed = 0
    for tenant_id, import_id in ports.imports.pending(before=now - LEFT_FOR_S, limit=AT_ONCE):
        found = ports.imports.get(tenant_id, import_id)
        if found is None or found.pending_since is None or found.pending_since > now - LEFT_FOR_S:
            continue
        if ports.imports.save(replace(found, pending_since=now)):
            send_steps(resume_step(found), queue=ports.frontier_queue, now=now)
            resumed += 1
    return resumed
