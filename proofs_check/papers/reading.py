"""How the four papers were read, sentence by sentence: every section, the rows that it has, and what has none and why.

A sentence has a row where it claims something about mathematics that can be checked, or cites something that can; the others are of the
categories named here. Rows belong to the section with the longest of its beginnings of an id.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a paper. name: its number and title. rows: how the ids of its rows begin, after the paper's name.

    without: which of its sentences have no row, and why; "" where every sentence is part of a row or of its grounds.
    """

    name: str
    rows: tuple[str, ...]
    without: str


_PROSE = "history, motivation and names: no claim that could be checked"
SECTIONS: dict[str, tuple[Section, ...]] = {
    "CSUZZ19": (
        Section(
            "Abstract and 1 Introduction",
            (),
            f"{_PROSE}; what is claimed of the protocols and bounds is claimed again, with a number, in section 2",
        ),
        Section(
            "1.1 Background and Related Work",
            (),
            "results of other papers ([4], [8], [12], [20], [30]: sums, blow-ups, statistical queries) whose formulas the text has lost; "
            "the one on sums of bits is repeated in section 2.1. Cryptography, mixnets, deployment and trust: no mathematics",
        ),
        Section("2 Overview: the model", ("Sec2.remark",), "definitions that section 3 repeats"),
        Section(
            "2.1 Algorithmic Results",
            ("Thm2.1", "Thm2.2", "Sec2.1"),
            "that the protocol is simple, and that closing a gap is open: no claim",
        ),
        Section(
            "2.2 Negative Results",
            ("Thm2.3", "Thm2.4", "Sec2.2"),
            "that proofs do not apply to several messages, and what is not known: claims about proofs",
        ),
        Section(
            "2.3 Comparison to [17]", ("Sec2.3",), "what [17] proves is another paper's; its bound is a row as recalled (BEYOND.EFMRTT19)"
        ),
        Section("3.1 Differential Privacy", ("Def3.1", "Lem3.2", "Lem3.3"), ""),
        Section(
            "3.2 Differential Privacy in the Shuffled Model",
            ("Def3.4", "Def3.5", "Lem3.6", "Sec3.2"),
            "the roles of the three algorithms: notation",
        ),
        Section("3.2.1 Local Differential Privacy", ("Sec3.2.1",), ""),
        Section(
            "4.1 The Protocol",
            ("Alg1",),
            "an outline that Algorithm 1 makes exact; `accuracy and utility` are one, privacy is meant: a name",
        ),
        Section(
            "4.2 Privacy Analysis",
            ("Thm4.1", "Alg2", "Alg3", "Alg4", "Clm4.2", "Clm4.3", "Clm4.4", "Clm4.5", "Clm4.6", "Cor4.7", "Sec4.2"),
            "numbered displays (1) to (5) are steps of their claims' rows",
        ),
        Section("4.3 Setting the Randomization Parameter", ("Sec4.3", "Lem4.8", "Clm4.9", "Clm4.10"), ""),
        Section("4.4 Accuracy Analysis", ("Thm4.11",), "the two parameter regimes are those of Corollary B.4"),
        Section("5.1 The Protocol", ("Alg5", "Alg6", "Sec5.1", "Thm5.1"), ""),
        Section("5.2 Warmup: One Message", ("Clm5.2", "Thm5.3", "Sec5.2"), ""),
        Section(
            "5.3 Privacy Analysis",
            ("Thm5.4", "Sec5.3", "Profile"),
            "that the relation between the parameters is complex: a reason for a definition",
        ),
        Section("5.4 Accuracy Analysis", ("Thm5.5",), ""),
        Section(
            "6 and 6.1 One-message Randomizers Satisfy Local Differential Privacy",
            ("Thm6.1", "Thm6.2", "Clm6.3", "Thm6.4"),
            "displays (7) and (8) are steps of Theorem 6.2, whose finite form Coq has checked",
        ),
        Section(
            "6.2.1 The Selection Problem",
            ("Sec6.2.1", "Thm6.5", "Cor6.6", "Tab1"),
            "the problem's definition, (9), is what its rows compute",
        ),
        Section(
            "6.2.2 Histograms",
            ("Sec6.2.2", "Thm6.7", "Cor6.8"),
            "the problem's definition, (10), likewise; that models are qualitatively different sums up the rows",
        ),
        Section("A Privacy of Bit Sum Protocol", ("AppA",), ""),
        Section("B Accuracy of Bit Sum Protocol", ("ClmB", "CorB", "AppB"), "displays (12) and (13) put Theorem E.3 into Corollary B.3"),
        Section(
            "C Accuracy of Real Sum Protocol",
            ("ClmC", "CorC"),
            "displays (14) to (22) are steps of the two claims and the corollary, their formulas mostly lost; `Corollary 5.4` in the last "
            "proof is Theorem 5.4: a name",
        ),
        Section(
            "D From Approximate DP to Pure DP for Local Protocols",
            ("ThmD", "Alg7", "ClmD", "LemD", "AppD"),
            "displays (23) to (48) are steps of their claims, their formulas mostly lost",
        ),
        Section("E Concentration Inequalities", ("ThmE",), ""),
    ),
    "BC20": (
        Section(
            "Abstract and 1 Introduction",
            (),
            f"{_PROSE}; that a local histogram errs by the square root of log d on some bin is the first row of Table 1",
        ),
        Section(
            "1.1 Our Results",
            ("Thm1.1", "Thm1.2", "Thm1.3", "Sec1.1"),
            "the example of browser home pages: a domain larger than the number of users",
        ),
        Section(
            "1.2 Related Work",
            ("Sec1.2", "Tab1"),
            "which metrics are used elsewhere, and that other protocols may do better in them: no claim to check",
        ),
        Section(
            "2 Preliminaries",
            ("Def2", "Sec2"),
            "notation for datasets, protocols and counts; R(x) of a dataset is the vector of R(x_i), S takes the users' vectors for one, "
            "and that P is evaluated is said twice: names",
        ),
        Section("3 The Power of Multiple Messages for Histograms", ("Sec3.remark",), ""),
        Section(
            "3.1 A Two-Message Protocol for Binary Sums",
            ("Sec3.1", "Fig1", "Thm3.1"),
            "M_neg subtracts bits here, and in Corollary A.4 adds those of {0, -1}; log is ln where a constant is beside it, and p "
            "depends on n, which A^zsum's index leaves out: names",
        ),
        Section(
            "3.2 A Multi-Message Protocol for Histograms",
            ("Fig2", "Thm3.2", "Sec3.2"),
            "that fewer messages remain an open question; A^zsum is given copies of j for copies of 1, and counts them; b_j of one user is "
            "b_(i,j) of user i, and r_i: names",
        ),
        Section(
            "3.3 Applications",
            ("Def3.3", "Clm3.4", "Def3.5", "Def3.6", "Tab2"),
            "that no separation from the sequentially interactive model is claimed: see BC20.Sec1.1.remark-polynomially-more; k is "
            "how often an item is drawn, then a place in a sequence, and in Definition A.1 a shift; l, a message's length in 1.2, is how "
            "many numbers are permuted; the j of Z_(i,j), a node's place in its level, is not said: names",
        ),
        Section("4 Pure Differential Privacy in the Shuffled Model", ("Thm4.1", "Clm4.2"), ""),
        Section("4.1 Roadblocks to Generalizing Theorem 4.1", ("Clm4.3", "Clm4.4", "Sec4.1"), "conjectures that the claims refute"),
        Section("A Privacy via Smooth Distributions", ("DefA", "LemA", "CorA"), ""),
    ),
    "FMT21": (
        Section(
            "Abstract and 1 Introduction",
            ("Sec1", "Tab1"),
            "history, and what systems do with the result; that the proof is simpler; secure shuffling in the place of multiparty "
            "computation. What the earlier papers prove is compared as Table 1 prints it; `two distributions over 3 values` are those of n "
            "such reports, counted, and [KOV16] is the [KOV15] of Lemma 3.4: names",
        ),
        Section(
            "2 Background and Preliminaries",
            ("Sec2", "Def2", "Lem2"),
            "models, trust and encryption; that `max <= delta` says when two are indistinguishable is also the converse: notation",
        ),
        Section(
            "3 Improved Guarantees",
            ("Thm3.1", "Thm3.2", "Sec3.remark", "Sec3.left", "Lem3.3", "Lem3.4", "Lem3.5", "Alg1", "Eq6"),
            "Figure 1 draws Lemma 3.3; displays (2) to (5) are its hypothesis and FMT21.Sec3.left-over; that `the main "
            "technical statement is contained in Theorem 3.1` is said of Theorem 3.2: a name",
        ),
        Section(
            "3.1 Generalization to Approximate Differential Privacy",
            ("Sec3.1", "Def3.6", "Lem3.7", "Thm3.8"),
            "the domain f of Theorem 3.8's randomizers is the product of the S^(j), as in Theorem 3.1: a name",
        ),
        Section(
            "4 A Tighter Analysis for Specific Randomizers",
            ("Thm4.1", "Sec4.rem", "Sec4.red", "Sec4.sym"),
            "displays (8) and (9) are the hypothesis of Theorem 4.1; the b of LO_b in (9), which it determines without b, the 0 below x in "
            "`x_0^0` (x_1^0), `z_(1,i-1)` for z_(1:i-1): names",
        ),
        Section("4.1 k-Randomized Response", ("Sec4.1", "Cor4.2"), ""),
        Section(
            "5.1 Frequency and Distribution Estimation",
            ("Sec5.1", "Thm5.1", "Thm5.2"),
            "that other algorithms exist, with better empirical performance or other parameters; running times of a randomizer, "
            "which depend on the machine; the p of Theorem 5.2 is p(X), as in Theorem 5.1: a name",
        ),
        Section(
            "5.2 Private Stochastic Gradient Descent",
            ("Sec5.2", "Alg2", "Prop5.3", "Eq13"),
            "that permutations are common and efficient in practice; what later analyses of many passes save ([ACGMMTZ16], [WBK21])",
        ),
        Section(
            "6 Numerical Results",
            ("Sec6.rem",),
            "what the curves of other papers' code show, drawn again by `shuffleproof figure` where their bounds are known",
        ),
        Section("6.1 Renyi DP", ("Sec6.1", "Def6"), "what is computed for Figure 3, drawn again by `shuffleproof figure`"),
        Section(
            "A Proof of Lemma 3.5",
            ("LemA", "Lem3.5.step", "Thm3.1-c"),
            "displays (15) to (17) repeat Lemma A.1; of the two divergences bounded by convexity the first is that of P0 from T, "
            "which Lemma 2.3 is used with, and not of T from P0, and epsilon is Lemma A.1's and then Lemma 3.5's: names",
        ),
        Section("B Tails of the Privacy Loss", ("AppB",), ""),
        Section(
            "C Proof of Proposition 3.8",
            ("LemC", "Lem3.7.step", "Thm3.8.step", "Eq19", "Eq23"),
            "Figure 5 draws the clipped distribution; the appendix is `of Proposition 3.8`, which is Theorem 3.8, the first two integrals "
            "of a display are one, where the second is of the other sign, and its last display has p for e^-eps0: names",
        ),
        Section("D Proof of Theorem 4.1", ("AppD", "Alg3"), ""),
        Section(
            "E Proof of Corollary 4.2",
            ("AppE", "Cor4.2-pair"),
            "the last display is Theorem 4.1's epsilon with the two parameters put in, as FMT21.Cor4.2-condition computes it",
        ),
        Section("F Implementation of Clones, empirical", ("Eq25", "Alg4", "Alg5", "Alg6", "LemF", "AppF", "PropF", "Eq26"), ""),
        Section("G Implementation of 2RR, lower bound", ("AppG", "Eq27", "Alg7", "PropG"), ""),
    ),
    "LSZKG22": (
        Section("Abstract and 1 Introduction", ("Sec1",), f"{_PROSE}; that earlier work does not cover the question"),
        Section("2 Related work", (), "what other papers assume and show: no claim of this one"),
        Section(
            "3 Problem formulation",
            ("Def3", "Sec3"),
            "notation; the loss and the families of distributions, which the rows of sections 4 and 5 use",
        ),
        Section(
            "4 Estimation with optimal clipping",
            ("Alg1", "Sec4", "Lem4.1", "Thm4.2", "Cor4.3", "Cor4.4", "Alg2"),
            "Figure 1, and that most users have few distinct words: data that is not here; running times of DP-SGD, whose formulas "
            "are lost",
        ),
        Section(
            "5 Bias reduction",
            ("Sec5", "Alg3", "Alg4", "Thm5.1", "Thm5.2"),
            "the average counts of the words of a dataset: data that is not here",
        ),
        Section(
            "6 Experiments",
            ("Sec6",),
            "figures and Table 4 on two datasets that are not here, drawn again on synthetic data by `shuffleproof figure`; Figure 4, "
            "said to show the synthetic data, is Figure 3: a name",
        ),
        Section("7 Conclusion and discussion", ("Sec7",), "future directions"),
        Section(
            "A Detailed proofs",
            ("Eq", "LemA", "AppA"),
            "the text at hand ends inside A.3; A.4 and A.5 are not in it; the `proof of Lemma 4.2` in A.2 is that of Theorem 4.2: a name",
        ),
    ),
}


def section_of(id: str) -> Section | None:
    """The section that a statement belongs to; None for a paper that was not read here."""
    paper, _, rest = id.partition(".")
    found = [(len(start), section) for section in SECTIONS.get(paper, ()) for start in section.rows if _begins(rest, start)]
    return max(found, key=lambda each: each[0], default=(0, None))[1]


@cache
def section_place(id: str) -> int:
    """Return where a statement's section stands in its paper, from 0 on; 0 for a paper that was not read here."""
    section = section_of(id)
    return 0 if section is None else SECTIONS[id.partition(".")[0]].index(section)


def _begins(rest: str, start: str) -> bool:
    """Return whether an id begins so, a number not going on: Thm3.1 is no beginning of Thm3.12."""
    return rest.startswith(start) and not (start[-1].isdigit() and rest[len(start) : len(start) + 1].isdigit())


def accounted(ids: Iterable[str], paper: str) -> list[tuple[Section, list[str]]]:
    """Every section of a paper with its rows, in the order of the text."""
    rows: dict[str, list[str]] = {}
    for id in ids:
        section = section_of(id)
        if section is not None and id.partition(".")[0] == paper:
            rows.setdefault(section.name, []).append(id)
    return [(section, rows.get(section.name, [])) for section in SECTIONS.get(paper, ())]
