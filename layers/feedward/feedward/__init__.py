"""feedward: one clean URL per feed, proven by fetching, and a directory of feeds kept true."""

__version__ = "0.1.0"
