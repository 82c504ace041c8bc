"""The page in a real browser, on one demo stack."""
