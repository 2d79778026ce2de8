"""Auditing a mechanism: by its exact distribution, where that is known, or by samples, where it is not."""
