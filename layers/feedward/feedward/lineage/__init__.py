"""Decisions about collected items: content hash, version, supersedes edges. Pure."""
