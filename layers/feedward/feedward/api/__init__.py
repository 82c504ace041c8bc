"""The HTTP API: gateway events, JSON requests and responses, problem documents and routes."""
