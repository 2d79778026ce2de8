"""Records of `verify` and `conform` turned into pages and text."""
