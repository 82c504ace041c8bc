"""What was collected: normalization versions, immutable items, their edges, and the runs they are of. Pure."""
