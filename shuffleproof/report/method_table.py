"""The page about the methods, docs/methods.md, made from their records: `python -m shuffleproof.report.method_table > docs/methods.md`."""

from shuffleproof.methods import METHODS, engines_for
from shuffleproof.spec.vocabulary.method import Method
from shuffleproof.spec.vocabulary.parameters import CENTRAL, N, Parameter

_ABOUT = """---
hide-toc: true
---

# The methods

Made from the methods' records by `python -m shuffleproof.report.method_table`; `shuffleproof bound list METHOD...` shows the same.

`upper`: what its claim names is at least as private as the number says. `lower`: it is not more private than that.
"""


def markdown() -> str:
    """The page: a table of the methods, what each one's claim is, and a table of the parameters."""
    known = METHODS.values()
    return "\n".join(
        [
            _ABOUT,
            *_table(
                ["method", "what it is", "side", "statement", "takes, beside n", "answers", "engines"],
                [
                    [
                        f"`{method.name}`",
                        method.says,
                        method.side,
                        method.statement,
                        ", ".join([f"`{each.option}`" for each in method.parameters] + [f"[`{each.option}`]" for each in method.optional]),
                        ", ".join(method.quantities),
                        ", ".join(engines_for(method)),
                    ]
                    for method in known
                ],
            ),
            "\n## What each one claims\n",
            *(
                f"- `{method.name}` ({method.relation.value}; {method.mechanisms}), {_claim(method)} It needs {method.needs}."
                for method in known
            ),
            "\n## The parameters\n",
            *_table(
                ["in Python", "option", "what it is", "accepted"],
                [
                    [f"`{each.name}`", ", ".join(f"`{each}`" for each in each.spellings), each.meaning, each.domain]
                    for each in _parameters()
                ],
            ),
            "",
        ]
    )


def _claim(method: Method) -> str:
    return f"{method.claim(method.quantities[0])}."


def _parameters() -> list[Parameter]:
    """Every parameter of every method, each meaning once, in the order of the methods."""
    own = [each for method in METHODS.values() for each in (*method.parameters, *method.optional)]
    return list(dict.fromkeys([N, *own, *CENTRAL.values()]))


def _table(heads: list[str], rows: list[list[str]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return [f"| {' | '.join(cells)} |" for cells in lines]


if __name__ == "__main__":
    print(markdown(), end="")
