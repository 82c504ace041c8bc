"""Webhooks: receivers of tenants, the events they get, signatures, retries and the breaker. Pure."""
