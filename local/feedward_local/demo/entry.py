"""The entry of a function in the demo deployment: its own handler, with a fetch in the made-up internet.

Only the demo adds it to the function's archive.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path

from feedward import bootstrap
from feedward.config import from_environment
from feedward_local.demo.deployment import INTERNET_VARIABLE
from feedward_local.demo.network import Network


def demo_services() -> bootstrap.Services:
    """The function's services as deployed, except for the resolver and the network of its fetch."""
    network = Network.read(Path(os.environ[INTERNET_VARIABLE]))
    return bootstrap.build(
        from_environment(), resolver=network, address_policy=network.allows, tls_context=network.tls_context
    )


# `app` is the function's own module, next to this package in the archive.
handler = importlib.import_module("app").make_handler(demo_services)
