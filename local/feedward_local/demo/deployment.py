"""How the demo's deployment differs: an entry around each handler, added to its archive, and a file that it reads.

Nothing of it is in what `sam build` makes, nor in what `make run` deploys.
"""

from __future__ import annotations

from pathlib import Path

DEMO_HANDLER = "feedward_local.demo.entry.handler"
DEMO_SOURCES = {"feedward_local/demo": Path(__file__).parent, "seed": Path(__file__).with_name("seed")}
INTERNET_FILE = "internet.json"
PHASE_FILE = "phase"
INTERNET_VARIABLE = "FEEDWARD_DEMO_INTERNET"
