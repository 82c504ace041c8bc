"""What a tenant follows: from pending to ready or failed, and what others hear of it."""
