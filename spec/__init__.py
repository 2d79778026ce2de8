"""The truth: exact rationals and mpmath, read beside the papers. Never fast, never float."""
