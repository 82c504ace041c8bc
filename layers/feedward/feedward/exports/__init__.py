"""Files of feeds that people take along: OPML, seed files and CSV, line by line. Pure."""
