"""Exact distributions by polynomial arithmetic: the same numbers as the specification's dictionaries of rationals, for many more users."""
