"""Our own engines as harnesses, to be judged like anybody else's: "py:shuffleproof.verification.own_harness:ball", ":fast", ":exact"."""

from collections.abc import Mapping

from shuffleproof import __version__
from shuffleproof.conformance.operations import OPERATIONS
from shuffleproof.conformance.running.protocol import Answer
from shuffleproof.methods import METHODS, carried_out, engines_for, method_named
from shuffleproof.spec.vocabulary.bound import Engine
from shuffleproof.spec.vocabulary.errors import DomainError, RegimeError, ResourceLimitError, UndecidedError, UnsupportedError
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.numerals import count, decimal_text
from shuffleproof.verification.own_answers import responses

_DEFAULT_DIGITS = 15
"""Digits of an answer in ball arithmetic unless the harness is configured otherwise."""
_LONGEST_VALUE = 1000
"""Characters that the protocol takes for one number; a longer exact value is claimed from its own side, in decimals."""
_PROTOCOLS: Mapping[Engine, tuple[str, ...]] = {
    "exact": ("zero-sum", "histogram", "bit-sum", "real-sum"),
    "ball": ("zero-sum", "histogram", "bit-sum", "real-sum", "real-sum-tagged", "frequency", "user-histogram"),
    "fast": (),
}


class EngineHarness:
    """One engine, asked directly: nothing is handed over to another one.

    engine: "exact", "ball" or "fast". Answers with the side that the method's claim is on, or with "exact".
    """

    def __init__(self, engine: Engine) -> None:
        self.engine: Engine = engine
        self.digits = _DEFAULT_DIGITS
        self.about: Mapping[str, str] = {"name": f"shuffleproof {engine}", "version": __version__, "language": "Python"}
        methods = [method.name for method in METHODS.values() if self._carries(method)]
        self.capabilities: Mapping[str, list[str]] = {
            "operations": ["delta", "epsilon", "profile", *([] if engine == "fast" else ["renyi_divergence"]), *responses(engine)],
            "methods": methods,
            "randomizers": ["binary-rr", "k-rr"] if engine == "exact" else [],
            "protocols": list(_PROTOCOLS[engine]),
        }

    def configure(self, *, seed: int, digits: int) -> None:
        """digits: significant digits asked of the certified engine. Nothing here is random, so the seed changes nothing."""
        self.digits = digits

    def run(self, operation: str, given: Mapping[str, str]) -> Answer:
        """The engine's answer: "refused" outside the domain or a theorem's regime, "unsupported" beyond what the engine can do."""
        try:
            if operation in ("delta", "epsilon"):
                return self._bound(operation, given)
            if operation == "profile":
                return self._profile(given)
            if operation == "renyi_divergence":
                return self._renyi_divergence(given)
            return responses(self.engine)[operation](given, self.digits)
        except (DomainError, RegimeError) as error:
            return Answer(claim="refused", reason=str(error))
        except (UnsupportedError, ResourceLimitError, UndecidedError) as error:
            return Answer(claim="unsupported", reason=str(error))

    def _bound(self, operation: str, given: Mapping[str, str]) -> Answer:
        method = method_named(given["method"])
        if operation not in method.quantities or not self._carries(method):
            return Answer(claim="unsupported", reason=f"{operation} of {method.name} by engine {self.engine}")
        names = {each.protocol_key: each.name for each in (*method.parameters, *method.optional)}
        parameters = {names.get(key, key): text for key, text in given.items() if key != "method"}
        function = carried_out(method, self.engine, "delta" if operation == "delta" else "epsilon")
        bound = function(**parameters, **({"digits": self.digits} if self.engine == "ball" else {}))
        if bound.side == "estimate":
            return Answer(claim="estimate", value=bound.decimals()[1])
        if bound.exact is not None and len(bound.exact) <= _LONGEST_VALUE:
            return Answer(claim="exact", value=bound.exact)
        lower, upper = bound.decimals()
        return Answer(claim=method.side, value=upper if method.side == "upper" else lower)

    def _profile(self, given: Mapping[str, str]) -> Answer:
        """One epsilon after the other; of one claim, which is the method's side where one of them is not exact."""
        asked = {key: text for key, text in given.items() if key != "epsilons"}
        found = [self._bound("delta", {**asked, "epsilon": text.strip()}) for text in given["epsilons"].split(",")]
        claims = {answer.claim for answer in found}
        other = next((answer for answer in found if answer.value is None), None)
        if other is not None:
            return other
        claim = claims.pop() if len(claims) == 1 else next(each for each in ("estimate", "upper", "lower") if each in claims)
        return Answer(claim=claim, table={str(place): answer.value or "" for place, answer in enumerate(found)})

    def _renyi_divergence(self, given: Mapping[str, str]) -> Answer:
        rounds = count(given["rounds"], parameter="rounds")
        if "method" not in given:
            raise UnsupportedError(what="privacy loss distributions", reason="no engine takes them", advice="")
        method = method_named(given["method"])
        if self.engine not in engines_for(method, "renyi"):
            raise UnsupportedError(what=f"Renyi divergences of {method.name}", reason=f"not by engine {self.engine}", advice="")
        parameters = {key: text for key, text in given.items() if key not in ("method", "rounds")}
        digits = {"digits": self.digits} if self.engine == "ball" else {}
        found = carried_out(method, self.engine, "renyi")(**parameters, **digits)
        if method.side == "upper":
            return Answer(claim="upper", value=decimal_text(rounds * found.upper, digits=self.digits + 2, direction="up"))
        return Answer(claim="lower", value=decimal_text(rounds * found.lower, digits=self.digits + 2, direction="down"))

    def _carries(self, method: Method) -> bool:
        """Return whether this engine has the method, and the operations have a form of input for its parameters."""
        keys = frozenset({"method", "n", "delta", *(each.protocol_key for each in method.parameters)})
        return self.engine in engines_for(method) and keys in OPERATIONS["epsilon"].keys


def exact() -> EngineHarness:
    """The specification: exact rationals, small n."""
    return EngineHarness("exact")


def ball() -> EngineHarness:
    """Certified balls, any n."""
    return EngineHarness("ball")


def fast() -> EngineHarness:
    """float64 with sound sides."""
    return EngineHarness("fast")
