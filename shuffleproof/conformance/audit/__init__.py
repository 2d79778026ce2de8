"""Auditing a mechanism: by its exact law, where that is known, or by samples, where it is not."""
