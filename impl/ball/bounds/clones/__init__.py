"""Certified: hiding among clones: all eps0-DP and (eps0, delta0)-DP randomizers (FMT21; FMT23)."""
