"""Decides which URLs may receive webhooks, before any DNS lookup (rule K13). Pure.

The guarded fetch checks the addresses at each delivery.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Final

from feedward.errors import InvalidInput
from feedward.model import Outcome
from feedward.urls.parse import Url
from feedward.urls.safety import Refusal, UrlPolicy, admit_url, host_of, request_url

POLICY: Final = UrlPolicy(ports=frozenset({443, 8443}))
_HASH_DIGITS: Final = 8


def admit_receiver(text: str, own_hosts: Collection[str] = ()) -> Url | Refusal:
    """Return the parsed URL if `text` may receive webhooks, else the refusal. `own_hosts` are this deployment's."""
    admitted = admit_url(text, POLICY)
    if isinstance(admitted, Refusal):
        return admitted
    if admitted.protocol != "https:":
        return _blocked("a receiver needs https")
    own = {each.lower().rstrip(".") for each in own_hosts if each}
    return _blocked("this host is the service itself") if host_of(admitted) in own else admitted


def receiver_url(text: str, own_hosts: Collection[str] = ()) -> str:
    """Return the URL to store, without fragment. Raises InvalidInput (`url`)."""
    admitted = admit_receiver(text, own_hosts)
    if isinstance(admitted, Refusal):
        raise InvalidInput("url", admitted.detail.removeprefix("URL refused: "))
    return request_url(admitted)


def shown_hash(url: str) -> str:
    """Return what logs show of a URL besides its host: 8 digits of its hash, since it may be a secret (rule K15)."""
    return hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]


def _blocked(detail: str) -> Refusal:
    return Refusal(outcome=Outcome.BLOCKED, detail=f"URL refused: {detail}")
