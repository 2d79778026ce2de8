"""Random, extreme and hostile questions to the command line: every verb that computes, and the files that it reads."""

import contextlib
import io
import random
import tempfile
from pathlib import Path
from typing import Any

ALL_OF_IT = ("calibrate", "compose", "compare", "advise", "plan", "claims", "formula", "law", "sum", "samples", "run", "sweep")
HOSTILE = ("1e308", "1e-320", "1e10000", "1e-10000", "1e99999", "ln 1e10000", "ln 0", "1/0", "nan", "-1", "", "0x10", "\u0661", "9" * 5000)
"""Texts for a number that no float holds, or that are none."""
NESTED = ("[" * 10**5, "{" * 10**5, "-" * 990, "(" * 5000, "9" * 10**5)
"""Texts that are deeper or longer than what reads them by recursion, or converts integers, goes."""


def command(chance: random.Random) -> dict[str, Any]:
    """What is typed, and the text of the file that FILE stands for; of five one is damaged in one place."""
    asked = _kind(chance)
    if chance.random() < 0.8:
        return asked
    if "file" in asked and chance.random() < 0.5:
        return {**asked, "file": damaged(asked["file"], chance)}
    words = list(asked["command"])
    numbers = [at for at, word in enumerate(words) if at and words[at - 1].startswith("-") and not word.startswith("-") and word != "FILE"]
    if numbers:
        words[chance.choice(numbers)] = chance.choice(HOSTILE)
    return {**asked, "command": words}


def damaged(text: str, chance: random.Random) -> str:
    """A file cut off, or with something else at one place."""
    at = chance.randrange(len(text) + 1)
    put = chance.choice(("", "\x00", "\ufeff", "\u202e", '"', "\n", ",", *HOSTILE, *NESTED))
    return text[:at] + put + chance.choice(("", text[at:], text[at + 1 :]))


def _kind(chance: random.Random) -> dict[str, Any]:
    kind = chance.choice(ALL_OF_IT)
    return {
        "calibrate": calibration,
        "compose": composition,
        "compare": comparison,
        "advise": advice,
        "plan": plan,
        "claims": claims,
        "formula": formula,
        "law": distribution,
        "sum": protocol,
        "samples": samples,
        "run": released,
        "sweep": sweep,
    }[kind](chance)


def logarithmic(chance: random.Random, low: float, high: float) -> str:
    return f"{10 ** chance.uniform(low, high):.3g}"


def users(chance: random.Random) -> str:
    return str(chance.choice((1, 2, 10**12, round(10 ** chance.uniform(0, 12)), round(10 ** chance.uniform(2, 6)))))


def local(chance: random.Random) -> str:
    return chance.choice((logarithmic(chance, -12, 4), logarithmic(chance, -1, 1), "0", "700", "ln 3"))


def central(chance: random.Random) -> list[str]:
    epsilon = chance.choice((logarithmic(chance, -6, 1), "0", logarithmic(chance, -12, 4), "ln 3"))
    return ["--eps", epsilon, "--delta", delta(chance)]


def delta(chance: random.Random) -> str:
    return chance.choice((logarithmic(chance, -300, 0), logarithmic(chance, -12, -2), "0", "1", "1e-300"))


def many(chance: random.Random, high: float = 9) -> str:
    return str(chance.choice((1, 2, 3, round(10**high), round(10 ** chance.uniform(0.4, high)))))


def of_randomizer(chance: random.Random) -> list[str]:
    name = chance.choice(("krr", "laplace", "rappor", "asymmetric-rappor", "subset", "hadamard", "hash"))
    k = max(2, int(many(chance)))
    given = {
        "krr": ["-k", str(k)],
        "subset": ["-k", str(k), "-d", str(max(1, k // chance.choice((2, 10))))],
        "hadamard": ["-k", str(k), *chance.choice(([], ["--blocks", "4"]))],
        "hash": ["--buckets", str(chance.choice((2, 4, 1000))), *chance.choice(([], ["--family", "any"], ["--family", "uniform"]))],
    }
    return ["--randomizer", name, *given.get(name, [])]


def asked(*words: str, file: str | None = None) -> dict[str, Any]:
    return {"command": list(words), **({} if file is None else {"file": file})}


def calibration(chance: random.Random) -> dict[str, Any]:
    sums = ("laplace-sum", "binomial-sum", "discrete-gaussian-sum", "split-and-mix", "fake-users")
    what = chance.choice(("zero-sum", "histogram", "bit-sum", "real-sum", "frequency", "user-histogram", *sums))
    target = ["-n", users(chance), *central(chance)]
    if what in ("zero-sum", "histogram"):
        target += ["--dishonest", chance.choice(("0", "0", many(chance, 6)))]
    if what in sums[:4] and (what != "split-and-mix" or chance.random() < 0.5):
        target += ["--sensitivity", many(chance, 12)]
    if what == "split-and-mix":
        target += ["--modulus", many(chance, 30)]
    if what == "real-sum":
        target += ["--view", chance.choice(("untagged", "tagged"))]
        target += [word for _ in range(chance.randrange(3)) for word in ("--r", many(chance, 4))]
    if what == "frequency":
        name = chance.choice(("hadamard", "krr", "subset", "rappor", "asymmetric-rappor"))
        target += ["--randomizer", name, "-k", many(chance), "--bound", chance.choice(("clones", "stronger-clones"))]
    if what == "user-histogram":
        given = target[2:4] if chance.random() < 0.3 else target[2:]
        target = ["--threshold", logarithmic(chance, -3, 9), "--domain-size", many(chance), *given]
        target += ["--relation", chance.choice(("replace", "add-remove"))]
    return asked("calibrate", what, *target)


def composition(chance: random.Random) -> dict[str, Any]:
    if chance.random() < 0.3:
        ratio = logarithmic(chance, 0, 9)
        own = ["--p", chance.choice((ratio, "infinity")), "--beta", logarithmic(chance, -9, 0), "--q", ratio]
    elif chance.random() < 0.1:
        own = ["--sigma", logarithmic(chance, -3, 3)]
    else:
        own = ["--eps0", local(chance), *(of_randomizer(chance) if chance.random() < 0.5 else [])]
    return asked("compose", *own, "-n", users(chance), "--rounds", many(chance, 7), "--delta", delta(chance))


def comparison(chance: random.Random) -> dict[str, Any]:
    own = ["--eps0", local(chance), *(of_randomizer(chance) if chance.random() < 0.5 else [])]
    if chance.random() < 0.1:
        own = ["--sigma", logarithmic(chance, -3, 3)]
    what = central(chance)
    return asked("compare", *own, "-n", users(chance), *(what[:2] if chance.random() < 0.4 else what[2:]))


def advice(chance: random.Random) -> dict[str, Any]:
    task = chance.choice(("frequencies", "histogram", "bit-sum", "real-sum"))
    size = {"frequencies": ["-k", many(chance)], "histogram": ["-d", many(chance)]}.get(task, [])
    return asked("advise", "--task", task, *size, "-n", users(chance), *central(chance))


def protocol(chance: random.Random) -> dict[str, Any]:
    n = users(chance)
    what, digits = central(chance), ["--digits", str(chance.choice((1, 30, 300)))] if chance.random() < 0.3 else []
    quantity, given = chance.choice((("epsilon", what[2:]), ("delta", what[:2])))
    return asked("bound", quantity, *_protocol(chance, n), *given, *digits)


def _protocol(chance: random.Random, n: str) -> list[str]:
    method = chance.choice(("zero-sum", "histogram", "bit-sum", "real-sum-untagged", "real-sum-tagged", "fake-users", "laplace-sum"))
    noise = str(min(int(n), round(10 ** chance.uniform(0, 12))))
    if method == "laplace-sum":
        return ["--method", method, "-n", n, "--sensitivity", many(chance, 12), "--eps0", local(chance)]
    if method in ("zero-sum", "histogram", "fake-users"):
        own = ["--p", chance.choice(("0.5", "0.999", "0", "1", f"{1 - float(noise) / int(n):.9g}"))]
        own += ["--fakes", many(chance, 12)] if method == "fake-users" else []
    else:
        own = ["--lambda", noise, *(["--r", many(chance, 6)] if method != "bit-sum" else [])]
    return ["--method", method, "-n", n, *own]


def plan(chance: random.Random) -> dict[str, Any]:
    what = central(chance)
    lines = [f'relation = "{chance.choice(("one-user", "one-value"))}"']
    lines += [f'neighbours = "{chance.choice(("replace-one", "deletion"))}"\ngroup = {chance.choice((1, 1, 2, 1000))}']
    lines += [f'[target]\nepsilon = "{what[1]}"\ndelta = "{what[3]}"']
    for at in range(chance.randint(1, 3)):
        repeat, n = min(10**6, int(many(chance, 5))), users(chance)
        lines.append(f'[[rounds]]\nname = "{at}"\nusers = {n}\nrepeat = {repeat}')
        lines += _who_takes_part(chance, int(n), repeat)
        for _ in range(chance.randint(1, 3)):
            lines.append("\n".join(["[[rounds.questions]]", *_planned(chance, n)]))
    more = chance.choice(([], [], ["--most-repeats", "0"], ["--least-users", "0"]))
    return asked("plan", "check", "FILE", *more, file="\n".join(lines) + "\n")


def _who_takes_part(chance: random.Random, n: int, repeat: int) -> list[str]:
    """Of one round: chance, absence, dishonesty, sharing."""
    lines = []
    if chance.random() < 0.5:
        lines.append(f'rate = "{chance.choice(("1/10", "1/2", "999/1000", logarithmic(chance, -12, 0)))}"')
        lines += [f"least = {max(1, n // chance.choice((2, 20)))}"] if chance.random() < 0.5 else []
    lines += [f"dishonest = {n // chance.choice((2, 1000))}"] if n > 1 and chance.random() < 0.3 else []
    lines += [f"participations = {chance.randint(1, repeat)}"] if chance.random() < 0.3 else []
    return lines + ([f'overlap = "{chance.choice(("0", "1/2", logarithmic(chance, -12, 0)))}"'] if chance.random() < 0.3 else [])


def _planned(chance: random.Random, n: str) -> list[str]:
    """Of one question: a randomizer, now and then asked once for all, or a protocol."""
    noise = str(min(int(n), round(10 ** chance.uniform(0, 12))))
    if chance.random() < 0.4:
        name = chance.choice(("bit-sum", "real-sum", "zero-sum", "histogram", "fake-users", "laplace-sum"))
        given = {
            "bit-sum": {"lam": noise},
            "real-sum": {"lam": noise, "r": many(chance, 4)},
            "fake-users": {"fakes": many(chance, 12), "p": chance.choice(("0.5", "0.999", "0"))},
            "laplace-sum": {"sensitivity": many(chance, 12), "epsilon0": local(chance)},
        }.get(name, {"p": chance.choice(("0.5", "0.999", f"{1 - float(noise) / int(n):.9g}"))})
        return [f'protocol = "{name}"', *(f'{key} = "{value}"' for key, value in given.items())]
    words = of_randomizer(chance) if chance.random() < 0.7 else ["--randomizer", "any"]
    sizes = [f'{name.lstrip("-")} = "{value}"' for name, value in zip(words[::2], words[1::2], strict=True)]
    return [*sizes, f'epsilon0 = "{local(chance)}"', *(["memoised = true"] if chance.random() < 0.2 else [])]


def claims(chance: random.Random) -> dict[str, Any]:
    rows = [f"{users(chance)},{local(chance)},{delta(chance)},{logarithmic(chance, -9, 3)}" for _ in range(2)]
    return asked("audit", "claims", "FILE", file="\n".join(["n,eps0,delta,epsilon", *rows]) + "\n")


def formula(chance: random.Random) -> dict[str, Any]:
    expression = chance.choice(("eps0/sqrt(n)", "eps0*sqrt(ln(1/delta)/n)", "exp(eps0*eps0)", "ln(n)^eps0/n", "n^(n*eps0)"))
    fixed = {"n": users(chance), "eps0": local(chance), "delta": delta(chance)}
    return asked("audit", "formula", expression, "--points", "2", *(word for name in fixed for word in ("--set", f"{name}={fixed[name]}")))


def distribution(chance: random.Random) -> dict[str, Any]:
    inputs, outcomes = chance.choice(((2, 2), (2, 300), (40, 40), (300, 3))), None
    inputs, outcomes = inputs
    rows = []
    for x in range(inputs):
        weights = [chance.choice((0, 1, 10 ** chance.randint(0, 60), chance.randint(1, 9))) for _ in range(outcomes)]
        weights[0] += 1
        rows += [f"{x},{y},{weight}/{sum(weights)}" for y, weight in enumerate(weights)]
    shuffled = ["-n", users(chance), *central(chance)] if chance.random() < 0.8 else []
    return asked("audit", "distribution", "FILE", *shuffled, file="\n".join(["input,outcome,probability", *rows]) + "\n")


def samples(chance: random.Random) -> dict[str, Any]:
    outputs = chance.choice((("0", "1"), ("0.25", "-1e300", "nan"), ("a", "b", "\u202e"), ("0101", "1")))
    rows = [f"{chance.choice('xy')},{chance.choice(outputs)}" for _ in range(chance.choice((0, 2, 2000)))]
    more = ["--level", logarithmic(chance, -300, 0)] if chance.random() < 0.3 else []
    return asked("audit", "samples", "FILE", *central(chance), *more, file="\n".join(["side,output", *rows]) + "\n")


def released(chance: random.Random) -> dict[str, Any]:
    what, cells = (
        chance.choice(("bit-sum", "real-sum", "histogram", "check")),
        chance.choice((("0", "1"), ("1/3", "0.25", "1e-5", "x", ""))),
    )
    n = chance.choice((0, 1, 2, 1000))
    own = ["--kind", chance.choice(("bit", "number", "item"))] if what == "check" else central(chance)
    if what in ("bit-sum", "real-sum"):
        own += ["--noise", many(chance, 4), *(["--r", many(chance, 4)] if what == "real-sum" else [])]
    elif what == "histogram":
        own += ["--noise", logarithmic(chance, -6, 0), *chance.choice((["--domain", "FILE"], ["--open"]))]
    rows = [f"{number},{chance.choice(cells)}" for number in range(n)]
    return asked("run", what, "--data", "FILE", "--column", "x", *own, file="\n".join(["user,x", *rows]) + "\n")


def sweep(chance: random.Random) -> dict[str, Any]:
    what = central(chance)
    own = ["-n", f"{users(chance)},7", "--eps0", local(chance), *(what[:2] if chance.random() < 0.5 else what[2:])]
    return asked("sweep", *own, "--workers", "1", "-o", "FILE", file=chance.choice(("", '{"sweep": 1}\n', chance.choice(NESTED))))


def ended(command: list[str], file: str | None = None) -> str:
    """Run it here; how it ended, in words."""
    from shuffleproof.command_line import program

    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("distribution.csv" if "law" in command else "file")
        path.write_text(file or "", "utf-8")
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                program.main([str(path) if word == "FILE" else word for word in command])
        except SystemExit as end:
            code = int(end.code or 0)
    said = err.getvalue().strip() or out.getvalue().strip()
    out_of_memory = "not enough memory" in said
    return f"FAULT {code}: {said}" if code not in (0, 1, 2, 3, 5) or "Traceback" in said or out_of_memory else f"{code}: {said}"
