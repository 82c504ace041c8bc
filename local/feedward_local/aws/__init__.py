"""AWS on this machine: the MiniStack process, its saved state, and what is corrected or made cheap in it."""
