"""The page function: `/` and the files under `/web/<version>/`. It holds no data, calls no service and is public."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import feedward.cold_start
from feedward.api.event import Answer, Event
from feedward.api.page_files import PageFiles, page_routes
from feedward.api.router import Api
from feedward.observability.log import logged

HERE = Path(__file__).parent


@functools.cache
def files() -> PageFiles:
    """Return this function's files, read once: those of the page, and the starter directory that it offers."""
    folders = (HERE / "web", HERE / "seed")
    return PageFiles({path.name: path.read_bytes() for folder in folders for path in folder.iterdir()})


def make_handler(build_services: Callable[[], Any]) -> Callable[[Event, Any], Answer]:
    """Return a Lambda handler. None of its routes needs the services, so they are never built."""
    return logged(Api(page_routes(files), build_services).answer)


handler = make_handler(dict)
feedward.cold_start.finish()
