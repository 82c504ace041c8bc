"""Access control: keys and tenants."""
