"""UrlsTable: the registry of which feed or frontier row owns a URL, and its re-keying."""
