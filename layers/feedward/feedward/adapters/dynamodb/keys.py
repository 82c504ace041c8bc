"""Names of tables, and the sort keys of what lies under a feed or a site (design section 3)."""

from __future__ import annotations

from dataclasses import dataclass

FEED = "FEED"
META = "META"
OUT_PREFIX = "OUT#"
SITE = "SITE"
CANDIDATE_PREFIX = "CANDIDATE#"
JOB_PREFIX = "JOB#"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNames:
    """What the tables of design section 3 are called in this deployment. `sites` is empty where nobody asks for one."""

    urls: str
    feeds: str
    state: str
    sites: str = ""


def url_key(url_hash: str) -> dict[str, str]:
    """Return the key of a URL's row in the registry."""
    return {"url_hash": url_hash}


def feed_key(feed_id: str, sk: str = FEED) -> dict[str, str]:
    """Return the key of one of a feed's items."""
    return {"feed_id": feed_id, "sk": sk}


def audit_sk(now: int, entry_id: str) -> str:
    """Return the sort key of an audit row: by time, and two of one second stay apart."""
    return f"AUDIT#{now:011d}#{entry_id}"


def out_sk(entry_id: str) -> str:
    """Return the sort key of something owed; `entry_id` is a ULID."""
    return OUT_PREFIX + entry_id


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
