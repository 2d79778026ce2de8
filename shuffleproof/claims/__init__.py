"""Numbers that somebody claims, judged: a table of them, or a formula over a region; and the formulas that are shipped."""
