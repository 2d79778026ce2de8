"""Which questions the vectors ask, and the certified answers to them."""
