"""Mathematics of the ledger on pages: words of statements get their signs, and no text of a ledger becomes markup."""

import re
from html import unescape

import pytest

from shuffleproof.proofs_check import ledger
from shuffleproof.report.pages import TITLES
from shuffleproof.report.typeset import signs


def test_no_statement_says_what_another_says_unless_it_repeats_it() -> None:
    """Words that were copied to the wrong row would say what its row does not."""
    rows: dict[str, list[str]] = {}
    for entry in ledger.registry().values():
        rows.setdefault(entry.says, []).append(entry.id)
    assert [ids for ids in rows.values() if len(ids) > 1] == []


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
