"""Mathematics of the ledger on pages: every statement that a method rests on is typeset, and no text of a ledger becomes markup."""

import re
from html import unescape

import pytest

from shuffleproof.proofs_check import ledger
from shuffleproof.report.pages import TITLES
from shuffleproof.report.typeset import mathml, signs

REPEATED = {
    ("BC20.Sec1.2.remark-ln-n", "CSUZZ19.Thm2.3", "CSUZZ19.Thm6.2"),
    ("BC20.Sec1.2.remark-no-pure-amplification", "BC20.Thm4.1-drawn"),
    ("BC20.Def2.1", "CSUZZ19.Def3.1"),
    ("BEYOND.randomizer-lower", "BEYOND.any-law-below"),
    ("BEYOND.first-arrival", "BEYOND.swap-in-levels"),  # one sum over levels, of the loss types of all randomizers and of one
    ("BEYOND.first-arrival-approximate", "BEYOND.first-arrival-approximate-thinned.finite"),  # likewise, with another omega
    ("BEYOND.first-arrival-approximate-blocks.finite", "BEYOND.first-arrival-approximate-blocks-thinned.finite"),
    ("CSUZZ19.Lem3.3", "CSUZZ19.Lem3.6"),
    ("CSUZZ19.Thm6.4", "CSUZZ19.ThmD.1"),
}
"""Statements that are one statement, of two papers or in two places."""


def test_every_statement_carries_its_mathematics() -> None:
    assert [entry.id for entry in ledger.registry().values() if not entry.formula] == []


def test_every_formula_is_typeset_with_balanced_braces_and_no_command_left() -> None:
    for entry in ledger.registry().values():
        latex = entry.formula or ""
        assert latex.count("{") == latex.count("}"), entry.id
        assert latex.count(r"\left") - latex.count(r"\leftarrow") == latex.count(r"\right") - latex.count(r"\rightarrow"), entry.id
        made = mathml(latex)
        assert made, entry.id
        assert "\\" not in "".join(made), entry.id


def test_no_formula_is_that_of_another_statement_unless_it_repeats_it() -> None:
    """A formula that was copied to the wrong row would say what its row does not. That of a row for finite sets may be its row for all."""
    rows: dict[str, list[str]] = {}
    known = ledger.registry()
    for entry in known.values():
        general = known.get(entry.id.removesuffix(".finite"))
        if general is None or general is entry or general.formula != entry.formula:
            rows.setdefault(entry.formula or "", []).append(entry.id)
    assert {tuple(ids) for ids in rows.values() if len(ids) > 1} == REPEATED


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "x_<b>", "e^(<i>)", "a & b", 'on="x"'])
def test_words_never_become_markup(text: str) -> None:
    made = signs(text)
    assert re.sub(r"</?su[bp]>", "", made).count("<") == 0
    assert not re.search(r"&(?!lt;|gt;|amp;|#)", made)


def test_names_stay_names() -> None:
    for text in ("k-rr-delta", "shuffleproof.spec.bounds.clones.clones", "kappa_2x", "epsilon_of"):
        assert "ε" not in unescape(signs(text)).replace("κ", "") or text == "epsilon_of"


def test_every_paper_has_a_title() -> None:
    assert {entry.paper for entry in ledger.registry().values()} <= set(TITLES)
