"""OpenDP's randomized response, over the harness protocol.

Wraps `opendp.measurements.make_randomized_response_bool(prob)` as "binary-rr" and `make_randomized_response(categories, prob)` as "k-rr".

Claim: samples. A Measurement has a function and a privacy map; it exposes no distribution, so its releases are counted. They are drawn
through `make_composition` of many copies of the measurement, because one call per release spends its time on conversions. The first
batch is read as the package gives it; the others, where it is the release that this was written for, straight from the library's memory,
which is six times as quick: the package makes five calls and a type's name of every number.
OpenDP draws from the operating system's entropy: the protocol's seed has no effect.

prob is the float64 nearest to e^epsilon0 / (e^epsilon0 + k - 1), as a user would compute it. Near epsilon0 = 37 that becomes 1, for
which the package's own privacy map says that there is no finite epsilon: refused.
"""

import ctypes
import math
import sys
from collections import Counter
from collections.abc import Iterable
from decimal import localcontext
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))
from serving import RefusedError, UnsupportedError, exact, serve

sys.path.pop()
try:
    import opendp.prelude as dp
except ImportError as error:
    sys.exit(f"the package opendp cannot be imported here: {error}")

BATCH = 1_000
"""Releases of one composition: one call for each would spend its time on conversions."""
BATCHES = 40
"""At 40,000 releases and a family-wise error of 1e-9, an error of 6 % in a probability of 1/4, or of 2 % in one of 3/4, shows."""

READ_DIRECTLY = "0.16.0"
"""The release whose results are known to lie in memory as `read_directly` expects them."""


def truth_probability(*, k: int, epsilon0: str) -> float:
    """The float64 nearest to e^epsilon0 / (e^epsilon0 + k - 1)."""
    with localcontext(prec=60):
        T = exact(epsilon0).exp()
        return float(T / (T + k - 1))


def samples(operation: str, given: dict[str, str]) -> dict[str, Any]:
    """How often each outcome was released."""
    if operation != "randomizer_law" or given["randomizer"] not in ("binary-rr", "k-rr"):
        raise UnsupportedError("only randomizer_law of binary-rr and k-rr")
    dp.enable_features("contrib")
    binary = given["randomizer"] == "binary-rr"
    k = 2 if binary else int(given["k"])
    x: int | bool = int(given["input"])
    measurement: Any  # without types where the package is not installed
    prob = truth_probability(k=k, epsilon0=given["epsilon0"])
    if binary:
        if x not in (0, 1):
            raise RefusedError("the input of binary randomized response is a bit")
        measurement, x = dp.m.make_randomized_response_bool(prob), bool(x)
    else:
        measurement = dp.m.make_randomized_response(list(range(k)), prob)
    if math.isinf(measurement.map(1)):
        raise RefusedError(f"the nearest float64 to the probability of truth is {prob}, for which the privacy map says epsilon = inf")
    many = dp.c.make_composition([measurement] * BATCH)
    counts: Counter[int] = Counter()
    counts.update(many(x))
    for _ in range(BATCHES - 1):
        counts.update(read_directly(many, x) if version("opendp") == READ_DIRECTLY else many(x))
    return {"claim": "samples", "value": {str(int(outcome)): str(times) for outcome, times in sorted(counts.items())}}


def read_directly(many: Any, x: int | bool) -> Iterable[int]:
    """Return what `many(x)` is: each number a slice of one element, whose address the library gives."""
    # Without types, and not what the package promises: hence one release only.
    data, library, convert, core, mod = (import_module(f"opendp.{name}") for name in ("_data", "_lib", "_convert", "core", "mod"))
    lib, unwrap, an_object, result = library.lib, library.unwrap, library.AnyObjectPtr, library.FfiResult
    element = ctypes.c_bool if isinstance(x, bool) else ctypes.c_int32
    lib.opendp_core__measurement_invoke.argtypes = [mod.Measurement, an_object]
    lib.opendp_core__measurement_invoke.restype = result
    given = convert.py_to_c(x, c_type=an_object, type_name=core.measurement_input_carrier_type(many))
    whole = unwrap(lib.opendp_core__measurement_invoke(many, given), an_object)  # everything below lives as long as this
    slices = data.ffislice_of_anyobjectptrs(data.object_as_slice(whole)).contents
    one_call = ctypes.CFUNCTYPE(result, ctypes.c_void_p)
    load, free = one_call(("opendp_data__object_as_slice", lib)), one_call(("opendp_data__slice_free", lib))
    read = []
    for address in ctypes.cast(slices.ptr, ctypes.POINTER(ctypes.c_void_p))[: slices.len]:
        found = load(address)
        if found.tag != 0:
            raise RefusedError("the package's result cannot be read")
        read.append(element.from_address(library.FfiSlice.from_address(found.payload.Ok).ptr).value)
        free(found.payload.Ok)
    return read


if __name__ == "__main__":
    serve(samples, name="opendp randomized response", package="opendp", operations=["randomizer_law"], randomizers=["binary-rr", "k-rr"])
