"""Serves MiniStack with uvicorn. With hypercorn, its own server, a call takes up to twice the processor time.

MiniStack's interpreter runs this file, in tests, or the one that also saves (ministack_entry).
"""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import hypercorn.asyncio
import uvicorn

KEPT_ALIVE_S = 75
EXPRESSIONS = 4096
ENDING_S = 3
"""A request that is still waiting then, such as a long poll of a queue, gets no answer."""


def serve_by_uvicorn() -> None:
    """Make MiniStack's `main` serve its application with uvicorn, on its usual address."""
    vars(hypercorn.asyncio)["serve"] = _serve


def parse_expressions_once(dynamodb: ModuleType) -> None:
    """Have MiniStack's DynamoDB keep the tokens of each expression: a stack has some hundred, and sends them often."""
    for name in ("_tokenize", "_condition_syntax_error"):
        vars(dynamodb)[name] = lru_cache(maxsize=EXPRESSIONS)(vars(dynamodb)[name])


async def _serve(app: Any, config: Any) -> None:
    host, _, port = config.bind[0].rpartition(":")
    settings = uvicorn.Config(
        app,
        host=host,
        port=int(port),
        http="httptools",
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

    parse_expressions_once(dynamodb)
    serve_by_uvicorn()
    app.main()
