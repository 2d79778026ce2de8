"""`shuffleproof run PROTOCOL`: a protocol on real data, one module for every protocol."""
