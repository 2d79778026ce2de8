"""Local randomizers with exact distributions."""
