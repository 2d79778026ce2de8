"""The shuffle model of differential privacy, specified, certified and checked."""
