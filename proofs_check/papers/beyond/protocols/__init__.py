"""Protocols beyond the papers, and the accuracy of all of them."""
