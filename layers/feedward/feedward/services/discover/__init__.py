"""Discovery: finds the feeds of any URL. The stages of the search, its shared fetches, and the stored sites."""
