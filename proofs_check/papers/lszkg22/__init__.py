"""LSZKG22: Liu, Suresh, Zhu, Kairouz, Gruteser, "Histogram Estimation under User-level Privacy with Heterogeneous Data"."""
