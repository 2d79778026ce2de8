"""Bounds and the pairs of distributions they come from, one file per family."""
