"""Keys of StateTable: what the machinery remembers for a while (rule R17).

Rows go some time after their `expires_at`, which may be two days: whoever reads them looks at their times.
"""

from __future__ import annotations

import hashlib

SWEEP = "SWEEP#feeds"
ROW_SWEEP = "SWEEP#rows"
OUTAGE = "OUTAGE"
PAUSED_FEED = "FEED#"


def shard_key(sweep: str, shard: int) -> dict[str, str]:
    """Return the key of how far the sweep of a shard of a due index is; `sweep` says of which index."""
    return _key(sweep, f"SHARD#{shard:03d}")


def minute_key(minute: int) -> dict[str, str]:
    """Return the key of what the checks of an epoch minute came to."""
    return _key(f"MINUTE#{minute}", "CHECKS")


def outage_key(minute: int) -> dict[str, str]:
    """Return the key of the mark that a minute was an outage of our own: all are in one partition, by time."""
    return _key(OUTAGE, outage_sk(minute))


def outage_sk(minute: int) -> str:
    """Return the sort key of a minute's mark."""
    return f"{minute:011d}"


def cooldowns_pk(due_shard: int) -> str:
    """Return the partition of the hosts of a due shard that cool down: a message's feeds are of one shard."""
    return f"COOLDOWN#{due_shard:03d}"


def cooldown_key(due_shard: int, host: str) -> dict[str, str]:
    """Return the key of a host that cools down."""
    return _key(cooldowns_pk(due_shard), host)


def paused_feed_key(due_shard: int, feed_id: str) -> dict[str, str]:
    """Return the key of a feed that a person paused, where checks look anyway: no host is called so."""
    return _key(cooldowns_pk(due_shard), f"{PAUSED_FEED}{feed_id}")


def move_observation_key(feed_id: str) -> dict[str, str]:
    """Return the key of the target that a feed was seen moving to."""
    return _key(f"MOVE#{feed_id}", "SIGHTING")


def shared_target_key(target_key: str) -> dict[str, str]:
    """Return the key of who moved to a target; a target may be longer than a key can be."""
    return _key(f"PORTAL#{_digest(target_key)}", "ARRIVALS")


def request_key(request_id: str) -> dict[str, str]:
    """Return the key of what is remembered of a request that was sent with a key of its own."""
    return _key(f"IDEMPOTENCY#{request_id}", "REQUEST")


def answer_prefix(attempt_id: str) -> str:
    """Return how the sort keys begin of what of an attempt's answer does not go into its request's row."""
    return f"ANSWER#{attempt_id}#"


def answer_row_key(request_id: str, attempt_id: str, number: int) -> dict[str, str]:
    """Return the key of one of these rows; they sort by their number."""
    return _key(request_key(request_id)["pk"], f"{answer_prefix(attempt_id)}{number:03d}")


def robots_key(origin: str) -> dict[str, str]:
    """Return the key of the robots.txt of an origin, `https://example.com`."""
    return _key(f"ROBOTS#{_digest(origin)}", "TEXT")


def slot_key(host: str) -> dict[str, str]:
    """Return the key of a host's next rate limit slot."""
    return _key(f"HOST#{_digest(host)}", "SLOT")


def hold_key(host: str) -> dict[str, str]:
    """Return the key of who works on a host's messages."""
    return _key(f"HOST#{_digest(host)}", "HOLD")


def begun_key(entry_id: str) -> dict[str, str]:
    """Return the key of how often a task was begun that never ended."""
    return _key(f"BEGUN#{_digest(entry_id)}", "TASK")


def _digest(text: str) -> str:
    """What is a stranger's text may be longer than a key can be."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _key(pk: str, sk: str) -> dict[str, str]:
    return {"pk": pk, "sk": sk}
