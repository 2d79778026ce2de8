"""The statements, paper by paper."""
