"""Whoever subscribes to a URL has its feed found: the worker's side of SubscriptionCreated (rules R14, B3).

The same event may come again, late, after the subscription was deleted, or to two workers at once: the end is that of
one delivery (rule I6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Protocol

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.discovery.site import StoredSite
from feedward.events.envelope import SubscriptionCreated, read_subscription_created
from feedward.services.discover.reuse import REUSE_S, fresh_answer
from feedward.services.discover.site import look_in_full
from feedward.services.discover.site_run import Directory, DiscoveryAnswer, Request, SiteRun
from feedward.services.subscribe.settle import Settled, fail, make_ready, told_of
from feedward.services.subscribe.subscribe import SubscriptionPorts
from feedward.subscriptions.subscription import Subscription, failure_of
from feedward.urls.secrets import has_token

# Of the time that there is, for the subscription after its discovery.
SETTLE_S: Final = 1.0


class SubscribedDirectory(Directory, SubscriptionPorts, Protocol):
    """The directory and the subscriptions to it."""


def discover_for_subscription(
    detail: Mapping[str, Any], *, directory: SubscribedDirectory, deadline: Deadline = NO_DEADLINE
) -> DiscoveryAnswer | None:
    """Discover the URL of a SubscriptionCreated event with a job's limits, register its feed, and settle it.

    `detail` is the event's own. What was found in the last 15 minutes is taken as it is. A tenant's URL that holds a
    token is the tenant's own, and so is what it leads to (rule T1). A subscription that is over already is let be:
    None; one that feedward does not know has its feed found all the same, for others may send the event too. Raises
    InvalidInput (`url`) for a detail that names none, and what the stores raise.
    """
    created = read_subscription_created(detail)
    subscription = _stored(created, directory)
    if subscription is not None and not subscription.is_pending:
        told_of(subscription, directory, deadline)
        return None
    answer = _discovered(created, subscription, directory, deadline.before(SETTLE_S))
    if subscription is None:
        return answer
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
    scope = created.tenant_id if created.tenant_id and has_token(url) else ""
    run = SiteRun(Request(url=url, scope=scope), directory, deadline)
    before = run.known() if run.site_id else None
    return _from_records(run, before, subscription) or look_in_full(run, before)


def _from_records(run: SiteRun, before: StoredSite | None, subscription: Subscription | None) -> DiscoveryAnswer | None:
    """What is known, if it may be the answer. Who asks again for what failed wants it looked for again."""
    since = run.started_at - REUSE_S
    if before is not None and before.site.feed_id is None and subscription is not None:
        is_asked_again = subscription.asked_at != subscription.created_at
        since = max(since, subscription.asked_at) if is_asked_again else since
    return fresh_answer(run, before, since=since)


def _settle(
    subscription: Subscription, answer: DiscoveryAnswer, directory: SubscribedDirectory, deadline: Deadline
) -> Settled | None:
    """Ready with the site's feed, which may be known though the site cannot be reached now; failed without one.

    A feed that was found but could not be registered now leaves it pending: it is asked for again.
    """
    site = answer.site.site
    tenant_id, subscription_id = subscription.tenant_id, subscription.subscription_id
    if site.feed_id is not None:
        return make_ready(tenant_id, subscription_id, site.feed_id, ports=directory, deadline=deadline)
    why = failure_of(site)
    if why is None:
        return None
    return fail(tenant_id, subscription_id, *why, ports=directory, deadline=deadline)
