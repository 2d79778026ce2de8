"""Test vectors, the harness protocol, the runner and the judge: how other implementations are measured."""
