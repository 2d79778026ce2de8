"""Exact: lower bounds: one neighbouring pair of datasets on which nobody is more private than this."""
