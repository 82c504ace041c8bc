"""Decisions of a canonicalization: variants, self links, sameness, and the account of each step. Pure."""
