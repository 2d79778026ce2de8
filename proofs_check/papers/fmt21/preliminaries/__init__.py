"""FMT21, sections 1 and 2: what is claimed, and the definitions."""
