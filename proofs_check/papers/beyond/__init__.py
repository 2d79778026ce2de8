"""One theorem beyond the four papers: the optimal dominating pair for shuffled randomizers, its proof lemma by lemma, and its witnesses."""
