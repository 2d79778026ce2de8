"""In float64, both sides sound: the random-swap bound: the special user's report is swapped with that of a random other user."""
