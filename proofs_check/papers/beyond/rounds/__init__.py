"""Composition, filters, random participation."""
