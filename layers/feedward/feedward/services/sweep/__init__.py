"""What comes around by the clock: due feeds, overdue ones, and whatever is still owed."""
