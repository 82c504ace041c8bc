"""The search index: SQLite files, and the bucket that keeps them."""
