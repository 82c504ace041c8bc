"""Serves MiniStack with uvicorn. With hypercorn, its own server, a call takes up to twice the processor time.

MiniStack's interpreter runs this file, in tests, or the one that also saves (ministack_entry).
"""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from pathlib import Path
from typing import Any

import hypercorn.asyncio
import uvicorn

sys.path.append(str(Path(__file__).parents[2]))

from feedward_local.aws.ministack_queries import make_queries_cheap

KEPT_ALIVE_S = 75
ENDING_S = 3
"""A request that is still waiting then, such as a long poll of a queue, gets no answer."""


def serve_by_uvicorn(protocol: type[asyncio.Protocol] | str = "httptools") -> None:
    """Make MiniStack's `main` serve its application with uvicorn, on its usual address. `protocol` reads requests."""
    vars(hypercorn.asyncio)["serve"] = partial(_serve, protocol)


async def _serve(protocol: type[asyncio.Protocol] | str, app: Any, config: Any) -> None:
    host, _, port = config.bind[0].rpartition(":")
    settings = uvicorn.Config(
        app,
        host=host,
        port=int(port),
        http=protocol,
        ws="none",
        proxy_headers=False,
        log_config=None,
        access_log=False,
        date_header=False,  # MiniStack sets its own
        server_header=False,
        timeout_keep_alive=KEPT_ALIVE_S,
        timeout_graceful_shutdown=ENDING_S,
    )
    await uvicorn.Server(settings).serve()


if __name__ == "__main__":
    from ministack import app
    from ministack.services import dynamodb

    make_queries_cheap(dynamodb)
    serve_by_uvicorn()
    app.main()
