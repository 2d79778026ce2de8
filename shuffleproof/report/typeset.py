"""Mathematics on a page: words of the ledger with the signs that they stand for."""

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
    "lam": "λ",
    "kap": "κ",
    "gam": "γ",
    "hhat": "ĥ",
    "lhat": "λ̂",
    "lbar": "λ̄",
    "Nbar": "N̄",
    "Chat": "Ĉ",
    "Ctil": "C̃",
}
_RELATIONS = {"<=": "≤", ">=": "≥", "->": "→", "||": "‖", "~=": "≈", "!=": "≠", "+-": "±", "...": "…", " - ": " − ", "-": "−", " o ": " ∘ "}
_ABOVE = {"^": "\u0302", "~": "\u0303"}
"""A hat or a tilde that stands behind its letter, as in "p^" and "R~(x)"."""
_PIECE = re.compile(
    r"(?P<raised>[_^])(?P<what>\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\{[^{}]*\}|-?\w+|[*+-](?![\w(]))"
    r"|(?P<relation><=|>=|->|\|\||~=|!=|\+-|\.\.\.| - |(?<=[(\[{])-(?=\w)|(?<=[\w)]) o (?=[A-Z(]))|(?<=[A-Za-z])(?P<above>[\^~])(?!=)"
    r"|(?<![\w.])(?P<digits>\d+(?:\.\d+)?)e(?P<exponent>-?\d+)(?![\w.]*\d)"
    r"|(?<![\w.])(?<![a-z]-)(?P<word>" + "|".join(sorted(_SIGNS, key=len, reverse=True)) + r")(?=$|[^\w-]|_|-[^a-z])"
)


@cache
def signs(text: str) -> str:
    """Words such as "eps0 <= e^(2 eps)" as HTML with signs, indices and powers; everything else is escaped and stays as it is.

    >>> signs("for eps0 <= ln(n/16) and x_1 < e^(2 eps)")
    'for ε<sub>0</sub> ≤ ln(n/16) and x<sub>1</sub> &lt; e<sup>2 ε</sup>'
    >>> signs("the mean of (u omega)_+")
    'the mean of (u ω)<sub>+</sub>'
    >>> signs("R~(x) at delta = 5e-7 is below e^-eps")
    'R̃(x) at δ = 5 · 10<sup>−7</sup> is below e<sup>−ε</sup>'
    """
    from markupsafe import escape

    made, at = [], 0
    for found in _PIECE.finditer(text):
        made.append(str(escape(text[at : found.start()])))
        at = found.end()
        if found["word"]:
            made.append(_SIGNS[found["word"]])
        elif found["above"]:
            made.append(_ABOVE[found["above"]])
        elif found["digits"]:
            factor = "" if found["digits"] == "1" else f"{found['digits']} · "
            made.append(f"{factor}10<sup>{_minus(found['exponent'])}</sup>")
        elif found["relation"]:
            made.append(_RELATIONS[found["relation"]])
        else:
            tag = "sub" if found["raised"] == "_" else "sup"
            what = found["what"]
            inner = what[1:-1] if what[0] in "({" else what
            made.append(f"<{tag}>{_minus(signs(inner))}</{tag}>")
    made.append(str(escape(text[at:])))
    return "".join(made)


def _minus(text: str) -> str:
    return f"−{text[1:]}" if text.startswith("-") else text
