"""Log lines and metrics of discoveries and revivals (rule X11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from feedward.observability.log import count_by, logger, observe
from feedward.urls.secrets import redact_url

if TYPE_CHECKING:
    from feedward.discovery.site import Job, StoredSite
    from feedward.health.revival import Revival


class Answered(Protocol):
    """The result of one discovery, as it is logged (services.site_run.DiscoveryAnswer)."""

    @property
    def site(self) -> StoredSite | None: ...
    @property
    def job(self) -> Job | None: ...
    @property
    def reused(self) -> bool: ...
    @property
    def undelivered(self) -> Sequence[str]: ...


def record_discovery(answer: Answered | None) -> None:
    """Log one line for a site, and emit the metrics of the discovery that found it.

    Discovered: by outcome, `continued` if a job continues. RequestsPerDiscovery, DiscoveryRounds: its cost, unless
    the result was reused.
    """
    if answer is None or answer.site is None:
        return
    for code in answer.undelivered:
        logger().warning("left undelivered", code=code, site_id=answer.site.site.site_id)
    site, job = answer.site.site, answer.job
    _log_discovery(answer.site, job.job_id if job else None, reused=answer.reused)
    goes_on = job is not None and job.goes_on
    count_by("outcome", "Discovered", ["continued" if goes_on else site.outcome.value])
    if not answer.reused:
        observe("RequestsPerDiscovery", [site.requests])
        observe("DiscoveryRounds", [site.rounds])


def _log_discovery(found: StoredSite, job_id: str | None, *, reused: bool) -> None:
    site = found.site
    logger().info(
        "discovered",
        input=redact_url(site.input_url),
        url=redact_url(site.canonical_feed_url) if site.canonical_feed_url else None,
        outcome=site.outcome.value,
        complete=site.complete,
        candidates=len(found.candidates),
        requests=site.requests,
        rounds=site.rounds,
        reused=reused,
        site_id=site.site_id,
        feed_id=site.feed_id,
        job_id=job_id,
    )


def record_foreign(kind: str, its_id: str) -> None:
    """Log a message whose tenant does not own its subject, and emit ForeignMessages, by kind."""
    logger().warning("not of this tenant", kind=kind, id=its_id)
    count_by("kind", "ForeignMessages", [kind])


def record_revival(revival: Revival) -> None:
    """Log one line for a revival, and emit the metric FeedsRevived, by outcome."""
    for code in revival.undelivered:
        logger().warning("left undelivered", code=code, feed_id=revival.feed_id)
    logger().info(
        "revived",
        feed_id=revival.feed_id,
        outcome=revival.outcome.value,
        before=redact_url(revival.before) if revival.before else None,
        url=redact_url(revival.url) if revival.url else None,
        requests=revival.requests,
    )
    count_by("outcome", "FeedsRevived", [revival.outcome.value])
