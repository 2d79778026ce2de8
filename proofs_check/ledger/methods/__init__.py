"""Ways of checking a statement: symbolic, exhaustive, interval, sampled."""
