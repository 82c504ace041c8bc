"""Charges tenants for work before it is done, and reports the remaining quotas."""
