"""Finds the canonical URL of a feed by fetching: for one URL or a batch, and registers the feed."""
