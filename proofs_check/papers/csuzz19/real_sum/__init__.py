"""CSUZZ19, section 5: the real sum."""
