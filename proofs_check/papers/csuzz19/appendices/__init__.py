"""CSUZZ19, appendices A to E."""
