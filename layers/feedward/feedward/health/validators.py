"""Conditional GET: the validators to send, the trust in a 304, and the validators to store (rule H7). Pure.

FEED holds these fields under their names, but `validators_url` only if it is not the feed's own URL. The due index
projects all of them. Some servers always answer 304, so one plain GET is sent after 7 days of 304.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from feedward.health.feed_health import FeedHealth
from feedward.health.outcomes import OUTCOMES
from feedward.model import FetchResult, Outcome, Validators

PLAIN_GET_AFTER_S = 7 * 24 * 3600
# Every feed that is checked regularly is checked within this time.
LATELY_S = 2 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredValidators:
    """The validators of a feed, verbatim, with the URL that sent them (rule H7).

    `validators_at` is when the last complete 200 came, in epoch seconds. `validators_untrusted` means that the server
    answered 304 for a changed document: validators are neither stored nor sent any more.
    """

    etag: str | None = None
    last_modified: str | None = None
    validators_url: str | None = None
    validators_at: int | None = None
    validators_untrusted: bool = False

    def names_same(self, other: StoredValidators) -> bool:
        """Tell whether both name the same document of the same URL, at any time."""
        return replace(self, validators_at=None) == replace(other, validators_at=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The validators of a check's request. `is_probe` marks a plain GET that tests whether earlier 304s were true."""

    validators: Validators | None = None
    is_probe: bool = False


def question(stored: StoredValidators, now: int, *, may_probe: bool = True) -> Question:
    """Return the validators to send: the stored ones, or none once after 7 days of 304 only.

    `may_probe`: a feed in its slot is probed on one day of the week only, since no check stores the time of the last
    plain GET (rule S9).
    """
    if stored.validators_untrusted or not (stored.etag or stored.last_modified):
        return Question()
    if may_probe and stored.validators_at is not None and now - stored.validators_at >= PLAIN_GET_AFTER_S:
        return Question(is_probe=True)
    return Question(validators=Validators(etag=stored.etag, last_modified=stored.last_modified))


def can_believe_304(stored: StoredValidators, answered_url: str) -> bool:
    """Return whether a 304 is about the known document: `answered_url` must be the URL that sent the validators.

    Another URL compares them with another document; then a GET without validators has to follow.
    """
    return stored.validators_url is None or stored.validators_url == answered_url


def caught_lying(asked: Question, stored: StoredValidators, health: FeedHealth, *, changed: bool, now: int) -> bool:
    """Return whether a probe found a changed body although the server answered 304 at the last check.

    `stored` and `health` are from before the probe. After a failure or a pause the body may have changed since. For a
    feed in its slot the time of the last check is unknown: it was one class ago, and a success.
    """
    said_at = health.last_success_at
    if not (asked.is_probe and changed) or stored.validators_at is None:
        return False
    if said_at is None:
        return health.consecutive_failures == 0 and health.last_attempt_at is None
    return health.consecutive_failures == 0 and said_at > stored.validators_at and now - said_at <= LATELY_S


def after_check(
    stored: StoredValidators, fetch: FetchResult, outcome: Outcome, now: int, *, untrusted: bool = False
) -> StoredValidators:
    """Return the validators to store after a check that ended in `outcome`: the response's own on a complete 200 only.

    They replace the stored ones even if the items are the same. Any other response leaves the stored ones unchanged.
    `untrusted` means that the server answered 304 for a changed document.
    """
    if fetch.status != 200 or not OUTCOMES[outcome].stores_validators:
        return _dated(stored, now)
    if untrusted or stored.validators_untrusted:
        return StoredValidators(validators_untrusted=True)
    sent = fetch.validators
    if not (sent.etag or sent.last_modified):
        return StoredValidators()
    return StoredValidators(
        etag=sent.etag, last_modified=sent.last_modified, validators_url=fetch.url, validators_at=now
    )


def _dated(stored: StoredValidators, now: int) -> StoredValidators:
    """Return the validators with a time: without one they would never be tested."""
    undated = stored.validators_at is None and (stored.etag or stored.last_modified)
    return replace(stored, validators_at=now) if undated else stored
