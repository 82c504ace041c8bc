"""The network of the made-up internet for a guarded fetch: a resolver, an address policy and a certificate authority.

The fetch gets all three in code. A name that is not in the sites file does not exist here, so no request leaves this
machine.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from feedward.adapters.fetching.resolver import DnsFailure, Endpoint

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The address of the made-up hosts. `closed_port` refuses connections, for hosts without that service."""

    http_hosts: frozenset[str]
    https_hosts: frozenset[str]
    http_port: int
    https_port: int
    closed_port: int
    authority_pem: str

    def resolve(self, host: str, port: int, *, within_s: float) -> Sequence[Endpoint]:  # noqa: ARG002
        """Answer as a Resolver. Raises DnsFailure for names that are not made up."""
        if host not in self.http_hosts | self.https_hosts:
            raise DnsFailure("there is no such host in the made-up internet")
        if port == 443 and host in self.https_hosts:
            return [Endpoint(LOOPBACK, self.https_port)]
        if port == 80 and host in self.http_hosts:
            return [Endpoint(LOOPBACK, self.http_port)]
        return [Endpoint(LOOPBACK, self.closed_port)]

    def allows(self, address: str) -> bool:
        """The address policy: the loopback address that the made-up hosts have, and no other."""
        return address == LOOPBACK

    def tls_context(self) -> ssl.SSLContext:
        """A context that trusts only the made-up hosts' authority."""
        return ssl.create_default_context(cadata=self.authority_pem)

    def write(self, path: Path) -> None:
        """Write it to a file for the functions of the demo deployment."""
        content = {
            name: sorted(value) if isinstance(value, frozenset) else value for name, value in asdict(self).items()
        }
        path.write_text(json.dumps(content))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the file of `write`."""
        content = json.loads(path.read_text())
        content.update({name: frozenset(content[name]) for name in ("http_hosts", "https_hosts")})
        return cls(**content)
