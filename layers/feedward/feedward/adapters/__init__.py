"""Adapters of feedward.ports: the only code that uses AWS or sockets."""
