"""What to ask a feed's server with, whether its 304 can be believed, and what to keep of its answer (rule H7). Pure.

FEED holds these fields under their names, but `validators_url` only where it is not the feed's own URL; the due index
projects all of them. Some servers answer 304 for ever: after 7 days of it one plain GET tells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from feedward.health.outcomes import OUTCOMES
from feedward.health.record import FeedHealth
from feedward.model import FetchResult, Outcome, Validators

PLAIN_GET_AFTER_S = 7 * 24 * 3600
# A feed that is checked at all is checked within this time: what the server said then, it said at the last check.
LATELY_S = 2 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredValidators:
    """The validators of a feed, verbatim, with the URL that sent them (rule H7).

    `validators_at` is when the last complete 200 came, in epoch seconds. `validators_untrusted`: the server said that
    nothing changed while something did; nothing is kept or sent any more.
    """

    etag: str | None = None
    last_modified: str | None = None
    validators_url: str | None = None
    validators_at: int | None = None
    validators_untrusted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What to send with a check. `is_probe`: a plain GET although there are validators, to see whether 304 was true."""

    validators: Validators | None = None
    is_probe: bool = False


def question(stored: StoredValidators, now: int) -> Question:
    """Return what to ask with: the stored validators, or nothing once in 7 days of nothing but 304."""
    if stored.validators_untrusted or not (stored.etag or stored.last_modified):
        return Question()
    if stored.validators_at is not None and now - stored.validators_at >= PLAIN_GET_AFTER_S:
        return Question(is_probe=True)
    return Question(validators=Validators(etag=stored.etag, last_modified=stored.last_modified))


def can_believe_304(stored: StoredValidators, answered_url: str) -> bool:
    """Tell whether a 304 from `answered_url` is about the document that is known: the URL that sent the validators.

    One from elsewhere compares them to another document; then a GET without validators has to follow.
    """
    return stored.validators_url is None or stored.validators_url == answered_url


def caught_lying(asked: Question, stored: StoredValidators, health: FeedHealth, *, changed: bool, now: int) -> bool:
    """Tell whether a probe found another body though the server said at the last check that there is none.

    `stored` and `health` are from before the probe. After a failure or a pause the body may well have changed.
    """
    said_at = health.last_success_at
    if not (asked.is_probe and changed) or said_at is None or stored.validators_at is None:
        return False
    return health.consecutive_failures == 0 and said_at > stored.validators_at and now - said_at <= LATELY_S


def after_check(
    stored: StoredValidators, fetch: FetchResult, outcome: Outcome, now: int, *, untrusted: bool = False
) -> StoredValidators:
    """Return what to keep after a check that ended in `outcome`: the answer's own validators on a complete 200 only.

    They belong to the answer, so that they replace the old ones though the items be the same. Any other answer leaves
    the old ones as they are. `untrusted` says that the server was caught lying.
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
    """Validators that were stored without their time get one, else they would never be doubted."""
    undated = stored.validators_at is None and (stored.etag or stored.last_modified)
    return replace(stored, validators_at=now) if undated else stored
