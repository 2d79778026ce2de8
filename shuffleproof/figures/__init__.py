"""`shuffleproof figure NAME`: the figures and tables of the papers, recomputed; one module for a family of them."""
