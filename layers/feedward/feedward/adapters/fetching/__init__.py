"""The guarded fetch: every request to the web goes through it."""
