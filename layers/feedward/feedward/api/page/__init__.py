"""The page that people look at, and the stats that it shows."""
