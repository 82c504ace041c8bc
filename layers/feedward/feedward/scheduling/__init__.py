"""When work is due and how it is spread: backoff, jitter, shards, grouping by host, cursors. Pure."""
