"""What is done with keys, tenants and quotas at the API."""
