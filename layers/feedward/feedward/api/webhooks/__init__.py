"""Routes of webhooks: requests in, a webhook and its attempts out."""
