"""What methods are asked with: every parameter's name, option, domain and meaning, written once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from shuffleproof.spec.vocabulary.errors import require
from shuffleproof.spec.vocabulary.numerals import (
    INFINITE,
    Epsilon,
    Number,
    count,
    epsilon0_parameter,
    exact_fraction,
    honest_count,
    lambda_parameter,
    noise_variance,
    parse_epsilon,
    probability,
    ratio_bound,
    renyi_order,
)

Value = Number | Epsilon
Given = Mapping[str, Value]
"""The parameters of one question, by their names in Python."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    """One parameter of a method.

    name: the argument in Python; option: on the command line, the name if not given, with older spellings in also; key: its name in the
    harness protocol, where it is not the argument's; metavar and unit: a "COUNT" of "users", a "NUMBER" of "nats"; accepts: the domain in
    words; says: help text, without a full stop; listed: what stands for {} in both, where it takes looking up; read: returns the exact
    value, beside the others that are given; raises DomainError where it lies outside the domain.
    """

    name: str
    accepts: str
    says: str
    read: Callable[[Value, Given], Any]
    option: str = ""
    metavar: str = "NUMBER"
    unit: str = ""
    also: tuple[str, ...] = ()
    key: str = ""
    listed: Callable[[], str] | None = None

    def __post_init__(self) -> None:
        if not self.option:
            object.__setattr__(self, "option", f"--{self.name.replace('_', '-')}")

    @property
    def meaning(self) -> str:
        """The help text."""
        return self.says.format(self.listed()) if self.listed else self.says

    @property
    def domain(self) -> str:
        """Say what it accepts, in words."""
        return self.accepts.format(self.listed()) if self.listed else self.accepts

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every way of writing the option, the present one first."""
        return (self.option, *self.also)

    @property
    def protocol_key(self) -> str:
        """Its name in the harness protocol."""
        return self.key or self.name


def _counted(name: str, says: str, unit: str = "", *, accepts: str = "an integer of at least 1", minimum: int = 1) -> Parameter:
    """Return a parameter that is a whole number."""

    def read(value: Value, _: Given) -> int:
        return count(cast(Number, value), parameter=name, minimum=minimum)

    option = "-n" if name == "n" else ""
    return Parameter(name=name, option=option, metavar="COUNT", unit=unit, accepts=accepts, says=says, read=read)


def _probability(parameter: str) -> Callable[[Value, Given], Any]:
    return lambda value, _: probability(cast(Number, value), parameter=parameter)


def _users(given: Given) -> int:
    return count(cast(Number, given["n"]), parameter="n")


def noise_on_interval(sigma: Number) -> Fraction:
    """The standard deviation of noise on a number in [0, 1], from 1/10 to 10^6. Raises DomainError."""
    exact = exact_fraction(sigma, parameter="sigma")
    require(Fraction(1, 10) <= exact <= 10**6, parameter="sigma", value=sigma, requirement="from 1/10 to 10^6")
    return exact


def _finite_ratio(value: Value, _: Given) -> Fraction | None:
    require(value != INFINITE, parameter="q", value=value, requirement="a number of at least 1")
    return ratio_bound(cast(Number, value), parameter="q")


N = _counted("n", "Number of users", "users", accepts="an integer from 1 to 10^18; to 10^9 where a distribution is given")
EPSILON0 = Parameter(
    name="epsilon0",
    option="--eps0",
    unit="nats",
    accepts="in [0, 10000]",
    says='Local parameter, such as 1 or "ln 3"',
    read=lambda value, _: epsilon0_parameter(value),
)
DELTA0 = Parameter(name="delta0", accepts="in [0, 1]", says="Local delta", read=_probability("delta0"))
K = _counted("k", "Categories", "categories", accepts="an integer of at least 2", minimum=2)
NOISE = Parameter(name="p", accepts="in [0, 1]", says="p of the noise Bern(p)", read=_probability("p"))
DISHONEST = Parameter(
    name="dishonest",
    metavar="COUNT",
    unit="users",
    accepts="an integer from 0 to n - 1",
    says="Users without noise",
    read=lambda value, given: (users := _users(given)) - honest_count(users, cast(Number, value)),
)
LAMBDA = Parameter(
    name="lam",
    option="--lambda",
    also=("--noise",),
    key="lambda",
    unit="bits",
    accepts="in [0, n]",
    says="Expected random bits in [0, n]",
    read=lambda value, given: lambda_parameter(cast(Number, value), n=_users(given)),
)
R = _counted("r", "Bits per user", "bits")
CHANGED = Parameter(
    name="changed",
    metavar="COUNT",
    unit="coordinates",
    accepts="1 (a user's item is dropped) or 2 (it is replaced)",
    says="Coordinates that differ between neighbours: 2 where an item is replaced, 1 where it is dropped",
    read=lambda value, _: count(cast(Number, value), parameter="changed", maximum=2),
)
SENSITIVITY = _counted("sensitivity", "By how much one user's data moves the integer sum at most")
FAKES = _counted("fakes", "Fake users, whose noise the shuffler adds", "users")
COINS = _counted("coins", "Coins that each honest user tosses, and adds up", "coins")
MESSAGES = _counted("messages", "Shares into which each user splits a number", "messages")
MODULUS = Parameter(
    name="modulus",
    metavar="COUNT",
    accepts="an integer of at least 2, at most 2^256",
    says="The modulus of shares and of their sum",
    read=lambda value, _: count(cast(Number, value), parameter="modulus", minimum=2, maximum=1 << 256),
)
VARIANCE = Parameter(
    name="variance",
    accepts="above 0, at most 10^9",
    says="sigma^2 of each honest user's discrete Gaussian noise",
    read=lambda value, _: noise_variance(cast(Number, value)),
)
SIGMA = Parameter(
    name="sigma",
    accepts="from 1/10 to 10^6",
    says="Standard deviation of the noise on a number in [0, 1]",
    read=lambda value, _: noise_on_interval(cast(Number, value)),
)
RATIO = Parameter(
    name="p",
    accepts='at least 1, or "infinity"',
    says='R_0 <= p R_1, R_1 <= p R_0, or "infinity"',
    read=lambda value, _: ratio_bound(cast(Number, value), parameter="p"),
)
BETA = Parameter(name="beta", accepts="in [0, 1]", says="Total variation of R_0, R_1", read=_probability("beta"))
Q = Parameter(name="q", accepts="at least 1", says="R_0, R_1 <= q R_k", read=_finite_ratio)
EPSILON = Parameter(
    name="epsilon",
    option="--eps",
    unit="nats",
    accepts="at least 0",
    says='Central epsilon, such as 0.01 or "ln 3/2"',
    read=lambda value, _: parse_epsilon(value),
)
DELTA = Parameter(name="delta", accepts="in [0, 1]", says="Central delta in [0, 1], such as 1e-6", read=_probability("delta"))
ORDER = Parameter(
    name="order",
    accepts="above 1, at most 10^6",
    says="Order of the divergence, above 1",
    read=lambda value, _: renyi_order(cast(Number, value)),
)
CENTRAL = {"epsilon": DELTA, "delta": EPSILON, "renyi": ORDER}
"""What a quantity is a function of."""
