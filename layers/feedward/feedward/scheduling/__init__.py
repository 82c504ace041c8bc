"""Due times of work and its distribution: backoff, jitter, shards, grouping by host, cursors. Pure."""
