"""Theorems checked by Coq's kernel: the sources, from the definition of differential privacy to numbers, and what builds and reads them."""
