"""float64 bounds, one file per family; the file names are those of spec.bounds."""
