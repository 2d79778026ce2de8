"""CSUZZ19, section 6: what one-message protocols and the local model cannot do."""
