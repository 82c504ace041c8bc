"""Files of feed addresses that people import: OPML, seed files, CSV and lists, read as they are found. Pure."""
