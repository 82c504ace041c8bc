"""Decisions about a page to collect: its frontier row, its next state after a fetch, robots.txt. Pure."""
