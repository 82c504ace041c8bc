"""The HTTP API at its edge: requests to plain values, results and errors to JSON. Data in, data out."""
