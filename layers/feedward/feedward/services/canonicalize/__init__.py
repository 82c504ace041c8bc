"""The one clean URL of a feed, proven by fetching: one URL, a batch, and what is registered of it."""
