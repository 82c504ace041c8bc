"""A webhook: its URL, its event types, and its status (rules K5, K8, K9, K12, K21). Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from feedward.webhooks.circuit_breaker import DisabledBecause, Standing

WEBHOOKS_AT_MOST: Final = 20
"""The most webhooks of a tenant."""
OLD_SECRET_S: Final = 24 * 3600
"""After a rotation the old secret signs for this long."""


class WebhookStatus(StrEnum):
    """`untested`: no test event has arrived yet. `live`: events are sent. `disabled`: they are kept, but not sent."""

    UNTESTED = "untested"
    LIVE = "live"
    DISABLED = "disabled"


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedSecrets:
    """The encrypted secrets: the current one, and the previous one with the time until which it signs."""

    current: str
    old: str | None = None
    old_until: int | None = None

    def signing(self, now: int) -> tuple[str, ...]:
        """Return the secrets that sign now: at most two."""
        is_old_good = self.old is not None and self.old_until is not None and now < self.old_until
        return (self.current, self.old) if is_old_good and self.old is not None else (self.current,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """A webhook of a tenant. Times are epoch seconds. `rev` grows with each write of its owner.

    `tags` restrict feed events to feeds that the tenant follows under one of them; without tags, all followed feeds.
    """

    tenant_id: str | None
    webhook_id: str
    url: str
    events: tuple[str, ...]
    secrets: SealedSecrets
    created_at: int
    updated_at: int
    tags: tuple[str, ...] = ()
    status: WebhookStatus = WebhookStatus.UNTESTED
    disabled_because: DisabledBecause | None = None
    disabled_at: int | None = None
    standing: Standing = field(default_factory=Standing)
    rev: int = 1

    @property
    def claim(self) -> str:
        """The key that is unique in a tenant: this URL for these events."""
        return claim_of(self.url, self.events)

    def is_switched_off_since(self, at: int) -> bool:
        """Return whether its owner disabled it at or after `at`: an earlier test event does not enable it (rule K9)."""
        is_owners = self.disabled_because is DisabledBecause.OWNER
        return is_owners and self.disabled_at is not None and self.disabled_at >= at

    def time_of_test(self, now: int) -> int:
        """Return the time of a test event that is requested at `now`: after a switch-off in the same second."""
        return max(now, self.disabled_at + 1) if self.disabled_at is not None else now

    def wants(self, event_type: str, tags: Collection[str] | None) -> bool:
        """Return whether it gets an event; `tags` are those of the tenant's subscription, None without a feed."""
        if event_type not in self.events:
            return False
        return not self.tags or tags is None or not set(self.tags).isdisjoint(tags)


def claim_of(url: str, events: Collection[str]) -> str:
    """Return the hash of a URL and events."""
    return hashlib.sha256("\n".join((url, *sorted(events))).encode("utf-8", "surrogatepass")).hexdigest()


def changed(
    before: Webhook,
    now: int,
    *,
    url: str | None = None,
    events: tuple[str, ...] | None = None,
    tags: tuple[str, ...] | None = None,
) -> Webhook:
    """Return the webhook with other settings. A new URL must be tested again (rule K12)."""
    after = replace(
        before,
        url=before.url if url is None else url,
        events=before.events if events is None else events,
        tags=before.tags if tags is None else tags,
        updated_at=now,
    )
    if after.url == before.url:
        return after
    return replace(after, status=WebhookStatus.UNTESTED, disabled_because=None, disabled_at=None, standing=Standing())


def rotated(before: Webhook, sealed: str, now: int) -> Webhook:
    """Return the webhook with a new secret. The previous one signs for another day; older ones end."""
    secrets = SealedSecrets(current=sealed, old=before.secrets.current, old_until=now + OLD_SECRET_S)
    return replace(before, secrets=secrets, updated_at=now)


def tested(before: Webhook, now: int) -> Webhook:
    """Return the webhook after a test event has arrived: it is live, and its failures are reset (rule K9)."""
    return replace(
        before,
        status=WebhookStatus.LIVE,
        disabled_because=None,
        disabled_at=None,
        updated_at=now,
        standing=Standing(last_success_at=now),
    )


def disabled(before: Webhook, because: DisabledBecause, now: int) -> Webhook:
    """Return the webhook disabled: nothing is sent until a test event arrives."""
    return replace(before, status=WebhookStatus.DISABLED, disabled_because=because, disabled_at=now, updated_at=now)
