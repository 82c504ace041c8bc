"""Collects pages: runs, fetches of frontier rows, items with lineage, and reprocessing under another version."""
