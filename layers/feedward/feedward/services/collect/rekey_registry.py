"""Moves the registry to the current key version, step by step (rule C4). Old hashes stay as aliases.

A lease gives the job to one worker at a time. A killed worker leaves its cursor; repeating a stretch changes nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from feedward.ports import Clock, RekeyStore
from feedward.ulid import new_ulid
from feedward.urls.key import KEY_VERSION, url_hash
from feedward.urls.rekey import HashOf, Rekeying, plan_rekey

# The number of rows between two writes of the cursor, and the time limit for them.
STEP_ROWS: Final = 500
STEP_S: Final = 20.0
_LEASE_RESERVE_S: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RekeyStep:
    """The progress after one step. `leased`: another worker holds the job."""

    rekeying: Rekeying
    leased: bool = False

    @property
    def done(self) -> bool:
        """True if nothing is left to do, or another worker holds the job."""
        return self.rekeying.done or self.leased


def rekey(
    *,
    store: RekeyStore,
    clock: Clock,
    within_s: float,
    version: str = KEY_VERSION,
    hash_of: HashOf = url_hash,
) -> RekeyStep:
    """Continue for at most `within_s` seconds, and return the progress. If the job is done, this takes one read.

    Raises the errors of the store: the current stretch is then repeated.
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
        if ends_at - clock.monotonic() < STEP_S:  # the next worker need not wait for the lease
            return RekeyStep(rekeying=store.advanced(held, held.place, lease_until=clock.now()) or held)
    return RekeyStep(rekeying=found, leased=True)


def _stretch(held: Rekeying, store: RekeyStore, version: str, hash_of: HashOf, lease_until: int) -> Rekeying | None:
    """Rekey the next rows. None: another worker has taken the job."""
    page = store.outdated(held, at_most=STEP_ROWS)
    for url in page.urls:
        store.rekey(url, plan_rekey(url, hash_of), version=version)
    return store.advanced(held, page.place, lease_until=lease_until)
