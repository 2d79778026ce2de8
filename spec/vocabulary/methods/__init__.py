"""The bounds that can be asked for by name, family by family: what each one's number is of, and what follows from it."""

from __future__ import annotations

from typing import Literal

MethodName = Literal[
    "clones",
    "stronger-clones",
    "clones-closed-form",
    "binary-rr-pair",
    "approximate-clones",
    "stronger-approximate-clones",
    "approximate-clones-closed-form",
    "k-rr-clones",
    "k-rr-closed-form",
    "k-rr-pair",
    "k-rr-exhaustive",
    "k-rr-blanket",
    "k-rr-blanket-hoeffding",
    "k-rr-blanket-bennett",
    "zero-sum",
    "histogram",
    "bit-sum",
    "real-sum-untagged",
    "real-sum-tagged",
    "coordinate-sums",
    "asymmetric-coordinate-sums",
    "laplace-sum",
    "binomial-sum",
    "discrete-gaussian-sum",
    "split-and-mix",
    "fake-users",
    "optimal-pair",
    "randomizer-pair",
    "randomizer-lower",
    "blanket",
    "another-place",
    "first-arrival",
    "adaptive-pair",
    "first-arrival-approximate",
    "homogeneous",
    "gaussian-blanket",
    "gaussian-place",
    "gaussian-homogeneous",
    "leaking-response",
]
"""The names that can be asked for, for type checkers."""
