"""Keys of StateTable, the temporary state of the workers (rule R17).

TTL deletes rows up to two days after their `expires_at`, so readers compare the time too.
"""

from __future__ import annotations

import hashlib

SWEEP = "SWEEP#feeds"
SLOT_SWEEP = "SWEEP#slots"
ROW_SWEEP = "SWEEP#rows"
TASK_SWEEP = "SWEEP#tasks"
OUTAGE = "OUTAGE"
PAUSED_FEED = "FEED#"
SLOT_LOADS = "SLOTLOADS"


def shard_key(sweep: str, shard: int) -> dict[str, str]:
    """Return the key of a shard's cursor; `sweep` stands for the due index."""
    return _key(sweep, f"SHARD#{shard:03d}")


def slot_loads_key(hour: int) -> dict[str, str]:
    """Return the key of the loads of an hour of the day, 0 to 23."""
    return _key(SLOT_LOADS, f"{hour:02d}")


def minute_key(minute: int) -> dict[str, str]:
    """Return the key of the check results of an epoch minute."""
    return _key(f"MINUTE#{minute}", "CHECKS")


def outage_key(minute: int) -> dict[str, str]:
    """Return the key of the outage mark of a minute. All marks are in one partition, sorted by time."""
    return _key(OUTAGE, outage_sk(minute))


def outage_sk(minute: int) -> str:
    """Return the sort key of a minute's outage mark."""
    return f"{minute:011d}"


def check_count_key(hour: int) -> dict[str, str]:
    """Return the key of the counts of an hour's checks; `hour` is the epoch second of its start."""
    return _key(f"CHECKS#{hour}", f"{hour:011d}")


def kept_counts_key() -> dict[str, str]:
    """Return the key of the counts of failed rows, which are cached for some minutes."""
    return _key("COUNTS#rows", "BY_REASON")


def cooldowns_pk(due_shard: int) -> str:
    """Return the partition of the cooldowns of a due shard. All feeds of a message are in one shard."""
    return f"COOLDOWN#{due_shard:03d}"


def cooldown_key(due_shard: int, host: str) -> dict[str, str]:
    """Return the key of a host's cooldown."""
    return _key(cooldowns_pk(due_shard), host)


def paused_feed_key(due_shard: int, feed_id: str) -> dict[str, str]:
    """Return the key of a paused feed, in the partition that checks read anyway. No host has such a name."""
    return _key(cooldowns_pk(due_shard), f"{PAUSED_FEED}{feed_id}")


def move_observation_key(feed_id: str) -> dict[str, str]:
    """Return the key of a feed's move observation."""
    return _key(f"MOVE#{feed_id}", "OBSERVATION")


def shared_target_key(target_key: str) -> dict[str, str]:
    """Return the key of a shared redirect target. It is hashed, because a URL may exceed the length of a key."""
    return _key(f"TARGET#{_digest(target_key)}", "ARRIVALS")


def request_key(request_id: str) -> dict[str, str]:
    """Return the key of the record of a request with an idempotency key."""
    return _key(f"IDEMPOTENCY#{request_id}", "REQUEST")


def answer_prefix(attempt_id: str) -> str:
    """Return the prefix of the sort keys of an attempt's further response rows."""
    return f"ANSWER#{attempt_id}#"


def answer_row_key(request_id: str, attempt_id: str, number: int) -> dict[str, str]:
    """Return the key of a further response row; rows sort by `number`."""
    return _key(request_key(request_id)["pk"], f"{answer_prefix(attempt_id)}{number:03d}")


def robots_key(origin: str) -> dict[str, str]:
    """Return the key of the robots.txt of an origin, `https://example.com`."""
    return _key(f"ROBOTS#{_digest(origin)}", "TEXT")


def export_key(export_id: str) -> dict[str, str]:
    """Return the key of the job of an export."""
    return _key(f"EXPORT#{export_id}", "JOB")


def slot_key(host: str) -> dict[str, str]:
    """Return the key of a host's next rate limit slot."""
    return _key(f"HOST#{_digest(host)}", "SLOT")


def hold_key(host: str) -> dict[str, str]:
    """Return the key of the lease on a host's messages."""
    return _key(f"HOST#{_digest(host)}", "HOLD")


def begun_key(entry_id: str) -> dict[str, str]:
    """Return the key of the count of attempts at a task."""
    return _key(f"BEGUN#{_digest(entry_id)}", "TASK")


def quota_key(tenant: str, quota: str, starts_at: int) -> dict[str, str]:
    """Return the key of a tenant's counter for a quota, in a partition of its own (rule QT1)."""
    return _key(f"QUOTA#{tenant}#{quota}#{starts_at}", "USED")


def places_key(tenant: str, kind: str) -> dict[str, str]:
    """Return the key of a tenant's leases for work in flight."""
    return _key(f"QUOTA#{tenant}#{kind}#PLACES", "TAKEN")


def hub_row_key(hub: str) -> dict[str, str]:
    """Return the key of the standing of a hub, by the hash of its URL."""
    return _key(f"HUB#{hub}", "STANDING")


def watched_hubs_key() -> dict[str, str]:
    """Return the key of the list of watched hubs, which each pass reads."""
    return _key("HUBS", "WATCHED")


def _digest(text: str) -> str:
    """Hash a foreign text, which may exceed the length of a key."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _key(pk: str, sk: str) -> dict[str, str]:
    return {"pk": pk, "sk": sk}
