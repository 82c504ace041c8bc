"""The built function with a resolver that knows one made-up host, on loopback, which only code can pass in."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence

from feedward import bootstrap
from feedward.adapters.fetching.resolver import DnsFailure, Endpoint
from feedward.config import from_environment

HOST = os.environ["MADE_UP_HOST"]
PORT = int(os.environ["MADE_UP_PORT"])


class OneHost:
    """A resolver to which there is one host, with or without www."""

    def resolve(self, host: str, port: int, *, within_s: float) -> Sequence[Endpoint]:
        if host.removeprefix("www.") != HOST or port != 80:
            raise DnsFailure(f"{host} is nowhere")
        return [Endpoint("127.0.0.1", PORT)]


# `app` is the function's own module, which is on the path as well.
handler = importlib.import_module("app").make_handler(
    lambda: bootstrap.build(from_environment(), resolver=OneHost(), address_policy=lambda address: True)
)
