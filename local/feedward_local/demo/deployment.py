"""The differences of the demo's deployment: an entry around each handler, added to its archive, and a file it reads.

Neither `sam build` nor `make run` includes any of it.
"""

from __future__ import annotations

from pathlib import Path

DEMO_HANDLER = "feedward_local.demo.entry.handler"
DEMO_SOURCES = {"feedward_local/demo": Path(__file__).parent, "seed": Path(__file__).with_name("seed")}
INTERNET_FILE = "internet.json"
PHASE_FILE = "phase"
INTERNET_VARIABLE = "FEEDWARD_DEMO_INTERNET"
