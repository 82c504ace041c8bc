"""Ports of webhooks: their records, deliveries, secrets, and the guarded POST."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from feedward.ports.sweeping import DueStore
    from feedward.webhooks.attempt import Attempt, Posted
    from feedward.webhooks.circuit_breaker import Standing
    from feedward.webhooks.delivery import Delivery, DueJob, Job, WebhookTask
    from feedward.webhooks.webhook import Webhook

    TaskSweepStore = DueStore[WebhookTask]


@dataclass(frozen=True, slots=True, kw_only=True)
class Follower:
    """A tenant's subscription to a feed."""

    tenant_id: str | None
    subscription_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowerPage:
    """A page of the subscriptions to a feed. `after` is the cursor of the next page, None on the last one."""

    followers: tuple[Follower, ...]
    after: Mapping[str, Any] | None


class WebhookStore(Bounded, Protocol):
    """Webhooks of tenants. `tenant_id` None is the deployment's own user. Each call is of one tenant (rule I8).

    All raise Throttled, Conflict or StoreUnavailable.
    """

    def create(self, new: Webhook, *, at_most: int) -> Webhook | None:
        """Write a new webhook, or return the one with the same URL and events. None if the tenant has `at_most`."""
        ...

    def get(self, tenant_id: str | None, webhook_id: str) -> Webhook | None:
        """Return the tenant's webhook, or None."""
        ...

    def of_tenant(self, tenant_id: str | None) -> Sequence[Webhook]:
        """Return the tenant's webhooks, oldest first."""
        ...

    def save(self, before: Webhook, after: Webhook) -> bool:
        """Write the webhook under the rev of `before`. Returns False if it has changed or was deleted.

        Raises WrongState if another webhook has the new URL and events.
        """
        ...

    def save_standing(self, webhook: Webhook, after: Standing) -> Standing | None:
        """Write the standing under its rev. Returns None if it was written, else the stored one.

        A webhook that was deleted counts as written.
        """
        ...

    def delete(self, webhook: Webhook) -> bool:
        """Delete it. Returns False if it has changed or was deleted. Its deliveries end at their next task."""
        ...

    def with_webhooks(self, tenants: Collection[str | None]) -> frozenset[str | None]:
        """Return the tenants among these that have webhooks."""
        ...

    def followers(self, feed_id: str, *, after: Mapping[str, Any] | None, limit: int) -> FollowerPage:
        """Return a page of the subscriptions to a feed, of all tenants. The index may lag."""
        ...

    def tags(self, followers: Collection[Follower]) -> Mapping[Follower, tuple[str, ...]]:
        """Return the tags of subscriptions. Deleted ones are left out."""
        ...


class DeliveryStore(Bounded, Protocol):
    """Deliveries, the jobs of webhooks, and the log. All raise Throttled, Conflict or StoreUnavailable."""

    def open(self, body: bytes, deliveries: Sequence[Delivery]) -> Sequence[Delivery]:
        """Write a body and one tenant's deliveries of it. Returns the deliveries that no worker has started.

        The call is idempotent: an existing delivery is unchanged.
        """
        ...

    def get(self, tenant_id: str | None, webhook_id: str, delivery_id: str) -> Delivery | None:
        """Return a delivery, or None."""
        ...

    def task(self, task: WebhookTask) -> tuple[Webhook | None, Delivery | None]:
        """Return the webhook and the delivery of a task, or None for a missing one, with one read."""
        ...

    def body(self, delivery: Delivery) -> bytes | None:
        """Return the body of a delivery, None if it has expired."""
        ...

    def claim(self, delivery: Delivery, *, holder: str, until: int) -> Delivery | None:
        """Take a pending delivery for one attempt, which counts from now on. Returns None if it has changed."""
        ...

    def save(self, after: Delivery) -> Delivery | None:
        """Write a delivery under its rev. Returns it with the new rev, or None if it has changed."""
        ...

    def wait(self, delivery: Delivery, *, until: int) -> None:
        """Add a pending delivery to the queue of its receiver; it is due at `until` at the latest."""
        ...

    def waiting(self, tenant_id: str | None, webhook_id: str, *, limit: int) -> Sequence[Delivery]:
        """Return the oldest queued deliveries of a receiver. Ended deliveries are removed from the queue."""
        ...

    def waits_no_more(self, delivery: Delivery) -> None:
        """Remove a delivery from the queue of its receiver."""
        ...

    def page(
        self, tenant_id: str | None, webhook_id: str, *, after: str | None, limit: int, newest_first: bool = False
    ) -> Sequence[Delivery]:
        """Return deliveries of a webhook from this id on (inclusive): oldest first, or newest first."""
        ...

    def put_job(
        self, tenant_id: str | None, webhook_id: str, job: Job, *, due_at: int, members: Mapping[str, Any]
    ) -> DueJob:
        """Write a job of a webhook, replacing an existing one."""
        ...

    def claim_job(self, task: WebhookTask, *, until: int) -> DueJob | None:
        """Take the job of a task. Returns None if it has changed or is done."""
        ...

    def end_job(self, job: DueJob) -> None:
        """Delete a job that was claimed, unless it has changed since."""
        ...

    def log(self, delivery: Delivery, attempt: Attempt) -> None:
        """Write an entry of the log."""
        ...

    def logged(self, tenant_id: str | None, webhook_id: str, *, has_arrived: bool, limit: int) -> Sequence[Attempt]:
        """Return the last attempts that were delivered, or those that failed, newest first."""
        ...


class SecretBox(Bounded, Protocol):
    """Encrypts the secrets of webhooks (rule K5). `place` binds a secret to its webhook."""

    def seal(self, secret: bytes, *, place: Mapping[str, str]) -> str:
        """Return the encrypted secret as a text. Raises Throttled or StoreUnavailable."""
        ...

    def open(self, sealed: str, *, place: Mapping[str, str]) -> bytes:
        """Return the secret. Raises FeedwardError if it was sealed for another place or by another key."""
        ...


class Poster(Protocol):
    """The guarded POST. Faults of a receiver, a name or a URL are outcomes, never exceptions."""

    def post(self, url: str, *, body: bytes, headers: Mapping[str, str], within_s: float) -> Posted:
        """POST a body, follow no redirect, and return the answer within the time limit."""
        ...
