"""Exact samplers for whatever is released from real data.

Every draw starts from the operating system's entropy and has an exact distribution: no float decides an outcome.
"""
