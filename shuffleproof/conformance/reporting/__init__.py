"""The report of a run, what failures have in common, and several reports side by side."""
