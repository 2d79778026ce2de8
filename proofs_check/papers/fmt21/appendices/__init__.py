"""FMT21, appendices A to G."""
