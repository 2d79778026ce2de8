"""The random-swap bound: the special user's report is swapped with a random other user's."""
