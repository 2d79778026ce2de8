"""Protocols of the shuffle model with exact distributions: randomizer, analyzer, and what the analyzer receives."""
