"""FrontierTable: the rows of the pages to collect."""
