"""Routes of webhooks: their requests, and webhooks and attempts in responses."""
