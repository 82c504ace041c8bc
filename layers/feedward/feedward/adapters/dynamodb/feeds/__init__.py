"""FeedsTable: feeds with their health, audit log, outbox, relocations and merges."""
