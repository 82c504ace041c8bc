"""Subscribes tenants to URLs: stores a pending subscription, then publishes SubscriptionCreated (rules R14, B3).

If the process dies between the two, the pending mark remains and the reconcile pass publishes the event (rule I7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from feedward.access.caller import Caller
from feedward.deadline import Deadline
from feedward.errors import Conflict, InvalidInput, NotFound
from feedward.page_cursor import decode_cursor, encode_cursor, is_ulid, own_list, require_limit
from feedward.ports import Clock, EventBus, Subscriptions
from feedward.services.subscribe.subscription_events import ask_for_search
from feedward.subscriptions.labels import clean_tags, clean_title
from feedward.subscriptions.subscription import (
    Subscription,
    SubscriptionStatus,
    asked_again,
    labelled,
    new_subscription,
)
from feedward.ulid import new_ulid
from feedward.urls.key import url_hash
from feedward.urls.resolve import resolve_url
from feedward.urls.safety import MAX_URL_CHARS, refuse_url, refuse_userinfo

if TYPE_CHECKING:  # used in annotations only
    from feedward.ports.quotas import Charges

ANSWER_S: Final = 4.0
PAGE: Final = 50
PAGE_AT_MOST: Final = 200
_LIST: Final = "subscriptions"
_ROUNDS: Final = 20
# The subscription that a duplicate names may have become a duplicate itself when two feeds were merged.
_LINKS: Final = 10


class SubscriptionPorts(Protocol):
    """The ports of subscriptions. bootstrap.Services implements them; tests have their own."""

    @property
    def subscriptions(self) -> Subscriptions: ...
    @property
    def bus(self) -> EventBus: ...
    @property
    def charges(self) -> Charges: ...
    @property
    def clock(self) -> Clock: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscribed:
    """The subscription to a URL. `is_new` is true if this call requested its discovery, false if it existed before.

    `undelivered` holds the codes of errors that left an event to be delivered later.
    """

    subscription: Subscription
    is_new: bool
    undelivered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionPage:
    """A page of a tenant's subscriptions, oldest first. `cursor` is that of the next page, None on the last page."""

    subscriptions: tuple[Subscription, ...]
    cursor: str | None


def subscribe(
    caller: Caller,
    url: str,
    *,
    ports: SubscriptionPorts,
    title: str | None = None,
    tags: Sequence[str] = (),
    deadline: Deadline | None = None,
) -> Subscribed:
    """Subscribe the tenant to the feed of a URL (POST /v1/subscriptions).

    If the tenant has the URL in any spelling, that subscription is returned with the tags added, and with the title if
    it had none. A failed subscription, or one whose primary subscription was deleted, is requested again. Ends by the
    `deadline`, or in 4 s. Raises InvalidInput (`url`, `title`, `tags[3]`, `tenant_id`), QuotaExceeded for a new one,
    and the errors of the store.
    """
    new = _new(caller.tenant_id, url, title=title, tags=tags, now=ports.clock.now())
    deadline = deadline or Deadline.after(ANSWER_S, ports.clock.monotonic)
    for _ in range(_ROUNDS):
        stored = _opened(caller, new, ports, deadline)
        if stored.subscription_id == new.subscription_id:
            return _asked(stored, ports, deadline)
        answer = _of_old(stored, new, ports, deadline)
        if answer is not None:
            return answer
    raise Conflict("the subscription to this URL kept changing")


def find_subscription(caller: Caller, subscription_id: str, *, ports: SubscriptionPorts) -> Subscription:
    """Return the tenant's subscription (GET /v1/subscriptions/{id}) with its current feed, merges resolved.

    Raises NotFound, also for another tenant's subscription (rule I8), and the errors of the store.
    """
    found = _read(caller.tenant_id, subscription_id, ports)
    if found is None or first_of(found, ports) is None:
        raise NotFound("there is no subscription with this id")
    (shown,) = _with_live_feeds([found], ports)
    return shown


def list_subscriptions(
    caller: Caller, *, ports: SubscriptionPorts, cursor: str | None = None, limit: int = PAGE
) -> SubscriptionPage:
    """Return a page of the tenant's subscriptions (GET /v1/subscriptions): one for each feed, without duplicates.

    If the feeds of two subscriptions were merged a moment ago, the earlier one is listed, or both if they are on
    different pages. Raises InvalidInput (`cursor`, `limit`), and the errors of the store.
    """
    require_limit(limit, PAGE_AT_MOST)
    name = own_list(_LIST, caller.tenant_id)
    after = str(*decode_cursor(name, cursor, parts=(is_ulid,))) if cursor is not None else None
    found = ports.subscriptions.page(caller.tenant_id, after=after, limit=limit + 1)
    page = found[:limit]
    more = encode_cursor(name, page[-1].subscription_id) if len(found) > limit else None
    return SubscriptionPage(subscriptions=_one_for_each_feed(_with_live_feeds(page, ports)), cursor=more)


def unsubscribe(caller: Caller, subscription_id: str, *, ports: SubscriptionPorts) -> None:
    """Delete the tenant's subscription and its duplicates. The feed itself remains.

    Raises NotFound, also for another tenant's subscription or a deleted one, and the errors of the store.
    """
    for _ in range(_ROUNDS):
        found = _read(caller.tenant_id, subscription_id, ports)
        if found is None:
            raise NotFound("there is no subscription with this id")
        if ports.subscriptions.delete(found):
            if caller.key_id is not None:
                ports.charges.count(caller.tenant_id, "subscriptions", -1)
            return
    raise Conflict("the subscription kept changing")


def first_of(subscription: Subscription, ports: SubscriptionPorts) -> Subscription | None:
    """Return the primary subscription: this one, or the one that it duplicates; None if that was deleted."""
    first: Subscription | None = subscription
    for _ in range(_LINKS):
        if first is None or first.duplicate_of is None:
            return first
        first = ports.subscriptions.get(subscription.tenant_id, first.duplicate_of)
    return None


# --- subscribing --------------------------------------------------------------------------------------


def _new(tenant_id: str | None, url: str, *, title: str | None, tags: Sequence[str], now: int) -> Subscription:
    return new_subscription(
        new_ulid(now),
        tenant_id=tenant_id,
        url=url.strip(),
        url_hash=url_hash(_fetchable(url)),
        now=now,
        title=clean_title(title),
        tags=clean_tags(tags),
    )


def _opened(caller: Caller, new: Subscription, ports: SubscriptionPorts, deadline: Deadline) -> Subscription:
    """Write the subscription, or return the one that the tenant has for the URL. Only a new one is charged."""
    store = ports.subscriptions.within(deadline)
    if caller.key_id is None:
        return store.open(new)
    held = store.of_url(new)
    if held is not None:
        return held
    with ports.charges.charged(caller, "subscriptions", now_used=lambda: store.count(caller.tenant_id)):
        stored = store.open(new)
    if stored.subscription_id != new.subscription_id:  # another call was faster, and is charged for it
        ports.charges.count(caller.tenant_id, "subscriptions", -1)
    return stored


def _fetchable(url: str) -> str:
    """Return the URL to fetch. Raises InvalidInput (`url`) if it can never be fetched."""
    resolved = resolve_url(url) if len(url) <= 2 * MAX_URL_CHARS else None
    if resolved is None:
        raise InvalidInput("url", "this is not an http(s) URL")
    refusal = refuse_userinfo(url) or refuse_url(resolved)
    if refusal is not None:
        raise InvalidInput("url", refusal.detail)
    return resolved


def _of_old(old: Subscription, new: Subscription, ports: SubscriptionPorts, deadline: Deadline) -> Subscribed | None:
    """Handle a repeated request for a URL. Returns None if the old subscription changed meanwhile."""
    first = first_of(old, ports)
    if first is None or first.status is SubscriptionStatus.FAILED:
        # The event of the earlier discovery need not be delivered: the new event replaces it.
        again = asked_again(_called(old, new), url=new.url, now=new.created_at)
        saved = _saved(again, ports, deadline)
        return _asked(saved, ports, deadline) if saved else None
    called = _called(first, new)
    saved = first if called is first else _saved(called, ports, deadline)
    if saved is None:
        return None
    (shown,) = _with_live_feeds([saved if old.duplicate_of is None else old], ports)
    return Subscribed(subscription=shown, is_new=False)


def _called(old: Subscription, new: Subscription) -> Subscription:
    return labelled(old, title=new.title, tags=new.tags, now=new.created_at)


def _saved(after: Subscription, ports: SubscriptionPorts, deadline: Deadline) -> Subscription | None:
    is_saved = ports.subscriptions.within(deadline).save(after)
    return replace(after, rev=after.rev + 1) if is_saved else None


def _asked(subscription: Subscription, ports: SubscriptionPorts, deadline: Deadline) -> Subscribed:
    code = ask_for_search(subscription, bus=ports.bus, deadline=deadline)
    return Subscribed(subscription=subscription, is_new=True, undelivered=(code,) if code else ())


# --- reading ------------------------------------------------------------------------------------------


def _read(tenant_id: str | None, subscription_id: str, ports: SubscriptionPorts) -> Subscription | None:
    return ports.subscriptions.get(tenant_id, subscription_id) if is_ulid(subscription_id) else None


def _with_live_feeds(found: Sequence[Subscription], ports: SubscriptionPorts) -> list[Subscription]:
    """The subscriptions with their current feeds: a merged feed is replaced by the surviving one."""
    feed_ids = sorted({each.feed_id for each in found if each.feed_id})
    live = ports.subscriptions.live_feeds(feed_ids) if feed_ids else {}
    return [replace(each, feed_id=live.get(each.feed_id or "", each.feed_id)) for each in found]


def _one_for_each_feed(shown: Sequence[Subscription]) -> tuple[Subscription, ...]:
    """The first subscription of each feed, and all subscriptions without a feed."""
    first: dict[str, str] = {}
    for each in shown:
        if each.feed_id:
            first.setdefault(each.feed_id, each.subscription_id)
    return tuple(each for each in shown if not each.feed_id or first[each.feed_id] == each.subscription_id)
