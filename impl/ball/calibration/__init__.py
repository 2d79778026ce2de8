"""The least noise that is certified to meet a target, and the most that is certified not to."""
