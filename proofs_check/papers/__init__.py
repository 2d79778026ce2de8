"""The statements, paper by paper."""

TITLES = {
    "CSUZZ19": "Cheu, Smith, Ullman, Zeber, Zhilyaev: Distributed Differential Privacy via Shuffling",
    "BC20": "Balcer, Cheu: Separating Local & Shuffled Differential Privacy via Histograms",
    "FMT21": "Feldman, McMillan, Talwar: Hiding Among the Clones",
    "LSZKG22": "Liu, Suresh, Zhu, Kairouz, Gruteser: Histogram Estimation under User-level Privacy with Heterogeneous Data",
    "BBGN19": "Balle, Bell, Gascón, Nissim: The Privacy Blanket of the Shuffle Model (recalled)",
    "FMT23": "Feldman, McMillan, Talwar: Stronger Privacy Amplification by Shuffling for Rényi and Approximate DP (recalled)",
    "WPLWLYWY24": "Wang, Peng, Li, Wen, Li, Yu, Wang, Yang: Privacy Amplification via Shuffling: Unified, Simplified, Tightened (recalled)",
    "BEYOND": "What is not in the papers: optimal pairs, blankets, lower bounds",
}
"""The papers' titles, in the order in which pages have them: one that is not here is refused with its statements."""
