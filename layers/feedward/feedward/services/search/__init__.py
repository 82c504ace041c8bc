"""Search: indexes what changed, rebuilds and compacts the index, and answers searches."""
