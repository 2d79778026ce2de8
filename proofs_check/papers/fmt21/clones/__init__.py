"""FMT21, section 3: hiding among clones."""
