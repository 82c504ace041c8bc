"""TenantsTable: the subscriptions and imports of tenants."""
