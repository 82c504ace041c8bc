"""The page, looked at in a real browser, on one demo stack."""
