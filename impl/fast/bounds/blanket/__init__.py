"""In float64, both sides sound: the privacy blanket (BBGN19): a randomizer by its whole distribution; homogeneous datasets from below."""
