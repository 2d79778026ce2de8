"""The largest sum of independent losses of users whose data are fixed, along a line, for many users."""
