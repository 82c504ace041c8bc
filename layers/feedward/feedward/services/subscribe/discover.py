"""Discovers the feed of a new subscription: the worker of SubscriptionCreated events (rules R14, B3).

The handler is idempotent: the same event may arrive twice, late, after the subscription was deleted, or at two workers
at the same time (rule I6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from feedward.access.ownership import scope_of
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.discovery.registered_feeds import shown_to
from feedward.discovery.site import StoredSite
from feedward.events.envelope import SubscriptionCreated, read_subscription_created
from feedward.services.discover.discover_site import look_in_full
from feedward.services.discover.reuse import REUSE_S, fresh_answer
from feedward.services.discover.site_run import Directory, DiscoveryAnswer, Request, SiteRun
from feedward.services.subscribe.settle import Settled, fail, make_ready, told_of
from feedward.services.subscribe.subscribe import SubscriptionPorts
from feedward.subscriptions.subscription import Subscription, failure_of
from feedward.urls.secrets import is_masked

# The part of the deadline that is reserved for settling the subscription after its discovery.
SETTLE_S: Final = 1.0
# The minimum time for a search of the site, after the URL of an imported subscription led to no feed.
SITE_S: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A subscription that the tenant of its event does not own: another one has it, or it or the tenant was deleted."""

    subscription_id: str


class SubscribedDirectory(Directory, SubscriptionPorts, Protocol):
    """The ports of a discovery and of subscriptions."""


def discover_for_subscription(
    detail: Mapping[str, Any], *, directory: SubscribedDirectory, deadline: Deadline = NO_DEADLINE
) -> DiscoveryAnswer | Foreign | None:
    """Discover the URL of a SubscriptionCreated event with a job's limits, register its feed, and settle it.

    `detail` is the event's detail. A discovery of the last 15 minutes is reused. A tenant's URL with a token is private
    to the tenant, and so are its results (rule T1). Returns None for a subscription that is settled already. If the
    deployment's own user does not own the subscription, the feed is still discovered, since other senders may publish
    the event too, but not if its URL is masked: only the subscription had the full URL. If a named tenant does not own
    it, or was deleted, returns Foreign and does nothing (rule TN5). Raises InvalidInput (`url`) for a detail without
    URL, and the errors of the stores.
    """
    created = read_subscription_created(detail)
    if created.tenant_id and directory.keys.within(deadline).is_gone(created.tenant_id):
        return Foreign(subscription_id=created.subscription_id or "")
    subscription = _stored(created, directory)
    if subscription is not None and not subscription.is_pending:
        told_of(subscription, directory, deadline)
        return None
    if subscription is None and created.tenant_id and created.subscription_id:
        return Foreign(subscription_id=created.subscription_id)
    if subscription is None and is_masked(created.url):
        return None
    answer = _discovered(created, subscription, directory, deadline.before(SETTLE_S))
    if subscription is None:
        return answer
    answer = _from_site(answer, subscription, directory, deadline.before(SETTLE_S))
    settled = _settle(subscription, answer, directory, deadline)
    return replace(answer, undelivered=(*answer.undelivered, *settled.undelivered)) if settled else answer


def _stored(created: SubscriptionCreated, directory: SubscribedDirectory) -> Subscription | None:
    if created.subscription_id is None:
        return None
    return directory.subscriptions.get(created.tenant_id, created.subscription_id)


def _discovered(
    created: SubscriptionCreated,
    subscription: Subscription | None,
    directory: SubscribedDirectory,
    deadline: Deadline,
) -> DiscoveryAnswer:
    url = subscription.url if subscription else created.url
    run = SiteRun(_request(created.tenant_id, url), directory, deadline)
    before = run.known() if run.site_id else None
    answer = _from_records(run, before, subscription) or look_in_full(run, before)
    answer = _shown(created.tenant_id, answer)
    own = _own_feed(answer, created.tenant_id)
    if own is None:
        return answer
    run = SiteRun(own, directory, deadline)
    return look_in_full(run, run.known())


def _shown(tenant_id: str | None, answer: DiscoveryAnswer) -> DiscoveryAnswer:
    """Return the answer without feeds of a shared site that are private to another tenant."""
    return replace(answer, site=shown_to(tenant_id, answer.site))


def _request(tenant_id: str | None, url: str) -> Request:
    return Request(url=url, scope=scope_of(tenant_id, url), tenant_id=tenant_id)


def _own_feed(answer: DiscoveryAnswer, tenant_id: str | None) -> Request | None:
    """The request for a shared site's feed that has a token: it is private to the tenant, not the site's (rule TN7)."""
    found = answer.site
    if found.site.scope or found.site.feed_id is not None:
        return None
    chosen = next((each for each in found.candidates if each.is_canonical), None)
    url = chosen.final_url or chosen.candidate_url if chosen else ""
    return _request(tenant_id, url) if scope_of(tenant_id, url) else None


def _from_site(
    answer: DiscoveryAnswer, subscription: Subscription, directory: SubscribedDirectory, deadline: Deadline
) -> DiscoveryAnswer:
    """The result for the subscription's site, if its URL led to no feed and the site leads to one (rule IM11)."""
    site_url = subscription.site_url
    if site_url is None or answer.site.site.feed_id is not None or failure_of(answer.site.site) is None:
        return answer
    run = SiteRun(_request(subscription.tenant_id, site_url), directory, deadline)
    if not run.site_id or run.site_id == answer.site.site.site_id or deadline.left_s() <= SITE_S:
        return answer
    before = run.known()
    fresh = fresh_answer(run, before, since=run.started_at - REUSE_S)
    second = _shown(subscription.tenant_id, fresh or look_in_full(run, before))
    return second if second.site.site.feed_id is not None else answer


def _from_records(run: SiteRun, before: StoredSite | None, subscription: Subscription | None) -> DiscoveryAnswer | None:
    """The stored result if it is fresh enough. A repeated request after a failure needs a new discovery."""
    since = run.started_at - REUSE_S
    if before is not None and before.site.feed_id is None and subscription is not None:
        is_asked_again = subscription.asked_at != subscription.created_at
        since = max(since, subscription.asked_at) if is_asked_again else since
    return fresh_answer(run, before, since=since)


def _settle(
    subscription: Subscription, answer: DiscoveryAnswer, directory: SubscribedDirectory, deadline: Deadline
) -> Settled | None:
    """Make the subscription ready with the site's feed (perhaps from an earlier discovery), or failed without one.

    If a feed was found but could not be registered, the subscription stays pending and the reconcile pass retries it.
    """
    site = answer.site.site
    tenant_id, subscription_id = subscription.tenant_id, subscription.subscription_id
    if site.feed_id is not None:
        return make_ready(tenant_id, subscription_id, site.feed_id, ports=directory, deadline=deadline)
    why = failure_of(site)
    if why is None:
        return None
    return fail(tenant_id, subscription_id, *why, ports=directory, deadline=deadline)
