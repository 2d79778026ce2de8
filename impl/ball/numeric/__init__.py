"""Ball arithmetic that every certified bound stands on: precision, windows, tails, roots, results."""
