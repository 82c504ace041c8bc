"""The commands of `feedward`, one file each, and what they share: parsers, input, progress, tables."""
