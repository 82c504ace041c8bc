"""Names of tables, and keys of the items of feeds, sites and tenants (rules R10, R13)."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.access import SELF, name_of
from feedward.errors import InvalidInput

FEED = "FEED"
META = "META"
RECENT = "RECENT"
PUSH = "PUSH"
NAMES_HUBS = "names-hubs"
REVIVAL = "REVIVAL"
INDEXED = "INDEXED"
AUDIT_PREFIX = "AUDIT#"
OUT_PREFIX = "OUT#"
TOPIC_PREFIX = "TOPIC#"
SITE = "SITE"
CANDIDATE_PREFIX = "CANDIDATE#"
JOB_PREFIX = "JOB#"
SUB_PREFIX = "SUB#"
IMPORT_PREFIX = "IMPORT#"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNames:
    """Names of the tables in this deployment.

    Those from `sites` on are empty in functions that do not use them. `history_days`: days after which DynamoDB may
    delete an audit log entry of a feed; 0 is never.
    """

    urls: str
    feeds: str
    state: str
    sites: str = ""
    tenants: str = ""
    frontier: str = ""
    lineage: str = ""
    webhooks: str = ""
    keys: str = ""
    history_days: int = 0


def url_key(url_hash: str) -> dict[str, str]:
    """Return the key of a URL's row in the registry."""
    return {"url_hash": url_hash}


def row_key(row_id: str) -> dict[str, str]:
    """Return the key of a row of the frontier."""
    return {"row_id": row_id}


def feed_key(feed_id: str, sk: str = FEED) -> dict[str, str]:
    """Return the key of one of a feed's items."""
    return {"feed_id": feed_id, "sk": sk}


def audit_sk(now: int, entry_id: str) -> str:
    """Return the sort key of an audit row: the time and an id, which is unique within a second."""
    return f"{AUDIT_PREFIX}{now:011d}#{entry_id}"


def out_sk(entry_id: str) -> str:
    """Return the sort key of an outbox entry; `entry_id` is a ULID."""
    return OUT_PREFIX + entry_id


def topic_sk(topic: str) -> str:
    """Return the sort key of the item that lists a feed under a topic, by the topic's key."""
    return TOPIC_PREFIX + topic


def site_key(site_id: str, sk: str = SITE) -> dict[str, str]:
    """Return the key of one of a site's items."""
    return {"site_hash": site_id, "sk": sk}


def candidate_sk(url_hash: str) -> str:
    """Return the sort key of a site's candidate."""
    return CANDIDATE_PREFIX + url_hash


def job_key(job_id: str) -> dict[str, str]:
    """Return the key of a job, whose id is `site_id.ulid`."""
    site_id, _, ulid = job_id.partition(".")
    return site_key(site_id, JOB_PREFIX + ulid)


def tenant_key(tenant_id: str | None, sk: str) -> dict[str, str]:
    """Return the key of one of a tenant's items; None is the deployment's own user (rule T1).

    Raises InvalidInput (`tenant_id`) for an id that could be confused with that user's.
    """
    if tenant_id in ("", SELF):
        raise InvalidInput("tenant_id", "not a valid tenant id")
    return {"tenant_id": name_of(tenant_id), "sk": sk}


def subscription_sk(subscription_id: str) -> str:
    """Return the sort key of a subscription; its id is a ULID."""
    return SUB_PREFIX + subscription_id


def subscribed_url_sk(url_hash: str) -> str:
    """Return the sort key of a subscription's claim on its URL."""
    return f"SUBURL#{url_hash}"


def subscribed_feed_sk(feed_id: str) -> str:
    """Return the sort key of a subscription's claim on its feed."""
    return f"SUBFEED#{feed_id}"


def import_sk(import_id: str) -> str:
    """Return the sort key of an import; its id is a ULID."""
    return f"{IMPORT_PREFIX}{import_id}"


def import_part_key(tenant_id: str | None, import_id: str, sk: str) -> dict[str, str]:
    """Return the key of a counter, a chunk or a result of an import. They have a partition of their own."""
    tenant = tenant_key(tenant_id, "")["tenant_id"]
    return {"tenant_id": f"{tenant}#{IMPORT_PREFIX}{import_id}", "sk": sk}
