"""The controlled sum of users whose data are fixed, in blocks of users with one loss type."""
