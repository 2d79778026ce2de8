"""`verify`: the ledger, engines against each other, and our own answers through the conformance suite."""
