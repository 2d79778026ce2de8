"""How the expected answers are computed: from the exact specification, and from certified balls where the answer is irrational."""
