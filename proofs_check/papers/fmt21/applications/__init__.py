"""FMT21, sections 5 and 6: frequencies, stochastic gradient descent, composition, numbers."""
