"""Certified: shuffled k-ary randomized response: pairs, closed forms, all datasets (FMT21, section 4; BBGN19)."""
