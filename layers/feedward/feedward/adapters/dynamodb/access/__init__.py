"""KeysTable and the tenants' own records in TenantsTable: who may call."""
