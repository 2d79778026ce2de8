"""The optimal dominating pair of p, beta and q: its theorem, its proof lemma by lemma, and how engines sum it."""
