"""TenantsTable: the subscriptions of tenants."""
