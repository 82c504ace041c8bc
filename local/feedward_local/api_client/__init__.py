"""Answers for the command line: of a running API, of a stack directly, or computed on this machine."""
