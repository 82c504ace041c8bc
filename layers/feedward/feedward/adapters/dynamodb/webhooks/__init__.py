"""WebhooksTable: webhooks, deliveries and their log."""
