"""The stores, a folder for each table, and the client that they share."""
