"""In float64, both sides sound: lower bounds: one neighbouring pair of datasets on which nobody is more private than this."""
