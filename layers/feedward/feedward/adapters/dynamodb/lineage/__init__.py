"""LineageTable: runs, items, heads and edges."""
