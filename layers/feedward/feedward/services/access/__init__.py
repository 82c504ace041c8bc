"""Who may call: keys and tenants."""
