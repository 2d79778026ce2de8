"""The arguments by which exact profiles of CSUZZ19's protocols are computed."""
