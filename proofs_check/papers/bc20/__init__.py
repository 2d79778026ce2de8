"""BC20: Balcer, Cheu, "Separating Local & Shuffled Differential Privacy via Histograms"."""
