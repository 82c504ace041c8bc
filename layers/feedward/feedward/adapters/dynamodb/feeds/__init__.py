"""FeedsTable: feeds with their health, history, outbox, relocations and merges."""
