"""One due feed, or a batch of them: fetched, decided, written, told."""
