"""The op of the fetch conformance cases: one guarded fetch and the kind of its document."""

from __future__ import annotations

import ssl
from functools import partial
from typing import Any

from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.resolver import Endpoint
from feedward.adapters.fetching.settings import FetchSettings
from feedward.feeds.read_feed import read_feed
from feedward.model import Validators
from feedward.urls.safety import UrlPolicy, is_public_address

__all__ = ["fetch_outcome"]


class Hosts:
    """All the DNS there is."""

    def __init__(self, hosts: dict[str, list[str]]) -> None:
        self.hosts = hosts

    def resolve(self, host: str, port: int, *, within_s: float) -> list[Endpoint]:
        return [Endpoint(address) for address in self.hosts.get(host, [])]


def fetch_outcome(url: str, options: dict[str, Any]) -> dict[str, Any]:
    fetcher = GuardedFetcher(
        FetchSettings(url_policy=UrlPolicy(ports=frozenset(options["allow_ports"])), **options["limits"]),
        resolver=Hosts(options["hosts"]),
        address_policy=lambda address: address in options["allow_addresses"] or is_public_address(address),
        tls_context=partial(ssl.create_default_context, cafile=options["ca_file"]),
    )
    validators = Validators(etag=options["etag"], last_modified=options["last_modified"])
    got = read_feed(fetcher.fetch(url, validators=validators))
    return {
        "outcome": got.outcome,
        "url": got.fetch.url,
        "status": got.fetch.status,
        "hops": got.fetch.requests,
    }
