"""Asking a harness: the protocol, its processes, the journal of a run."""
