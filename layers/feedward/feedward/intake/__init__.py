"""Imported files of feed addresses: OPML, seed files, CSV and lists, including malformed ones. Pure."""
