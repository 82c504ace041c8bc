"""Converts a site and its candidates to items of SitesTable and back (rule R13). Texts are cut to their limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from feedward.adapters.dynamodb.store.codec import Item, text
from feedward.adapters.dynamodb.store.keys import candidate_sk, site_key
from feedward.discovery.candidate import DiscoveredFrom, Kind, Source, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.discovery.site import Site, SiteCandidate, StatusChange
from feedward.model import FeedFormat, Outcome

_TITLE_CHARS: Final = 1000
_DESCRIPTION_CHARS: Final = 1000
_DETAIL_CHARS: Final = 500
_WORD_CHARS: Final = 200
_URL_CHARS: Final = 2048
_ALIASES: Final = 10
_HUBS: Final = 10
_ITEMS: Final = 3

_TEXTS: Final = {
    "title": _TITLE_CHARS,
    "description": _DESCRIPTION_CHARS,
    "detail": _DETAIL_CHARS,
    "why": _WORD_CHARS,
    "language": _WORD_CHARS,
    "generator": _WORD_CHARS,
}
_LISTS: Final = {"aliases": _ALIASES, "hub_urls": _HUBS}
# Values of foreign documents that cannot be cut: a URL is stored whole or not at all.
_STRANGERS_URLS: Final = ("favicon", "site_url")
_SITE_FIELDS: Final = tuple(field.name for field in fields(Site) if field.name != "site_id")
_CANDIDATE_FIELDS: Final = tuple(field.name for field in fields(SiteCandidate))
_MAY_BE_NONE: Final = frozenset({"final_url"})  # and has no default
_ENUMS: Final[Mapping[str, Any]] = {
    "outcome": DiscoveryOutcome,
    "intent": Kind,
    "kind": Kind,
    "page_outcome": Outcome,
    "last_error": Outcome,
    "source": Source,
    "validation_status": ValidationStatus,
    "format": FeedFormat,
}


def site_item(site: Site, rev: int) -> Item:
    """Return SITE at this `rev`."""
    return {**site_key(site.site_id), **_stored(site, _SITE_FIELDS), "rev": rev}


def read_site(item: Item) -> Site:
    """Return the site of a SITE item."""
    return Site(site_id=item["site_hash"], **_members(item, _SITE_FIELDS))


def candidate_item(site_id: str, candidate: SiteCandidate, rev: int) -> Item:
    """Return CANDIDATE. `rev` is the rev of the site after the same transaction."""
    item = {**site_key(site_id, candidate_sk(candidate.url_hash)), **_stored(candidate, _CANDIDATE_FIELDS)}
    item["items"] = [_sample(each) for each in candidate.items[:_ITEMS]]
    item["history"] = [
        {"at": change.at, "status": change.status.value, "outcome": change.outcome.value if change.outcome else None}
        for change in candidate.history
    ]
    return {**item, "site_rev": rev}


def read_candidate(item: Item) -> SiteCandidate:
    """Return the candidate of a CANDIDATE item."""
    members = _members(item, _CANDIDATE_FIELDS)
    members["discovered_from"] = tuple(map(DiscoveredFrom, members["discovered_from"]))
    members["history"] = tuple(map(_read_change, members["history"]))
    return SiteCandidate(**members)


def _stored(record: Site | SiteCandidate, names: Sequence[str]) -> Item:
    return {name: _stored_value(name, getattr(record, name)) for name in names}


def _stored_value(name: str, value: Any) -> Any:
    if name in _TEXTS:
        return None if value is None else value[: _TEXTS[name]]
    if name in _STRANGERS_URLS:
        return value if value and len(value) <= _URL_CHARS else None
    if isinstance(value, tuple):
        return list(value[: _LISTS.get(name)])
    return dict(value) if isinstance(value, Mapping) else value


def _sample(item: Mapping[str, Any]) -> Item:
    """Return an entry of a sample. Its texts are foreign: a title may be cut, an id or a URL may not."""
    return {name: _sample_value(name, value) for name, value in item.items()}


def _sample_value(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if name == "title":
        return text(value, _TITLE_CHARS)
    return value if len(value) <= _URL_CHARS else None


def _members(item: Item, names: Sequence[str]) -> dict[str, Any]:
    """Return the members of the record. A missing attribute means None or the record's default."""
    return {name: _read_value(name, item.get(name)) for name in names if name in item or name in _MAY_BE_NONE}


def _read_value(name: str, value: Any) -> Any:
    if name in _ENUMS:
        return _ENUMS[name](value)
    return tuple(value) if isinstance(value, list) else value


def _read_change(change: Mapping[str, Any]) -> StatusChange:
    outcome = change.get("outcome")
    return StatusChange(
        at=change["at"], status=ValidationStatus(change["status"]), outcome=Outcome(outcome) if outcome else None
    )
