"""Parts that all tables share: client, names, item codec, transactions, errors and retries."""
