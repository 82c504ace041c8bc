"""The conformance adapter: one function per op, from JSON to the library and back. It holds no logic.

The ops of each part are in a file of their own beside this one.
"""

from __future__ import annotations

import contextlib

with contextlib.suppress(ImportError):
    from ops_urls import *  # noqa: F403
with contextlib.suppress(ImportError):
    from ops_safety import *  # noqa: F403
with contextlib.suppress(ImportError):
    from ops_feeds import *  # noqa: F403
with contextlib.suppress(ImportError):
    from ops_fetch import *  # noqa: F403
with contextlib.suppress(ImportError):
    from ops_canonical import *  # noqa: F403
with contextlib.suppress(ImportError):
    from ops_discovery_platforms import *  # noqa: F403
with contextlib.suppress(ImportError):
    from ops_discovery_rsshub import *  # noqa: F403
with contextlib.suppress(ImportError):
    from ops_discovery import *  # noqa: F403
with contextlib.suppress(ImportError):
    from ops_discovery_pages import *  # noqa: F403
with contextlib.suppress(ImportError):
    from ops_health import *  # noqa: F403
with contextlib.suppress(ImportError):
    from ops_lineage import *  # noqa: F403
with contextlib.suppress(ImportError):
    from ops_frontier import *  # noqa: F403
