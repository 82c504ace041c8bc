"""Re-keys the registry for a new KEY_VERSION: claims the hashes of the new key for the owners of the old ones. Pure.

Old hashes remain as aliases, so stored hashes still resolve.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from feedward.errors import InvalidInput

# (url, scope) -> its hash under the new version. Raises InvalidInput for a URL that the new version does not accept.
HashOf = Callable[[str, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The owner of a hash: a feed or a frontier row, as stored.

    `url_hash` is the owner's own hash, `rev` the revision that was read. `scope` is the tenant of a private owner, else
    empty.
    """

    owner_id: str
    url: str
    url_hash: str
    rev: int
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutdatedUrl:
    """A row of the registry whose hash is of another version's key, with its owners; None for a deleted owner."""

    url_hash: str
    url: str
    key_version: str
    feed: Owner | None = None
    row: Owner | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A hash under the new key, for the feed or the row (or both) that own the old hash."""

    url_hash: str
    url: str
    feed_id: str | None = None
    row_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RekeyPlan:
    """The writes for one outdated row. `feed_hash` and `row_hash` are new hashes of owners whose own hash this was.

    Without claims the row is only marked as done: it has no owner, or its URL is no longer valid (`unusable`).
    """

    claims: tuple[Claim, ...] = ()
    feed_hash: str | None = None
    row_hash: str | None = None
    unusable: bool = False

    def outcome(self, duplicates: Sequence[Duplicate]) -> Rekeyed:
        """Return the outcome for the row, given the duplicates of its claims."""
        if self.unusable:
            return Rekeyed.UNUSABLE
        if duplicates:
            return Rekeyed.DUPLICATE
        return Rekeyed.CLAIMED if self.claims else Rekeyed.UNOWNED


class Rekeyed(StrEnum):
    """The outcome for an outdated row: its owners or another owner have the new hash; its URL is invalid; or it has no
    owner.
    """

    CLAIMED = "claimed"
    DUPLICATE = "duplicate"
    UNUSABLE = "unusable"
    UNOWNED = "unowned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """Two owners of one kind whose URLs have different old keys but the same new key.

    `kind` is `feed` or `row`; `owner_id` is the later owner, `other_id` the one that has the hash.
    """

    url_hash: str
    kind: str
    owner_id: str
    other_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RekeyResult:
    """The outcome for one outdated row, with its duplicates."""

    rekeyed: Rekeyed
    duplicates: tuple[Duplicate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rekeying:
    """The progress of re-keying to a version of the key.

    `place` is the cursor, the hash of the last row done, None at the start. `rev` and `holder` belong to the lease,
    which ends at `lease_until` (epoch seconds). The counts are of rows by outcome (Rekeyed).
    """

    version: str
    place: str | None = None
    done: bool = False
    claimed: int = 0
    duplicate: int = 0
    unusable: int = 0
    unowned: int = 0
    rev: int = 0
    holder: str = ""
    lease_until: int = 0

    def is_free_for(self, holder: str, now: int) -> bool:
        """Return whether the holder may take the job: it is not done, and no other holder's lease is valid."""
        return not self.done and (self.lease_until <= now or self.holder == holder)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryPage:
    """A page of the registry: its outdated rows, and the cursor of the next page, None on the last one."""

    urls: Sequence[OutdatedUrl] = field(default_factory=tuple)
    place: str | None = None


def plan_rekey(url: OutdatedUrl, hash_of: HashOf) -> RekeyPlan:
    """Decide which hashes to claim for an outdated row's owners, and which owners get a new own hash.

    If this is an owner's own hash, its URL may be spelled differently from the row's. If the new key distinguishes the
    spellings, both hashes are claimed.
    """
    try:
        return _plan(url, hash_of)
    except InvalidInput:
        return RekeyPlan(unusable=True)


def _plan(url: OutdatedUrl, hash_of: HashOf) -> RekeyPlan:
    claims: list[Claim] = []
    own: dict[str, str | None] = {"feed": None, "row": None}
    for kind, owner in (("feed", url.feed), ("row", url.row)):
        if owner is None:
            continue
        spellings = [url.url]
        if owner.url_hash == url.url_hash:
            own[kind] = hash_of(owner.url, owner.scope)
            spellings.append(owner.url)
        claims += [_claim(hash_of(each, owner.scope), each, kind, owner) for each in spellings]
    return RekeyPlan(claims=_joined(claims), feed_hash=own["feed"], row_hash=own["row"])


def _claim(url_hash: str, url: str, kind: str, owner: Owner) -> Claim:
    return Claim(url_hash=url_hash, url=url, **{f"{kind}_id": owner.owner_id})


def _joined(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return one claim for each hash, for the feed and the row together."""
    joined: dict[str, Claim] = {}
    for claim in claims:
        other = joined.setdefault(claim.url_hash, claim)
        joined[claim.url_hash] = Claim(
            url_hash=claim.url_hash,
            url=other.url,
            feed_id=other.feed_id or claim.feed_id,
            row_id=other.row_id or claim.row_id,
        )
    return tuple(joined.values())
