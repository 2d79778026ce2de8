"""CSUZZ19, section 4: the bit sum."""
