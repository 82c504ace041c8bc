"""UrlsTable: which feed or row owns a URL, and moving it all to another version of the key."""
