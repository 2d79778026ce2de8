"""FMT21, section 4: k-ary randomized response."""
