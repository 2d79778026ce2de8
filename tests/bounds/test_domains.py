"""Every engine of every method at the ends of its domain, and outside of it."""

import random
from typing import Any, get_args

import pytest

from shuffleproof.methods import METHODS, carried_out, engines_for
from shuffleproof.spec.randomizers.k_rr import KRR
from shuffleproof.spec.vocabulary.bound import Engine, Quantity
from shuffleproof.spec.vocabulary.errors import DomainError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.verification.drawn_parameters import large, small

EVERY = [(name, engine) for name, method in METHODS.items() for engine in engines_for(method, "epsilon")]

OUTSIDE: dict[str, tuple[Any, ...]] = {
    "n": (0, -5, "1.5", "1e400", "nan"),
    "epsilon0": (-1, "nan", 10001),
    "delta0": (-1, "1.1"),
    "delta": ("-1e-9", "1.5", "nan"),
    "epsilon": (-1, "nan"),
    "order": (1, "0.5", "x", 10**7),
    "p": (-1, "nan"),
    "beta": (2, "-1e-9"),
    "q": ("0.9", "nan"),
    "k": (0, 1, "2.5"),
    "lam": (-1, "nan"),
    "r": (0,),
    "changed": (0, 3),
    "sensitivity": (0,),
    "coins": (0,),
    "fakes": (0,),
    "messages": (0,),
    "modulus": (1,),
    "variance": (0, "1e10"),
    "sigma": (0, "1/11", "nan"),
    "digits": (0,),
}
"""What no method takes for a parameter of this name."""


def inside(method: Method, quantity: Quantity) -> dict[str, Any]:
    """Parameters within the domain of all engines of a method."""
    drawn, central = random.Random(method.name), "delta" if quantity == "renyi" else quantity
    if "sigma" in method.takes:
        asked = {"n": 100, "sigma": 1, "epsilon" if central == "delta" else "delta": "1/2"}
    else:
        try:
            asked = small(drawn, method, central)
        except LookupError:
            asked = large(drawn, method, central)
    if "randomizer" in asked:
        asked["randomizer"] = KRR(k=3)  # whose distribution has no density
    return {**{name: value for name, value in asked.items() if name != "epsilon"}, "order": 2} if quantity == "renyi" else asked


@pytest.mark.parametrize(("name", "engine"), EVERY)
def test_what_lies_outside_the_domain_is_refused_by_its_name(name: str, engine: Engine) -> None:
    method = METHODS[name]
    for quantity in get_args(Quantity):
        if engine not in engines_for(method, quantity):
            continue
        asked = {**inside(method, quantity), **({"digits": 3} if engine == "ball" else {})}
        for parameter in set(asked) & set(OUTSIDE):
            for wrong in (*OUTSIDE[parameter], *([2] if parameter == "p" and "q" not in asked else [])):
                with pytest.raises(DomainError) as refused:
                    carried_out(method, engine, quantity)(**{**asked, parameter: wrong})
                assert refused.value.parameter in (parameter, {"lam": "lambda"}.get(parameter)), (parameter, wrong)


@pytest.mark.parametrize(("name", "engine"), EVERY)
def test_an_answer_says_whose_it_is_and_ends_of_the_domain_are_exact(name: str, engine: Engine) -> None:
    """At delta = 1 epsilon is 0, at epsilon0 = 0 every delta and epsilon is, at delta = 0 epsilon is epsilon0."""
    method = METHODS[name]
    asked, of_delta = inside(method, "epsilon"), inside(method, "delta")
    closed, epsilon = method.closed_form, carried_out(method, engine, "epsilon")
    if closed:  # the theorem's condition does not hold at these ends
        asked |= {"n": 10**6, "epsilon0": 1, **({"delta0": "1e-15"} if "delta0" in asked else {})}
    found = epsilon(**{**asked, "delta": "1e-6" if closed else 1})
    assert (found.method, found.statement, found.claim_side, found.engine) == (name, method.statement, method.side, engine)
    if closed:
        return
    nothing, delta = [found], carried_out(method, engine, "delta")
    if "epsilon0" in asked and "delta0" not in asked:
        nothing.append(epsilon(**{**asked, "epsilon0": 0, "delta": "1e-300"}))
        nothing.append(delta(**{**of_delta, "epsilon0": 0, "epsilon": 0}))
        if name not in ("asymmetric-coordinate-sums", "split-and-mix"):  # of two bits, and of shares that show a little more
            nothing.append(delta(**{**of_delta, "epsilon": of_delta["epsilon0"]}))
            assert epsilon(**{**asked, "delta": 0}).exact == str(asked["epsilon0"])
    assert all(each.upper == 0 for each in nothing)
    assert name in ("split-and-mix", "discrete-gaussian-sum", "laplace-sum") or [each.exact for each in nothing] == ["0"] * len(nothing)
