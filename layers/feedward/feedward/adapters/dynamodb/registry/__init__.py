"""UrlsTable: the registry of the feed or frontier row that owns a URL, and its re-keying."""
