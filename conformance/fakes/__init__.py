"""Deliberately bad harnesses: each must be judged rightly, or the judge is wrong."""
