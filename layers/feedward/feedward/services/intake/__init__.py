"""Imports: a file becomes entries, the entries subscriptions or feeds, step by step (rules IM1 to IM10)."""
