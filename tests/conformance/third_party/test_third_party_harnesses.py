"""The harnesses of third-party packages: first with stand-ins for the packages, then (deep) with the real ones.

A stand-in is enough to show that a harness speaks the protocol, builds the pair it says it builds, and passes on what it is told.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest

from shuffleproof.conformance.running.harness import Harness
from shuffleproof.conformance.running.protocol import Answer
from shuffleproof.conformance.third_party import environments
from shuffleproof.conformance.third_party.environments import Ready, prepare
from shuffleproof.spec.bounds.clones import clones
from shuffleproof.spec.randomizers.k_rr import k_rr
from shuffleproof.spec.vocabulary.errors import HarnessProtocolError, HarnessStartError
from shuffleproof.spec.vocabulary.numerals import parse_epsilon

PACKAGES = ("opendp", "dp-accounting", "autodp")
Start = Callable[..., str]

OPENDP = """
import random
class Measurement:
    def __init__(self, prob, k): self.prob, self.k = prob, k
    def map(self, distance): return float("inf") if self.prob == 1 else 1.0
    def __call__(self, x):
        return x if random.random() < self.prob else type(x)((x + random.randrange(1, self.k)) % self.k)
class m:
    def make_randomized_response_bool(prob): return Measurement(prob, 2)
    def make_randomized_response(categories, prob):
        if prob < 1 / len(categories): raise ValueError("prob is too small" + chr(10) + "and a trace")
        return Measurement(prob, len(categories))
class c:
    def make_composition(measurements): return lambda x: [measurement(x) for measurement in measurements]
def enable_features(name): print("noise on standard output")
"""
DP_ACCOUNTING = """
import math
class Divergence:
    def __init__(self, lower, upper): self.lower, self.upper = lower, upper
    def get_delta_for_epsilon(self, epsilon):
        return math.fsum(max(0.0, math.exp(self.upper[y]) - math.exp(epsilon + self.lower[y])) for y in self.upper)
    def get_epsilon_for_delta(self, delta): return math.inf if delta == 0 else math.nan
def from_two_probability_mass_functions(lower, upper, pessimistic_estimate):
    return Divergence(lower, upper)
"""
AUTODP_ACCT = """
class DP_acct:
    def __init__(self): self.epsilon = 0
    def update_DPlosses(self, epsilon, delta): self.epsilon += epsilon
    def get_eps_delta_naive(self): return self.epsilon, 0
    def get_eps(self, delta): return self.epsilon
"""
AUTODP_MECHANISMS = """
import math
class RandresponseMechanism:
    def __init__(self, p, RDP_off=False, phi_off=True): self.p, self.rounds = p, 1
    def get_approxDP(self, delta): return abs(math.log(self.p / (1 - self.p)))
    def get_RDP(self, order):
        p, q = self.p, 1 - self.p
        return math.log(p**order * q**(1 - order) + q**order * p**(1 - order)) / (order - 1)
    def get_approx_delta(self, epsilon):
        k, p = self.rounds, self.p
        masses = ((math.comb(k, j), p**j * (1 - p)**(k - j), (1 - p)**j * p**(k - j)) for j in range(k + 1))
        return sum(c * max(0.0, a - math.exp(epsilon) * b) for c, a, b in masses)
class PureDP_Mechanism(RandresponseMechanism):
    def __init__(self, epsilon): super().__init__(1 / (1 + math.exp(-epsilon)))
"""
AUTODP_TRANSFORMERS = """
class Composition:
    def __call__(self, mechanisms, rounds):
        mechanisms[0].rounds = rounds[0]
        return mechanisms[0]
ComposeAFA = Composition
"""
STAND_INS = {
    "autodp": {
        "autodp/__init__.py": "",
        "autodp/dp_acct.py": AUTODP_ACCT,
        "autodp/mechanism_zoo.py": AUTODP_MECHANISMS,
        "autodp/transformer_zoo.py": AUTODP_TRANSFORMERS,
    },
    "opendp": {"opendp/__init__.py": "", "opendp/prelude.py": OPENDP},
    "dp-accounting": {
        "dp_accounting/__init__.py": "",
        "dp_accounting/pld/__init__.py": "",
        "dp_accounting/pld/privacy_loss_distribution.py": DP_ACCOUNTING,
    },
}


def script(package: str) -> str:
    return str(Path(str(files(environments.__package__))) / package / "harness.py")


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Connects to the harness of a package whose place a stand-in has taken."""

    def connect(package: str, *arguments: str) -> str:
        for name, text in STAND_INS[package].items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        about = tmp_path / f"{package.replace('-', '_')}-9.9.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 9.9\n", encoding="utf-8")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        return " ".join([f"cmd:{sys.executable} -S {script(package)}", *arguments])

    return connect


@contextmanager
def conversation(connect: str) -> Iterator[Callable[..., Answer]]:
    """A started and configured harness, as a function from operation and input to the parsed answer."""
    with Harness(connect, deadline=60) as harness:
        harness.greet()
        harness.configure(seed=5, digits=12)

        def ask(operation: str, **given: str) -> Answer:
            return harness.ask(seq=7, operation=operation, given=given)

        yield ask


@pytest.mark.parametrize("package", PACKAGES)
def test_without_its_package_a_harness_ends_with_one_line_that_says_so(package: str) -> None:
    done = subprocess.run([sys.executable, "-I", "-S", script(package)], input="", capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith(f"the package {package} cannot be imported here: No module named")
    with (
        Harness(f"cmd:{sys.executable} -I -S {script(package)}", deadline=10) as harness,
        pytest.raises(HarnessStartError, match=f"the package {package} cannot be imported here"),
    ):
        harness.greet()


@pytest.mark.parametrize("package", PACKAGES)
def test_a_harness_greets_and_declares_what_it_can(package: str, stand_in: Start) -> None:
    with Harness(stand_in(package), deadline=30) as harness:
        greeting = harness.greet()
    assert greeting.version == "9.9"
    assert package in greeting.name
    sampled: tuple[tuple[str, ...], ...] = (("randomizer_law",), (), ("binary-rr", "k-rr"))
    others: dict[str, tuple[tuple[str, ...], ...]] = {
        "dp-accounting": (("delta", "epsilon"), ("clones",), ()),
        "autodp": (("renyi", "hockey_stick", "local_epsilon", "compose"), (), ()),
    }
    assert (greeting.operations, greeting.methods, greeting.randomizers) == others.get(package, sampled)


@pytest.mark.parametrize("package", PACKAGES)
def test_what_a_harness_does_not_declare_is_unsupported_if_asked_all_the_same(package: str, stand_in: Start) -> None:
    with conversation(stand_in(package)) as ask:
        assert ask("epsilon", method="hadamard", n="3", epsilon0="1", delta="0").claim == "unsupported"
        assert ask("randomizer_law", randomizer="hadamard", epsilon0="1", input="0").claim == "unsupported"


def near(answer: Answer, law: Mapping[int, Fraction], *, within: Fraction) -> bool:
    """Whether every probability, or share of the samples, is within a distance of the distribution's; counts are shares."""
    total = sum(Fraction(text) for text in answer.table.values()) if answer.claim == "samples" else Fraction(1)
    given = {outcome: Fraction(text) / total for outcome, text in answer.table.items()}
    return set(given) == {str(y) for y in law} and all(abs(given[str(y)] - p) <= within for y, p in law.items())


def check_randomized_response(connect: str, *, claim: str, within: Fraction) -> None:
    """Binary and k-ary randomized response against the exact distributions, with e^epsilon0 rational and given both ways."""
    with conversation(connect) as ask:
        for x in (0, 1):
            answer = ask("randomizer_law", randomizer="binary-rr", epsilon0="ln 3", input=str(x))
            assert answer.claim == claim
            assert near(answer, {x: Fraction(3, 4), 1 - x: Fraction(1, 4)}, within=within)
        answer = ask("randomizer_law", randomizer="k-rr", k="4", epsilon0="0.5", input="2")
        law = k_rr(k=4, exp_epsilon0=Fraction("1.6487212707")).distribution(2)
        assert near(answer, dict(law.items()), within=within + Fraction(1, 10**9))


def check_clones(connect: str, *, upper: bool, within: Fraction) -> None:
    """delta of the clones pair against exact arithmetic, from the claim's side."""
    with conversation(connect) as ask:
        for n, epsilon0, epsilon in (("1", "ln 3", "ln 2"), ("7", "ln 3", "ln 9/8"), ("30", "ln 20", "0"), ("4", "0", "0")):
            answer = ask("delta", method="clones", n=n, epsilon0=epsilon0, epsilon=epsilon)
            assert answer.claim == ("upper" if upper else "lower")
            truth = clones.delta(n=n, epsilon0=epsilon0, epsilon=epsilon)
            assert truth.lower == truth.upper
            assert abs(Fraction(answer.value) - truth.upper) <= within


THREE, ONE = "3/4,1/4", "1/4,3/4"
AUTODP_CASES = (
    ("renyi", {"p": THREE, "q": ONE, "order": "2"}, "estimate", Fraction(7, 3)),
    ("hockey_stick", {"p": THREE, "q": ONE, "exp_epsilon": "2"}, "upper", Fraction(1, 4)),
    ("local_epsilon", {"laws": f"{THREE} {ONE}"}, "estimate", Fraction("1.09861228866811")),
    ("compose", {"rule": "basic", "epsilon": "1/3", "rounds": "3"}, "estimate", Fraction(1)),
    ("compose", {"rule": "product", "p": THREE, "q": ONE, "rounds": "2", "exp_epsilon": "3"}, "upper", Fraction(3, 8)),
    (
        "compose",
        {"rule": "optimal", "epsilon": "ln 2", "delta": "0", "rounds": "10", "total_epsilon": "ln 64"},
        "upper",
        Fraction(1600, 19683),
    ),
)
"""Operation, input, claim, truth."""


def check_autodp(connect: str, *, excess: Fraction = Fraction(1, 10**12)) -> None:
    """Every answer against exact arithmetic; an upper side may be above it by at most the excess."""
    with conversation(connect) as ask:
        for operation, given, claim, truth in AUTODP_CASES:
            answer = ask(operation, **given)
            assert answer.claim == claim
            above = Fraction(answer.value) - truth
            assert -Fraction(1, 10**12) <= above <= (excess if claim == "upper" else Fraction(1, 10**12))


def test_autodp_is_asked_for_the_quantities_of_the_operations(stand_in: Start) -> None:
    check_autodp(stand_in("autodp"))


def test_autodp_has_two_more_accountants(stand_in: Start) -> None:
    connect = stand_in("autodp")
    with conversation(f"{connect} --fourier") as ask:
        answer = ask("compose", rule="product", p=THREE, q=ONE, rounds="2", exp_epsilon="3")
        assert answer.claim == "estimate"
        assert Fraction(answer.value) == pytest.approx(0.375)
        assert ask("compose", rule="basic", epsilon="1", rounds="3").claim == "unsupported"
    with conversation(f"{connect} --accountant") as ask:
        answer = ask("compose", rule="basic", epsilon="1", rounds="3")
        assert (answer.claim, answer.value) == ("upper", "3")
        assert ask("compose", rule="product", p=THREE, q=ONE, rounds="2", exp_epsilon="3").claim == "unsupported"


@pytest.mark.parametrize(
    ("operation", "given", "claim"),
    [
        ("renyi", {"p": THREE, "q": ONE, "order": "5/2"}, "refused"),
        ("renyi", {"p": "1/2,1/2", "q": ONE, "order": "2"}, "unsupported"),
        ("hockey_stick", {"p": THREE, "q": ONE, "exp_epsilon": "1/2"}, "refused"),
        ("local_epsilon", {"laws": THREE}, "unsupported"),
        ("compose", {"rule": "basic", "epsilon": "1", "rounds": "0"}, "refused"),
        ("compose", {"rule": "optimal", "epsilon": "1", "delta": "0.1", "rounds": "2", "total_epsilon": "1"}, "unsupported"),
    ],
)
def test_what_autodp_has_no_function_for_is_unsupported(stand_in: Start, operation: str, given: dict[str, str], claim: str) -> None:
    with conversation(stand_in("autodp")) as ask:
        assert ask(operation, **given).claim == claim


def test_opendp_counts_releases(stand_in: Start) -> None:
    check_randomized_response(stand_in("opendp"), claim="samples", within=Fraction(1, 50))


def test_dp_accounting_is_given_the_clones_pair_of_theorem_3_2(stand_in: Start) -> None:
    check_clones(stand_in("dp-accounting"), upper=True, within=Fraction(1, 10**14))


def test_dp_accounting_claims_a_lower_side_when_told_to(stand_in: Start) -> None:
    check_clones(stand_in("dp-accounting", "--optimistic"), upper=False, within=Fraction(1, 10**14))


@pytest.mark.parametrize(
    ("package", "right", "wrong"),
    [
        ("opendp", "random.random() < self.prob", "random.random() < self.prob - 0.05"),
        ("dp-accounting", "max(0.0,", "(1 + 1e-12) * max(0.0,"),
        ("autodp", "max(0.0,", "0.9 * max(0.0,"),
        ("autodp", "/ (order - 1)", "/ order"),
        ("dp-accounting", "Divergence(lower, upper)", "Divergence(upper, {y: p - 1e-12 for y, p in lower.items()})"),
    ],
)
def test_the_checks_here_catch_a_wrong_package(
    stand_in: Start, monkeypatch: pytest.MonkeyPatch, package: str, right: str, wrong: str
) -> None:
    files_of_it = STAND_INS[package]
    name = max(files_of_it, key=lambda name: len(files_of_it[name]))
    assert right in files_of_it[name]
    monkeypatch.setitem(files_of_it, name, files_of_it[name].replace(right, wrong))
    connect = stand_in(package)
    check = {
        "opendp": lambda: check_randomized_response(connect, claim="samples", within=Fraction(1, 50)),
        "autodp": lambda: check_autodp(connect),
        "dp-accounting": lambda: check_clones(connect, upper=True, within=Fraction(1, 10**14)),
    }[package]
    with pytest.raises(AssertionError):
        check()


def test_a_probability_that_is_only_representable_as_one_is_refused(stand_in: Start) -> None:
    with conversation(stand_in("opendp")) as ask:
        answer = ask("randomizer_law", randomizer="binary-rr", epsilon0="40", input="0")
    assert answer.claim == "refused"
    assert "epsilon = inf" in (answer.reason or "")


def test_an_exception_of_the_package_is_a_refusal_in_one_line(stand_in: Start) -> None:
    with conversation(stand_in("opendp")) as ask:
        answer = ask("randomizer_law", randomizer="k-rr", k="3", epsilon0="-1", input="0")
        assert (answer.claim, answer.reason) == ("refused", "ValueError: prob is too small")
        assert ask("randomizer_law", randomizer="binary-rr", epsilon0="nan", input="0").claim == "refused"
        assert ask("randomizer_law", randomizer="binary-rr", epsilon0="1", input="2").claim == "refused"


def test_infinity_is_refused_and_not_a_number_is_passed_on(stand_in: Start) -> None:
    """The protocol has no infinity; nan breaks it, and that is the package's to answer for."""
    with conversation(stand_in("dp-accounting")) as ask:
        assert ask("epsilon", method="clones", n="3", epsilon0="1", delta="0").reason == "the package answered inf"
        with pytest.raises(HarnessProtocolError):
            ask("epsilon", method="clones", n="3", epsilon0="1", delta="0.5")


@pytest.mark.parametrize(
    "given",
    [
        {"n": "0", "epsilon0": "1", "delta": "0.1"},
        {"n": "1.5", "epsilon0": "1", "delta": "0.1"},
        {"n": "3", "epsilon0": "-1", "delta": "0.1"},
        {"n": "3", "epsilon0": "1", "delta": "nan"},
        {"n": "3", "epsilon0": "1", "delta": "ln 0"},
        {"n": "3", "epsilon0": "1", "delta": "1.0000000000000000000001"},
        {"n": "three", "epsilon0": "1", "delta": "0.1"},
    ],
)
def test_there_is_no_clones_pair_outside_the_domain(stand_in: Start, given: dict[str, str]) -> None:
    with conversation(stand_in("dp-accounting")) as ask:
        assert ask("epsilon", method="clones", **given).claim == "refused"


def test_a_pair_too_large_to_enumerate_is_unsupported(stand_in: Start) -> None:
    with conversation(stand_in("dp-accounting")) as ask:
        assert ask("epsilon", method="clones", n="1000000", epsilon0="1", delta="1e-6").claim == "unsupported"
        assert ask("delta", method="clones", n="3", epsilon0="5000", epsilon="1").claim == "unsupported"


@pytest.mark.parametrize("epsilon", ["ln 3", "1/3", "0.1", "0"])
def test_epsilon_is_rounded_to_the_side_that_keeps_the_claim(stand_in: Start, monkeypatch: pytest.MonkeyPatch, epsilon: str) -> None:
    """The stand-in answers with the float that it was asked with."""
    showing = DP_ACCOUNTING.replace("return math.fsum", "return epsilon\n        return math.fsum")
    monkeypatch.setitem(STAND_INS["dp-accounting"], "dp_accounting/pld/privacy_loss_distribution.py", showing)
    connect = stand_in("dp-accounting")
    asked = []
    for argument in ("", " --optimistic"):
        with conversation(connect + argument) as ask:
            answer = ask("delta", method="clones", n="1", epsilon0="2", epsilon=epsilon)
            asked.append(Fraction(answer.value))
    lower, upper = parse_epsilon(epsilon).bounds(bits=200)
    assert asked[0] <= lower
    assert upper <= asked[1]
    assert asked[1] - asked[0] <= Fraction(1, 2**52)


@pytest.mark.deep
def test_the_real_randomizer_follows_the_distribution() -> None:
    target = prepare("opendp")
    assert isinstance(target, Ready), target
    check_randomized_response(target.connect, claim="samples", within=Fraction(1, 50))


@pytest.mark.deep
def test_the_real_renyi_accountant_is_sound_and_loses_less_than_a_sixth() -> None:
    target = prepare("autodp")
    assert isinstance(target, Ready), target
    check_autodp(target.connect, excess=Fraction(1, 6))


@pytest.mark.deep
def test_the_real_fourier_accountant_is_far_off_and_the_other_one_says_0() -> None:
    """Each in a conversation of its own: two reports at e^epsilon0 = 3 have delta(ln 3) = 3/8, and three at epsilon = 1 have epsilon 3."""
    fourier, accountant = prepare("autodp-fourier"), prepare("autodp-accountant")
    assert isinstance(fourier, Ready), fourier
    assert isinstance(accountant, Ready), accountant
    with conversation(fourier.connect) as ask:
        answer = ask("compose", rule="product", p=THREE, q=ONE, rounds="2", exp_epsilon="3")
        assert answer.claim == "estimate"
        assert abs(Fraction(answer.value or "") - Fraction(3, 8)) > 1
        single = ask("compose", rule="product", p=THREE, q=ONE, rounds="1", exp_epsilon="3")
        assert single.claim == "estimate"
        assert ask("compose", rule="basic", epsilon="1", rounds="3").claim == "unsupported"
        assert ask("renyi", p=THREE, q=ONE, order="2").claim == "unsupported"
    with conversation(accountant.connect) as ask:
        answer = ask("compose", rule="basic", epsilon="1", rounds="3")
        assert (answer.claim, Fraction(answer.value or "")) == ("upper", 0)
        assert Fraction(ask("compose", rule="basic", epsilon="0", rounds="3").value or "") == 0
        assert ask("compose", rule="product", p=THREE, q=ONE, rounds="2", exp_epsilon="3").claim == "unsupported"


@pytest.mark.deep
@pytest.mark.parametrize("name", ["dp-accounting", "dp-accounting-optimistic"])
def test_the_real_distribution_is_within_its_grid_of_the_truth(name: str) -> None:
    target = prepare(name)
    assert isinstance(target, Ready), target
    check_clones(target.connect, upper=name == "dp-accounting", within=Fraction(1, 10**4))
