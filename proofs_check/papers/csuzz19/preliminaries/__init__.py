"""CSUZZ19, sections 2 and 3: results, comparisons, definitions."""
