"""Files of exported feeds: OPML, seed files and CSV, line by line. Pure."""
