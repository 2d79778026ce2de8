"""autodp (extra `autodp`): our mechanisms as its objects, by certified Renyi divergences; what it computes from them is no certificate."""

from typing import Any

from shuffleproof.keywords import own_names
from shuffleproof.mechanisms.mechanism import Mechanism
from shuffleproof.spec.vocabulary.errors import MissingExtraError, UnsupportedError
from shuffleproof.spec.vocabulary.scope import Relation

try:
    from autodp.autodp_core import Mechanism as AutodpMechanism
except ModuleNotFoundError:
    raise MissingExtraError(package="autodp", extra="autodp", what="autodp's objects") from None

__dir__ = own_names(__name__)


def autodp_mechanism(mechanism: Mechanism) -> Any:
    """A mechanism of autodp's whose Renyi divergence at every order above 1 is our certified upper bound, rounded up.

    mechanism: what `shuffled` made, of replace-one neighbours; at orders of 1 and less the divergence at 2 is given, which is not smaller.
    Its conversion to (epsilon, delta) and its composition with other mechanisms are float64 without a certificate.
    Raises UnsupportedError for other neighbours, and what `mechanism.renyi` raises.
    """
    if mechanism.neighbours() is not Relation.REPLACE_ONE:
        raise UnsupportedError(what=f"{mechanism} for autodp", reason="it is not about replace-one neighbours", advice="ask it for epsilon")
    mechanism.renyi(order=2)  # refuses now what would be refused later
    made = AutodpMechanism()
    made.name, made.params = str(mechanism), {}
    made.replace_one = True
    made.propagate_updates(lambda order: mechanism.renyi(order=order if order > 1 else 2).upper.guarantee, "RDP")
    return made
