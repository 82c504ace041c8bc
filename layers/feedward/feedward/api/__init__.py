"""HTTP in and out: events of the HTTP API, JSON requests and responses, problem documents and the tables of routes."""
