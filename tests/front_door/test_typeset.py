"""Mathematics of the ledger on pages: every statement that a method rests on is typeset, and no text of a ledger becomes markup."""

from __future__ import annotations

import re
from html import unescape

import pytest

from shuffleproof.methods import METHODS
from shuffleproof.proofs_check import ledger
from shuffleproof.report.typeset import mathml, signs

MAIN = re.compile(r"(?:FMT21|CSUZZ19|BC20|LSZKG22|BEYOND)\.(?:Thm|Cor)[A-Z]?\d+(?:\.\d+)*")
IN_WORDS = {
    "BC20.Thm1.2",
    "BC20.Thm1.3",
    "BC20.Thm4.1",
    "CSUZZ19.Thm5.1",
    "CSUZZ19.Thm5.3",
    "CSUZZ19.Thm6.1",
    "CSUZZ19.Thm6.4",
    "CSUZZ19.CorB.4",
    "CSUZZ19.CorC.3",
}


def test_every_statement_that_a_method_rests_on_and_every_main_theorem_carries_its_mathematics() -> None:
    known = ledger.registry()
    wanted = {method.statement for method in METHODS.values()} | {id for id in known if MAIN.fullmatch(id)} - IN_WORDS
    assert {id for id in wanted if not known[id].formula} == set()
    assert all(not known[id].formula for id in IN_WORDS)


def test_every_formula_is_typeset_with_balanced_braces_and_no_command_left() -> None:
    for entry in ledger.registry().values():
        if entry.formula:
            made = mathml(entry.formula)
            assert made, entry.id
            assert "\\" not in "".join(made), entry.id


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "x_<b>", "e^(<i>)", "a & b", 'on="x"'])
def test_words_never_become_markup(text: str) -> None:
    made = signs(text)
    assert re.sub(r"</?su[bp]>", "", made).count("<") == 0
    assert not re.search(r"&(?!lt;|gt;|amp;|#)", made)


def test_names_stay_names() -> None:
    for text in ("k-rr-delta", "shuffleproof.spec.bounds.clones", "kappa_2x", "epsilon_of"):
        assert "ε" not in unescape(signs(text)).replace("κ", "") or text == "epsilon_of"
