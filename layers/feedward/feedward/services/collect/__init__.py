"""From a frontier row to an item: runs, fetches, items with lineage, and making them again under another version."""
