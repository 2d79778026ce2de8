"""What every package may import: the number grammar, errors, relations, bounds, method records, names of randomizers."""
