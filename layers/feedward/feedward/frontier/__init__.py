"""The frontier: URLs to be fetched, what became of each, and when it is asked again. Pure."""
