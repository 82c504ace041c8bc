"""Webhooks: receivers of tenants, their events, signatures, retries and the circuit breaker. Pure."""
