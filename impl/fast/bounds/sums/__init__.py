"""In float64, both sides sound: sums of noisy bits, of one item or of each coordinate (CSUZZ19)."""
