"""The only code that knows AWS or sockets: each module implements ports of feedward.ports."""
