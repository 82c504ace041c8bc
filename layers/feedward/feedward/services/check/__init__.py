"""Checks of due feeds: one feed, or a batch of messages."""
