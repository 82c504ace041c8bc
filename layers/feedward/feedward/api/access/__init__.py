"""Keys, tenants and quotas at the API."""
