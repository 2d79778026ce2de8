"""`shuffleproof calibrate PROTOCOL`: one module for every protocol."""
