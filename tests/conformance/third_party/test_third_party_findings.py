"""What is known of the third-party packages, each as a fact that anybody can run again: the pinned versions, in their environments.

A failure here means that a package has changed (or that we were wrong), and that what we say about it must change too.
"""

import json
import math
import shlex
import subprocess
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest

from shuffleproof.conformance.third_party.environments import Ready, prepare
from shuffleproof.spec.vocabulary.elementary import exp_bounds

pytestmark = pytest.mark.deep


def run(name: str, script: str) -> Any:
    """What a script prints as JSON when it runs beside a package."""
    target = prepare(name)
    assert isinstance(target, Ready), target
    python = shlex.split(target.connect.removeprefix("cmd:"))[0]
    done = subprocess.run([python, "-I", "-W", "ignore", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def clones_script(epsilon0: str, then: str) -> str:
    """The pair for one user, (T, 1)/(T + 1), as logs of 50 digits; D is its pessimistic distribution, O the optimistic one."""
    return f"""
import json, math
from decimal import Decimal, getcontext
from dp_accounting.pld import privacy_loss_distribution as pld
getcontext().prec = 50
T = Decimal("{epsilon0}").exp()
p, q = float((T / (T + 1)).ln()), float((1 / (T + 1)).ln())
D, O = (pld.from_two_probability_mass_functions({{0: q, 1: p}}, {{0: p, 1: q}}, pessimistic_estimate=side) for side in (True, False))
{then}
"""


def pure_profile(epsilon0: Fraction, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds on delta(epsilon) of binary randomized response: (T - e^epsilon)/(T + 1) for epsilon <= epsilon0."""
    lower, upper = exp_bounds(epsilon0, bits=400)
    least, most = exp_bounds(epsilon, bits=400)
    return (lower - most) / (lower + 1), (upper - least) / (upper + 1)


def test_opendp_claims_epsilon_0_for_a_distribution_that_depends_on_the_input() -> None:
    """The float64 nearest to 1/3 is below 1/3, so each lie is a little more likely than the truth."""
    epsilon, prob = run(
        "opendp",
        "import json, opendp.prelude as dp\ndp.enable_features('contrib')\n"
        "print(json.dumps([dp.m.make_randomized_response([0, 1, 2], 1 / 3).map(1), 1 / 3]))",
    )
    truth = Fraction(prob)
    ratio = (1 - truth) / 2 / truth
    assert epsilon == 0.0
    assert Fraction(1, 10**17) < ratio - 1 < Fraction(1, 10**16)


def test_opendp_maps_are_above_the_truth_elsewhere() -> None:
    """A thousand probabilities over binary and ternary randomized response, in 60 digits."""
    rows = run(
        "opendp",
        "import json, random, opendp.prelude as dp\ndp.enable_features('contrib')\nrandom.seed(1)\nrows = []\n"
        "for k in (2, 3):\n    for _ in range(500):\n        prob = random.uniform(1 / k + 1e-9, 1)\n"
        "        made = dp.m.make_randomized_response_bool(prob) if k == 2 else dp.m.make_randomized_response([0, 1, 2], prob)\n"
        "        rows.append([k, prob, made.map(1)])\nprint(json.dumps(rows))",
    )
    assert len(rows) == 1000
    with localcontext(prec=60):
        for k, prob, epsilon in rows:
            assert (Decimal(prob) * (k - 1) / (1 - Decimal(prob))).ln() <= Decimal(epsilon)


def test_opendp_answers_for_a_category_it_does_not_have() -> None:
    """With a uniformly random one; the documentation of the measurement does not say so."""
    counts = run(
        "opendp",
        "import json, opendp.prelude as dp\nfrom collections import Counter\ndp.enable_features('contrib')\n"
        "many = dp.c.make_composition([dp.m.make_randomized_response([0, 1, 2], 0.9)] * 3000)\nprint(json.dumps(Counter(many(7))))",
    )
    assert set(counts) == {"0", "1", "2"}
    assert all(800 < count < 1200 for count in counts.values())


def test_a_pessimistic_distribution_can_be_below_the_truth_by_rounding() -> None:
    """One user, epsilon0 = 1: a loss of exactly 1 is on the grid, so nothing is rounded up; epsilon(1e-6) falls short by about 1e-16."""
    epsilon = Fraction(run("dp-accounting", clones_script("1", "print(json.dumps(D.get_epsilon_for_delta(1e-6)))")))
    lower, _ = pure_profile(Fraction(1), epsilon)
    excess = lower / Fraction(1e-6) - 1
    assert excess > 0
    assert excess < Fraction(1, 10**8)


def test_an_optimistic_distribution_is_above_the_truth_where_exponentials_underflow() -> None:
    """epsilon0 = 800, delta = 1e-6: the truth is 799.999999, and the lower estimate is 800, because e^-800 is 0 in float64."""
    epsilon = run("dp-accounting", clones_script("800", "print(json.dumps(O.get_epsilon_for_delta(1e-6)))"))
    assert epsilon == pytest.approx(800, abs=1e-9)
    _, upper = pure_profile(Fraction(800), Fraction(epsilon) - Fraction(9, 10**7))
    assert upper < Fraction(1, 10**6)


def test_delta_for_many_epsilons_at_once_loses_what_delta_for_one_keeps() -> None:
    """The vectorised sum subtracts two nearly equal numbers: 0 where the truth is 1e-16, and nan from epsilon = 710 on."""
    epsilon = 0.49999999999999983
    one, many, far = run(
        "dp-accounting",
        clones_script(
            "0.5",
            f"far = float(D.get_delta_for_epsilon([0.1, 710.0])[1])\n"
            f"print(json.dumps([float(D.get_delta_for_epsilon({epsilon!r})), float(D.get_delta_for_epsilon([{epsilon!r}])[0]), far]))",
        ),
    )
    lower, _ = pure_profile(Fraction(1, 2), Fraction(epsilon))
    assert lower > Fraction(1, 10**16)
    assert one == pytest.approx(float(lower), rel=1e-9)
    assert many == 0.0
    assert math.isnan(far)


def test_epsilon_of_a_composition_drifts_below_the_truth() -> None:
    """100 reports at epsilon0 = 1/2, delta = 1e-3: the losses are visited by adding the grid step, whose rounding errors add up.

    The package's own delta at the epsilon that it returns is above the delta asked for, and so is the true one.
    """
    k, target = 100, 1e-3
    epsilon, own = run(
        "dp-accounting",
        clones_script(
            "0.5",
            f"C = D.self_compose({k})\nepsilon = C.get_epsilon_for_delta({target})\n"
            "print(json.dumps([epsilon, float(C.get_delta_for_epsilon(epsilon))]))",
        ),
    )
    assert own > target
    with localcontext(prec=120):
        T, E = Decimal("0.5").exp(), Decimal(epsilon).exp()
        true = sum(max(Decimal(0), T**j - E * T ** (k - j)) * math.comb(k, j) for j in range(k + 1)) / (1 + T) ** k
        excess = true / Decimal(target) - 1
    assert Decimal("1e-10") < excess < Decimal("1e-8")


def test_autodp_says_that_nothing_is_lost_by_composing_pure_mechanisms() -> None:
    """Three mechanisms with epsilon = 1: get_eps(0) returns its sum of the deltas, an int 0; with 0.0 it is infinity instead."""
    ints, floats, naive = run(
        "autodp",
        "import json\nfrom autodp.dp_acct import DP_acct\nanswers = []\n"
        "for delta in (0, 0.0):\n    a = DP_acct()\n    for _ in range(3):\n        a.update_DPlosses(1.0, delta)\n"
        "    answers.append(float(a.get_eps(0)))\nprint(json.dumps([*answers, a.get_eps_delta_naive()[0]]))",
    )
    assert ints == 0.0
    assert floats == math.inf
    assert naive == 3.0


def test_the_fourier_accountant_of_autodp_is_off_by_more_than_1_for_randomized_response() -> None:
    """Two reports at e^epsilon0 = 3: delta(ln 3) = 3/8. The losses are a lattice, and the characteristic function does not decay."""
    delta = run(
        "autodp",
        "import json, math\nfrom autodp.mechanism_zoo import RandresponseMechanism\nfrom autodp.transformer_zoo import ComposeAFA\n"
        "mechanism = RandresponseMechanism(0.75, RDP_off=True, phi_off=False)\n"
        "print(json.dumps(float(ComposeAFA()([mechanism], [2]).get_approx_delta(math.log(3)))))",
    )
    assert delta < -1
