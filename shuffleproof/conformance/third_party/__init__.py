"""Harnesses for third-party packages, one folder each, run in a pinned environment of its own."""
