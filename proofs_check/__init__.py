"""The ledger: one record for every numbered statement of the papers, its checks, and the mutants they reject."""
