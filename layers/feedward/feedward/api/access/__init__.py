"""What is done with keys and tenants at the API."""
