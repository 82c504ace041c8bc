"""FrontierTable: the rows of pages to collect."""
