"""Charges tenants for work before it is done, and tells what is left."""
