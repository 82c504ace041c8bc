"""What people read of feeds, and do to them."""
