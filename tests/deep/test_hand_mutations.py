"""The faults that hurt most, planted one by one: each is noticed by a test of its own room, and not by accident elsewhere."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import mutations

TOP = Path(__file__).resolve().parents[2]
CLONES, RELEASE, JOURNAL = "tests/bounds/clones/test_clones.py", "tests/release/", "tests/conformance/running/test_runner.py"


@dataclass(frozen=True)
class Fault:
    """says: what is wrong; path: the module; was, now: the place that is changed, which occurs once; tests: of which one must fail."""

    says: str
    path: str
    was: str
    now: str
    tests: str


FAULTS = (
    # Directions of rounding.
    Fault("upper ends of balls are lower ends", "impl/ball/numeric/arithmetic.py", "return ends(x)[1]", "return ends(x)[0]", CLONES),
    Fault(
        "decimals always round down",
        "spec/vocabulary/numerals.py",
        'whole = above // below if direction == "down" else -(-above // below)',
        "whole = above // below",
        "tests/spec/test_numerals.py",
    ),
    Fault(
        "decimals of negative numbers round to the other side",
        "spec/vocabulary/numerals.py",
        'direction="up" if direction == "down" else "down")',
        "direction=direction)",
        "tests/spec/test_numerals.py",
    ),
    Fault(
        "float64 upper ends round down",
        "impl/fast/numeric/rounding.py",
        'float_toward(Fraction(upper), direction="up")',
        'float_toward(Fraction(upper), direction="down")',
        "tests/impl/test_fast_rounding.py tests/impl/test_fast_clones.py",
    ),
    # Tails left out.
    Fault(
        "balls: the tail above the window",
        "impl/ball/bounds/clones/clones_sums.py",
        " + _tail(m, high, constants, downward=False)",
        "",
        CLONES,
    ),
    Fault(
        "balls: the tail below the window",
        "impl/ball/bounds/clones/clones_sums.py",
        "_tail(m, low, constants, downward=True) + ",
        "",
        CLONES,
    ),
    Fault(
        "float64: the tail above the window",
        "impl/fast/bounds/clones/clones_mixture.py",
        "return next_mass / (1 - ratio) * (1 + 2.0**-20) if ratio < 0.9999999 else math.inf",
        "return 0.0",
        "tests/impl/test_fast_clones.py tests/impl/test_fast_tables.py tests/impl/test_fast_rounding.py",
    ),
    # Roundings counted.
    Fault(
        "float64: two roundings a step instead of four",
        "impl/fast/bounds/clones/clones_mixture.py",
        "mass_roundings=4 * max(middle - first, last - middle) + 4,",
        "mass_roundings=2 * max(middle - first, last - middle) + 4,",
        "tests/impl/test_fast_clones.py tests/impl/test_fast_tables.py tests/impl/test_fast_rounding.py",
    ),
    Fault(
        "float64: the summands of running sums not counted",
        "impl/fast/bounds/clones/clones_mixture.py",
        "sum_roundings=4 * max(middle - first, last - middle) + 4 + len(masses),",
        "sum_roundings=4 * max(middle - first, last - middle) + 4,",
        "tests/impl/test_fast_clones.py tests/impl/test_fast_tables.py tests/impl/test_fast_rounding.py",
    ),
    Fault(
        "float64: half of the error after k roundings",
        "impl/fast/numeric/rounding.py",
        "return roundings * U * (1 + 2.0**-11)",
        "return roundings * U * (0.5 + 2.0**-11)",
        "tests/impl/test_fast_rounding.py",
    ),
    # Ties in samplers.
    Fault("a tie between the steps is a failure", "impl/release/bernoulli.py", "if drawn >= high:", "if drawn >= low:", RELEASE),
    Fault("a tie at the lower step is a success", "impl/release/bernoulli.py", "if drawn < low:", "if drawn <= low:", RELEASE),
    Fault(
        "ties of leading bits are failures",
        "impl/release/bernoulli.py",
        " + _summed(left[drawn == leading], denominator, source)",
        "",
        RELEASE,
    ),
    Fault("one Bernoulli's tie is a failure", "impl/release/bernoulli.py", "return bool(left >= 1)", "return bool(left > 1)", RELEASE),
    # Sensitivities.
    Fault(
        "Laplace noise for one user's part under replace-one",
        "impl/release/user_histogram.py",
        "sensitivity=(2 if both else 1) * radius,",
        "sensitivity=radius,",
        f"{RELEASE}test_user_histogram_release.py",
    ),
    Fault(
        "Gaussian noise for one user's part under replace-one",
        "impl/release/user_histogram.py",
        "gaussian_variance((2 if both else 1) * radius**2,",
        "gaussian_variance(radius**2,",
        f"{RELEASE}test_user_histogram_release.py",
    ),
    Fault(
        "half of what the private threshold moves by",
        "impl/release/user_histogram.py",
        "return -(-self.W // (self.lam * self.unit))",
        "return -(-self.W // (2 * self.lam * self.unit))",
        f"{RELEASE}test_user_histogram_release.py",
    ),
    # The judge.
    Fault(
        "an upper claim below the truth by 1e-14 is forgiven",
        "shuffleproof/conformance/judging/judge.py",
        "if (value < expected.lower) if upper",
        "if (value.bounds()[1] < expected.lower.bounds()[0] * (1 - Fraction(1, 10**14))) if upper",
        "tests/conformance/judging/test_judge.py",
    ),
    Fault(
        "a lower claim above the truth by 1e-14 is forgiven",
        "shuffleproof/conformance/judging/judge.py",
        "else (value > expected.upper):",
        "else (value.bounds()[0] > expected.upper.bounds()[1] * (1 + Fraction(1, 10**14))):",
        "tests/conformance/judging/test_judge.py",
    ),
    # Levels that are to be split.
    Fault(
        "each outcome of a sampler has the whole error",
        "shuffleproof/conformance/judging/judge.py",
        "log_share = _log(error / (2 * len(law)))",
        "log_share = _log(error)",
        "tests/conformance/judging/test_judge.py",
    ),
    Fault(
        "each case of a run has the whole error",
        "shuffleproof/conformance/running/runner.py",
        "error = FAMILY_WISE_ERROR / max(1, sum(case.expected.law is not None for case in cases))",
        "error = FAMILY_WISE_ERROR",
        "tests/conformance/running/test_runner.py tests/conformance/judging/test_judge.py",
    ),
    Fault(
        "both limits of an audit of samples have the whole level",
        "shuffleproof/conformance/audit/samples.py",
        "a = lower_limit(in_first, tested[0], alpha=level / 2)",
        "a = lower_limit(in_first, tested[0], alpha=level)",
        "tests/conformance/audit/test_audit_samples.py",
    ),
    Fault(
        "the other limit of an audit of samples has the whole level",
        "shuffleproof/conformance/audit/samples.py",
        "b = upper_limit(in_second, tested[1], alpha=level / 2)",
        "b = upper_limit(in_second, tested[1], alpha=level)",
        "tests/conformance/audit/test_audit_samples.py",
    ),
    # What is read.
    Fault(
        "the last of two equal keys counts",
        "shuffleproof/conformance/stored_json.py",
        'raise JsonError(f"key {key[:60]!r} given twice")',
        "pass",
        "tests/conformance/catalogue/test_vectors_integrity.py tests/conformance/running/test_harness_protocol.py",
    ),
    Fault(
        "a journal's cut line is kept",
        "shuffleproof/conformance/running/journal.py",
        "os.ftruncate(self._file, len(whole))",
        "pass",
        JOURNAL,
    ),
    Fault(
        "a sweep's cut line is kept",
        "shuffleproof/planning/sweep/journal.py",
        "self._file.truncate(whole)",
        "pass",
        "tests/planning/test_sweep.py",
    ),
    # Entropy.
    Fault(
        "a forked process goes on with its parent's bits",
        "impl/release/entropy.py",
        "self._process != os.getpid() or ",
        "",
        f"{RELEASE}test_samplers_exact.py",
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.says)
def test_the_place_of_a_fault_is_still_there(fault: Fault) -> None:
    assert (TOP / fault.path).read_text("utf-8").count(fault.was) == 1
    assert all((TOP / path).exists() for path in fault.tests.split())


@pytest.mark.deep
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.says)
def test_a_planted_fault_is_noticed_in_its_own_room(fault: Fault) -> None:
    source = (TOP / fault.path).read_text("utf-8").replace(fault.was, fault.now)
    found = mutations.outcome(fault.path, source, fault.tests.split())
    assert found.startswith("tests/"), found


@pytest.mark.deep
def test_what_notices_a_fault_is_told_and_what_survives_too(tmp_path: Path) -> None:
    test = tmp_path / "test_half.py"
    test.write_text("from shuffleproof.spec import distribution\n\n\ndef test_half():\n    assert distribution.bernoulli\n")
    path, text = "spec/distribution.py", (TOP / "spec/distribution.py").read_text("utf-8")
    assert mutations.outcome(path, text, [str(test)]) == "survives"
    assert "test_half" in mutations.outcome(path, text.replace("def bernoulli", "def bernoullis"), [str(test)])


def test_mutants_are_faults_of_the_code_and_not_of_its_words() -> None:
    text = (
        'def f(x: int) -> int:\n    """1 + 1."""\n    total = 0\n    total += (x) + (2)\n    return -total if x <= 3 and x else max(x, 1)\n'
    )
    found = {(mutant.kind, mutant.told(text).partition(" -> ")[2]) for mutant in mutations.mutants_of("m.py", text)}
    assert ("edge", "return -total if x < 3 and x else max(x, 1)") in found
    assert ("condition", "return -total if x <= 3 or x else max(x, 1)") in found
    assert ("condition", "return total if x <= 3 and x else max(x, 1)") in found
    assert ("direction", "return -total if x <= 3 and x else min(x, 1)") in found
    assert ("term left out", "total += (x)") in found
    assert ("sign", "total += (x) - (2)") in found
    assert ("step left out", "pass") in found
    assert ("number", "total += (x) + (3)") in found
    assert not [mutant for mutant in mutations.mutants_of("m.py", text) if mutant.start < text.index("total")]
