"""Indexes of the directory: the SQLite file, its changes and its compaction."""
