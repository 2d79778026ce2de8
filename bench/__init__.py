"""Benchmarks: comparisons with others and with what was aimed for, in one run, as ratios. `make bench`."""
