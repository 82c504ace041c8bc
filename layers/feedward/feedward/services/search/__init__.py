"""Search: indexes changes, rebuilds and compacts the index, and answers searches."""
