"""What contract tests share: stores on MiniStack and in memory, with their feeds, rows, items and queues."""
