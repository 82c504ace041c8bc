"""`python -m feedward`: the command line."""

from __future__ import annotations

import sys

from feedward_local.command import main

if __name__ == "__main__":
    sys.exit(main())
