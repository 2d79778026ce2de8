"""Protocols of the shuffle model with exact laws: randomizer, analyzer, and what the analyzer receives."""
