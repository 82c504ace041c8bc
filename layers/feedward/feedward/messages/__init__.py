"""What arrives by queue: messages decoded, and batches answered record by record."""
