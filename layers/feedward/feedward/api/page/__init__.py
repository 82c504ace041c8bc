"""The web page, and the stats that it shows."""
