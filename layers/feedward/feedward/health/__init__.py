"""Decisions about a feed that is checked: its state, its next check, validators, moves and revival. Pure."""
