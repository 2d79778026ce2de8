"""Mathematics on a page: LaTeX as MathML, and words of the ledger with the signs that they stand for."""

import re
from functools import cache

_SIGNS = {
    "eps0": "ε<sub>0</sub>",
    "epsilon0": "ε<sub>0</sub>",
    "delta0": "δ<sub>0</sub>",
    "eps": "ε",
    "epsilon": "ε",
    "delta": "δ",
    "Delta": "Δ",
    "lambda": "λ",
    "Lambda": "Λ",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "theta": "θ",
    "kappa": "κ",
    "mu": "μ",
    "nu": "ν",
    "eta": "η",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "Phi": "Φ",
    "chi": "χ",
    "pi": "π",
    "omega": "ω",
    "sqrt": "√",
    "oo": "∞",
}
_RELATIONS = {"<=": "≤", ">=": "≥", "->": "→", "||": "‖", "~=": "≈"}
_PIECE = re.compile(
    r"(?P<raised>[_^])(?P<what>\((?:[^()]|\([^()]*\))*\)|-?\w+|[*+](?![\w(]))|(?P<relation><=|>=|->|\|\||~=)"
    r"|(?<![\w.])(?<![a-z]-)(?P<word>" + "|".join(sorted(_SIGNS, key=len, reverse=True)) + r")(?=$|[^\w-]|_|-[^a-z])"
)
_FUNCTION = re.compile('(<mi>(?:ln|log|cosh|exp)</mi>)(?!<mo stretchy="false">.?&#x00028;)')
_AFTER_A_FACTOR = re.compile("(</mi>|</mn>|</msup>|</msub>|</mfrac>)(<mi>(?:ln|log|cosh|exp)</mi>)")
_PAIRS = (("{", "}"), ("(", ")"), ("[", "]"), (r"\begin", r"\end"))
"""What must be closed before a formula may be parted."""
_OPERATOR = re.compile("<mi>(:|;|&#x(?:0223C|027F9|027FA|02308|02309|0230A|0230B);)</mi>")


def mathml(latex: str) -> list[str] | None:
    """A displayed formula as MathML, its parts apart so that they can wrap; None where nothing typesets it (extra `verify`).

    Parts stand between \\quad or \\qquad outside braces, or end with a comma that a space follows ("a,\\ b").
    """
    try:
        from latex2mathml.converter import convert
    except ImportError:
        return None
    parts = [""]
    for piece in re.split(r"(\\qq?uad\s+|(?<=,)\\ )", latex):
        whole = all(
            parts[-1].count(opening) == parts[-1].count(closing) for opening, closing in (*("{}", "()", "[]"), ("\\begin", "\\end"))
        )
        if not (whole and piece.startswith(("\\quad", "\\qquad", "\\ "))):
            parts[-1] += piece
        elif parts[-1]:
            parts.append("")
    return [with_operators(str(convert(part, display="block"))) for part in parts if part]


def with_operators(converted: str) -> str:
    """MathML in which relations, colons and brackets that the converter takes for names are operators, and h log h has its spaces."""
    spaced = _FUNCTION.sub(r'\1<mspace width="0.17em"></mspace>', _AFTER_A_FACTOR.sub(r'\1<mspace width="0.17em"></mspace>\2', converted))
    return _OPERATOR.sub(r"<mo>\1</mo>", spaced.replace("<mi>&#x0007E;</mi>", "<mi>&#x0223C;</mi>"))


@cache
def signs(text: str) -> str:
    """Words such as "eps0 <= e^(2 eps)" as HTML with signs, indices and powers; everything else is escaped and stays as it is.

    >>> signs("for eps0 <= ln(n/16) and x_1 < e^(2 eps)")
    'for ε<sub>0</sub> ≤ ln(n/16) and x<sub>1</sub> &lt; e<sup>2 ε</sup>'
    >>> signs("the mean of (u omega)_+")
    'the mean of (u ω)<sub>+</sub>'
    """
    from markupsafe import escape

    made, at = [], 0
    for found in _PIECE.finditer(text):
        made.append(str(escape(text[at : found.start()])))
        at = found.end()
        if found["word"]:
            made.append(_SIGNS[found["word"]])
        elif found["relation"]:
            made.append(_RELATIONS[found["relation"]])
        else:
            tag = "sub" if found["raised"] == "_" else "sup"
            what = found["what"]
            inner = what[1:-1] if what.startswith("(") else what
            made.append(f"<{tag}>{signs(inner)}</{tag}>")
    made.append(str(escape(text[at:])))
    return "".join(made)
