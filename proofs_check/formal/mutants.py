"""Formal proofs made false in one place each: Coq must refuse every one, in the module where the falsehood bites."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shuffleproof.proofs_check.formal.build import FormalError, modules


@dataclass(frozen=True, slots=True)
class Mutant:
    """What is replaced in a module, and the first module that must not compile any more."""

    name: str
    module: str
    true: str
    false: str
    refused_in: str


MUTANTS = (
    Mutant(
        "a weaker local privacy",
        "Definitions",
        "randomizers z x s <= T * randomizers z x' s.",
        "randomizers z x s <= (T + 1) * randomizers z x' s.",
        "HidingAmongTheClones",
    ),
    Mutant(
        "local privacy of the first step only",
        "Definitions",
        "randomizers z x s <= T * randomizers z x' s.",
        "z = [::] -> randomizers z x s <= T * randomizers z x' s.",
        "HidingAmongTheClones",
    ),
    Mutant(
        "datasets that need not be neighbours",
        "HidingAmongTheClones",
        "ldp T randomizers -> neighbours w w' ->\n  exists K",
        "ldp T randomizers ->\n  exists K",
        "HidingAmongTheClones",
    ),
    Mutant(
        "randomizers that need not be local",
        "HidingAmongTheClones",
        "  ldp T randomizers -> neighbours w w' ->\n  exists K",
        "  neighbours w w' ->\n  exists K",
        "HidingAmongTheClones",
    ),
    Mutant(
        "a smaller chance of the own bit", "Definitions", "bernoulli_mass (T / (T + 1))", "bernoulli_mass (T / (T + 2%:R))", "ClonesPair"
    ),
    Mutant("steps that do not see earlier outputs", "Definitions", "randomizers (take i s)", "randomizers [::]", "Shuffling"),
    Mutant("a small case one unit off", "SmallExamples", "[:: 1; 0; 0]%N 1 45.", "[:: 1; 0; 0]%N 2 45.", "SmallExamples"),
    Mutant("one user more", "Definitions", "binomial_mass n.-1 p c", "binomial_mass n p c", "ClonesPair"),
    Mutant(
        "0.99 q for q in the optimal pair",
        "OptimalPair",
        "hockey E (pair_P p_inv beta q n) (pair_Q p_inv beta q n).\nProof.\nmove=> others_equal",
        "hockey E (pair_P p_inv beta (99%:R / 100%:R * q) n) (pair_Q p_inv beta (99%:R / 100%:R * q) n).\nProof.\nmove=> others_equal",
        "OptimalPair",
    ),
    Mutant("no positive part", "Definitions", "Num.max (P x - E * Q x) 0", "(P x - E * Q x)", "Divergence"),
    Mutant("rounding down where up is meant", "Programs", "- ((- x) / y)", "x / y", "Integers"),
    Mutant("masses outside the window forgotten", "Programs", "one * below_up * x1 + ", "", "WindowNumbers"),
    Mutant(
        "a delta one unit too small",
        "WindowInstances",
        " 711744541307 100000000000000000 ",
        " 711744541306 100000000000000000 ",
        "WindowInstances",
    ),
    Mutant(
        "an exact delta one unit off",
        "ExactInstances",
        "exact_delta_is 2 4 1 1 4 1 1 21 40",
        "exact_delta_is 2 4 1 1 4 1 1 20 40",
        "ExactInstances",
    ),
)


def survivors(built: Path, *, texts: Mapping[str, str] | None = None) -> list[str]:
    """The mutants that Coq accepts, or refuses elsewhere than stated; none, if the checks are worth something.

    built: a folder in which all modules have been compiled. Raises FormalError where a mutant no longer applies.
    """
    texts = modules() if texts is None else texts
    alive = []
    for mutant in MUTANTS:
        if texts[mutant.module].count(mutant.true) < 1:
            raise FormalError(f"mutant {mutant.name}: {mutant.module}.v no longer says {mutant.true!r}")
        with tempfile.TemporaryDirectory() as folder:
            bent = Path(folder) / "bent"
            shutil.copytree(built, bent)
            (bent / f"{mutant.module}.v").write_text(texts[mutant.module].replace(mutant.true, mutant.false), "utf-8")
            command = ["make", "--no-print-directory", f"{mutant.refused_in}.vo"]
            done = subprocess.run(command, cwd=bent, capture_output=True, text=True, check=False)
            if done.returncode == 0 or f'File "./{mutant.refused_in}.v"' not in done.stderr + done.stdout:
                alive.append(mutant.name)
    return alive
