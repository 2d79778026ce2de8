"""What an answer is worth against the truth, and against the other answers of the same harness."""
