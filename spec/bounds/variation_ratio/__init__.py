"""Exact: the optimal pair of the variation-ratio parameters p, beta and q, and these parameters of randomizers."""
