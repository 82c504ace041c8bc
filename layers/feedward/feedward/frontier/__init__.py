"""Decisions about a page to collect: its row, what becomes of it after a fetch, robots.txt. Pure."""
