"""Decisions of a canonicalization: variants, self links, sameness, and the trace of each step. Pure."""
