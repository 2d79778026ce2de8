"""FMT21: Feldman, McMillan, Talwar, "Hiding Among the Clones"."""
