"""Stores over DynamoDB: one folder per table, and `store`, which they share."""
