"""KeysTable, and the tenants' own records in TenantsTable."""
