"""Move the registry to the current key, step by step (rule C4): old hashes stay as aliases, and nothing is lost.

One worker at a time has the job, by a lease; whoever is killed leaves it at its last place, and doing a stretch again
finds it done.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from feedward.ports import Clock, RekeyStore
from feedward.ulid import new_ulid
from feedward.urls.key import KEY_VERSION, url_hash
from feedward.urls.rekey import HashOf, Rekeying, plan_rekey

# What is read between two writes of the place, and what that may take.
STEP_ROWS: Final = 500
STEP_S: Final = 20.0
_LEASE_RESERVE_S: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RekeyStep:
    """What a step did: how far the move is, and whether it is done. `leased`: another worker has it."""

    rekeying: Rekeying
    leased: bool = False

    @property
    def done(self) -> bool:
        """True if there is nothing left to do, or nothing that this worker may do."""
        return self.rekeying.done or self.leased


def rekey(
    *,
    store: RekeyStore,
    clock: Clock,
    within_s: float,
    version: str = KEY_VERSION,
    hash_of: HashOf = url_hash,
) -> RekeyStep:
    """Move on for at most `within_s` seconds, and say how far it is; where all is done already, one read says so.

    Raises what the store raises: then the stretch that was under way is done again.
    """
    ends_at = clock.monotonic() + within_s
    found = store.rekeying(version)
    if found.done:
        return RekeyStep(rekeying=found)
    now = clock.now()
    lease_until = now + math.ceil(within_s) + _LEASE_RESERVE_S
    held = store.take(version, holder=new_ulid(now), now=now, lease_until=lease_until)
    while held is not None:
        moved = _stretch(held, store, version, hash_of, lease_until)
        if moved is None:
            break
        held = moved
        if held.done:
            return RekeyStep(rekeying=held)
        if ends_at - clock.monotonic() < STEP_S:  # whoever comes next need not wait for the lease to end
            return RekeyStep(rekeying=store.advanced(held, held.place, lease_until=clock.now()) or held)
    return RekeyStep(rekeying=found, leased=True)


def _stretch(held: Rekeying, store: RekeyStore, version: str, hash_of: HashOf, lease_until: int) -> Rekeying | None:
    """Go through the next rows; None: somebody else has the job by now."""
    page = store.outdated(held, at_most=STEP_ROWS)
    for url in page.urls:
        store.rekey(url, plan_rekey(url, hash_of), version=version)
    return store.advanced(held, page.place, lease_until=lease_until)
