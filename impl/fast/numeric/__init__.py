"""Float64 arithmetic with counted roundings: sums, roots, thresholds, results."""
