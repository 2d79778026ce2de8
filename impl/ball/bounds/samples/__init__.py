"""Certified: numbers of users that are enough, or not enough, for a task."""
