"""Certified enclosures of arbitrary precision (python-flint arb), for any n."""
