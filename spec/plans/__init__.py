"""What a plan means: for a few users, the exact distribution of everything that is seen. Certificates of plans are held against it."""
