"""What a new KEY_VERSION makes of the registry's rows: hashes under the new key, claimed for whom the old ones find.

Old hashes stay as aliases: whoever kept one still finds what it stood for. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from feedward.errors import InvalidInput

# url, scope -> its hash under the version that is moved to. Raises InvalidInput for what that version does not take.
HashOf = Callable[[str, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whom a hash finds: a feed or a frontier row, as it is stored now.

    `url_hash` is the hash that it says is its own; `rev` is the revision that was read. `scope`: the tenant of a
    private one, else empty.
    """

    owner_id: str
    url: str
    url_hash: str
    rev: int
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutdatedUrl:
    """A row of the registry whose hash is of another version's key, with whom it finds; None: nobody is left there."""

    url_hash: str
    url: str
    key_version: str
    feed: Owner | None = None
    row: Owner | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A hash under the new key, for the feed or the row (or both) that the old one finds."""

    url_hash: str
    url: str
    feed_id: str | None = None
    row_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RekeyPlan:
    """What is to be done about one outdated row. `feed_hash` and `row_hash`: the new hash of an owner whose own it was.

    Without claims there is nothing to find it for, or its URL is none any more (`unusable`): it is only marked as done.
    """

    claims: tuple[Claim, ...] = ()
    feed_hash: str | None = None
    row_hash: str | None = None
    unusable: bool = False

    def outcome(self, duplicates: Sequence[Duplicate]) -> Rekeyed:
        """Return what became of the row, whose claims met these duplicates."""
        if self.unusable:
            return Rekeyed.UNUSABLE
        if duplicates:
            return Rekeyed.DUPLICATE
        return Rekeyed.CLAIMED if self.claims else Rekeyed.UNOWNED


class Rekeyed(StrEnum):
    """What became of an outdated row: its owners are found by the new hash, or another is; it is no URL any more; or
    nobody was found by it.
    """

    CLAIMED = "claimed"
    DUPLICATE = "duplicate"
    UNUSABLE = "unusable"
    UNOWNED = "unowned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """Two owners of one kind that were different URLs under the old key and are one under the new one.

    `kind` is `feed` or `row`; `owner_id` is the one that came too late, `other_id` the one that has the hash.
    """

    url_hash: str
    kind: str
    owner_id: str
    other_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RekeyResult:
    """What came of one outdated row, with the duplicates that were met."""

    rekeyed: Rekeyed
    duplicates: tuple[Duplicate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rekeying:
    """How far the move to a version of the key is.

    `place` is the hash of the row to go on after, None at the beginning; `rev` and `holder` are of its lease, which
    ends at `lease_until` (epoch seconds). The counts are of rows, each once, by what became of them (Rekeyed).
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
        """Tell whether the job may be taken: it is not done, and nobody else's lease holds."""
        return not self.done and (self.lease_until <= now or self.holder == holder)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryPage:
    """A stretch of the registry: its outdated rows, and the place to go on after; None: it was the last one."""

    urls: Sequence[OutdatedUrl] = field(default_factory=tuple)
    place: str | None = None


def plan_rekey(url: OutdatedUrl, hash_of: HashOf) -> RekeyPlan:
    """Decide what is claimed for an outdated row's owners, and which of them have a new hash of their own.

    An owner whose own hash this is may be spelled otherwise than the row, and the new key may tell the spellings apart:
    then both are claimed.
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
    """One claim for each hash, for the feed and the row together."""
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
