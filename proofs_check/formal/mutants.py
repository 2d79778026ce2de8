"""Formal proofs made false in one place each: Coq must refuse every one, in the module where the falsehood bites."""

import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shuffleproof.proofs_check.formal.build import FormalError, attempt
from shuffleproof.proofs_check.formal.sources import modules

_REPLACED = re.compile(r"⟨(.*?) ⇒ (.*?)⟩", flags=re.DOTALL)


@dataclass(frozen=True, slots=True)
class Mutant:
    """Holds a place of a module with what is replaced there, "x <= ⟨T ⇒ T + 1⟩ * y", and the first module that Coq must refuse then.

    refused_in: that module, by default the same one.
    """

    name: str
    module: str
    change: str
    refused_in: str = ""

    @property
    def true(self) -> str:
        """The place as it stands."""
        return _REPLACED.sub(lambda found: found[1], self.change)

    @property
    def false(self) -> str:
        """The place as it is changed."""
        return _REPLACED.sub(lambda found: found[2], self.change)


MUTANTS = (
    Mutant("what lies below a sliding window forgotten", "SlidingNumbers", "if nothing then 0 else ⟨first_c ⇒ 0⟩ * (ct - cu) in"),
    Mutant("a common value that costs the two others nothing", "KaryLosses", "(v := ⟨kappa * rho ⇒ 0⟩)\n    (h :="),
    Mutant("users beyond the points forgotten", "KaryWindow", "x1 + ⟨high_d s ⇒ 0⟩ * above_down"),
    Mutant("a weaker local privacy", "Definitions", "randomizers z x s <= ⟨T ⇒ (T + 1)⟩ * randomizers z x' s.", "HidingAmongTheClones"),
    Mutant(
        "local privacy of the first step only",
        "Definitions",
        "⟨ ⇒ z = [::] -> ⟩randomizers z x s <= T * randomizers z x' s.",
        "HidingAmongTheClones",
    ),
    Mutant("datasets that need not be neighbours", "HidingAmongTheClones", "ldp T randomizers ->⟨ neighbours w w' -> ⇒ ⟩\n  exists K"),
    Mutant("randomizers that need not be local", "HidingAmongTheClones", "  ⟨ldp T randomizers ->  ⇒ ⟩neighbours w w' ->\n  exists K"),
    Mutant("a smaller chance of the own bit", "Definitions", "bernoulli_mass (T / (T + ⟨1 ⇒ 2%:R⟩))", "ClonesPair"),
    Mutant("steps that do not see earlier outputs", "Definitions", "randomizers ⟨(take i s) ⇒ [::]⟩", "Shuffling"),
    Mutant("a small case one unit off", "SmallExamples", "[:: 1; 0; 0]%N ⟨1 ⇒ 2⟩ 45."),
    Mutant("one user more", "Definitions", "binomial_mass n⟨.-1 ⇒ ⟩ p c", "ClonesPair"),
    Mutant(
        "0.99 q for q in the optimal pair",
        "OptimalPair",
        "hockey E (pair_P p_inv beta ⟨q ⇒ (99%:R / 100%:R * q)⟩ n) (pair_Q p_inv beta ⟨q ⇒ (99%:R / 100%:R * q)⟩ n).\nProof.\nmove=> "
        "others_equal",
    ),
    Mutant("no positive part", "Definitions", "⟨Num.max  ⇒ ⟩(P x - E * Q x)⟨ 0 ⇒ ⟩", "Divergence"),
    Mutant("rounding down where up is meant", "Programs", "⟨- ((- x) / y) ⇒ x / y⟩", "Integers"),
    Mutant("masses outside the window forgotten", "Programs", "⟨one * below_up * x1 +  ⇒ ⟩", "WindowNumbers"),
    Mutant("a delta one unit too small", "WindowInstances", " ⟨711744541307 ⇒ 711744541306⟩ 100000000000000000 "),
    Mutant("an exact delta one unit off", "ExactInstances", "exact_delta_is 2 4 1 1 4 1 1 ⟨21 ⇒ 20⟩ 40"),
    Mutant(
        "(epsilon0, delta0)-DP of the first step only", "Definitions", "(x x' : D), ⟨ ⇒ z = [::] -> ⟩dp T delta0", "ApproximateRandomizers"
    ),
    Mutant(
        "1.4 for 3/2 in the price of delta0", "ApproximateRandomizers", "(cover a b s - c s) 0 <= ⟨3 ⇒ 14⟩%:R / ⟨2 ⇒ 10⟩%:R / T * delta0"
    ),
    Mutant(
        "the special user's delta0 forgotten",
        "ApproximateRandomizers",
        "hockey E (@clones_P R n T) (@clones_Q R n T) + ⟨delta0 +  ⇒ ⟩(E + 1)",
    ),
    Mutant(
        "a distance that need not be near on both sides",
        "ApproximateRandomizers",
        "Theorem clipped_nearby a rho : dp T delta0 a rho ->⟨ dp T delta0 rho a -> ⇒ ⟩",
    ),
    Mutant("E for E + 1 in the price of nearness", "NearbyRandomizers", "⟨(E + 1) ⇒ E⟩ * (n%:R * delta0)"),
    Mutant(
        "rarer clones than stronger clones have", "Definitions", "@clones_law n (2%:R / (T + ⟨1 ⇒ 2%:R⟩)) T counts_", "StrongerClonesPair"
    ),
    Mutant(
        "0.99 T for T in stronger clones",
        "StrongerClones",
        "hockey E (@stronger_clones_P R n ⟨T ⇒ (99%:R / 100%:R * T)⟩) (@stronger_clones_Q R n ⟨T ⇒ (99%:R / 100%:R * T)⟩) <= delta "
        "->\n  private E delta (fun w : n.-tuple D => shuffled",
    ),
    Mutant(
        "stronger clones without local privacy",
        "StrongerClones",
        "(w w' : n.-tuple D) E : ⟨ldp T randomizers ->  ⇒ ⟩neighbours w w' -> 0 <= E ->",
    ),
    Mutant(
        "the optimal pair without its hypothesis",
        "OptimalPair",
        "pair_domain p_inv beta q⟨ -> variation_ratio randomizers p_inv beta q w w' i0 ⇒ ⟩ -> 0 <= E ->",
    ),
    Mutant("a smaller corner", "PairDefinitions", "beta / (1 ⟨- ⇒ +⟩ p_inv).", "CornerLaw"),
    Mutant(
        "others that cover the first law only",
        "PairDefinitions",
        "randomizers z (tnth w i0) s <= q * randomizers z (tnth w j) s⟨ /\\\n                             randomizers z (tnth w' i0) "
        "s <= q * randomizers z (tnth w j) s ⇒ ⟩].",
        "OptimalPair",
    ),
    Mutant(
        "0.99 q attained",
        "OptimalPairAttained",
        "= hockey E (pair_P p_inv beta ⟨q ⇒ (99%:R / 100%:R * q)⟩ n) (pair_Q p_inv beta ⟨q ⇒ (99%:R / 100%:R * q)⟩ n)].",
    ),
    Mutant("a blanket of one value less", "ThreeParts", "[:: r; r; (k - ⟨2 ⇒ 3⟩)%N%:R * r; (T - 1) * r]"),
    Mutant("one message: ln(n - 1) for ln n", "OneMessage", "dp (n⟨.+1 ⇒ ⟩%:R * E) delta"),
    Mutant(
        "one message without privacy",
        "OneMessage",
        "⟨    private E 0 (fun w : n.+1.-tuple D => image_law (@histogram S n.+1) (messages randomizer w)) ->\n ⇒ ⟩",
    ),
    Mutant("group privacy with a term less", "Composition", "(delta * \\sum_(i < k⟨ ⇒ .-1⟩) E ^+ i) (mechanism"),
    Mutant("replacement at 2 delta", "Composition", "(⟨(1 + E) ⇒ 2%:R⟩ * delta) mechanism."),
    Mutant("a delta of stronger clones one unit too small", "StrongerInstances", " ⟨64751223367 ⇒ 64751223366⟩ 250000000000000000 "),
    Mutant("a randomizer with a larger epsilon0 than it has", "LocalExamples", "~ ldp (of_Z R ⟨999 ⇒ 4⟩ / of_Z R ⟨250 ⇒ 1⟩)"),
    Mutant("messages flipped too often", "BitSum", "(1 - (n%:R - lambda') / (n%:R - lambda)) ⟨/ 2%:R ⇒ * (2%:R / 3%:R)⟩"),
    Mutant("less noise for more", "BitSum", "Hypothesis lambda_le : ⟨lambda <= lambda' ⇒ lambda' <= lambda⟩."),
    Mutant(
        "others that hold two parts of three only",
        "ThreeClones",
        "j != i0 -> p * Q_0 z s + p * Q_1 z s ⟨+ p * Q z s  ⇒ ⟩<= randomizers z (tnth w j) s.",
    ),
    Mutant(
        "the kernel's two pairs exchanged",
        "ThreeClones",
        "shuffled randomizers w =1 push K (pair_counts (⟨part_special_0 ⇒ part_special_1⟩ q)",
    ),
    Mutant(
        "eps for 2 eps by clipping",
        "PureRandomizers",
        "exists pure : D -> dist R S, (forall x x' s, pure x s <= E ⟨^+ 2  ⇒ ⟩* pure x' s) /\\ (forall x, hockey",
    ),
    Mutant("half of n delta by clipping", "PureRandomizers", "bad (beta + n%:R ⟨ ⇒ / 2%:R ⟩* delta)."),
    Mutant("R_gap of a single user", "SeveralMessages", "(⟨1 ⇒ 0⟩ < n)%N -> (k <= n * 4)%N ->"),
    Mutant(
        "a false hypothesis before a theorem",
        "SeveralMessages",
        "Theorem gap_in_full :⟨ ⇒  0%N = 1%N ->⟩\n  (forall n, (1 < n)%N -> exists E, private E 0 (fun w : n.-tuple bool => view "
        "r_gap w)) /\\\n  ~ exists T : R, forall x x' k, image_law number_of_ones (r_gap x) k <= T * image_law number_of_ones (r_gap "
        "x') k.\nProof. by ⟨ ⇒ move=> _; ⟩split",
        "Pinned",
    ),
    Mutant("sums of 0, 1, 4", "SeveralMessages", "[:: 0; 1⟨; 3 ⇒ ⟩; 4]%N.\nProof.\ncase: n"),
    Mutant("the zero sum with one user more", "SeveralMessages", "(if (s <= k)%N then binomial_mass n⟨ ⇒ .+1⟩ p (k - s) else 0) /\\"),
    Mutant("sums without a positive part", "OptimalPairExact", "c * ⟨Z.max s 0 ⇒ s⟩ + slice"),
    Mutant("a pair's divergence one unit off", "PairExamples", "2 1 3 ⟨361 ⇒ 362⟩ 1728."),
    Mutant("a' = 1 + q a in advanced joint convexity", "Elementary", "(a' := 1 + q * ⟨(a - 1)) ⇒ a)⟩"),
    Mutant("k rounds at one delta", "Rounds", "dp (E ^+ n) ⟨(n%:R *  ⇒ ⟩delta⟨) ⇒ ⟩"),
    Mutant(
        "dominating pairs for one direction only",
        "Rounds",
        "⟨ ⇒ (@sequential R B (fun=> D) n) ⟩(@sequential R B (fun=> C) n)⟨ (@sequential R B (fun=> D) n) ⇒ ⟩.",
    ),
    Mutant("half of beta with two levels", "TwoLevels", "T^-1 ((T - 1) * b%:R * c⟨ ⇒  / 2%:R⟩) T w w' i0.\nProof"),
    Mutant("a larger p for k-RR's three parts", "TwoLevels", "(p := k%:R / (⟨(k%:R + 1)  ⇒ k%:R ⟩*"),
    Mutant("the blanket's identity over n for n + 1", "AlikeOthers", "* Num.max (\\sum_i L (tnth s i)) 0) / n⟨.+1 ⇒ ⟩%:R +"),
    Mutant("neighbours in the first user only", "SeenCases", "(iota 0 m)) ⟨(iota 0 n) ⇒ [:: O]⟩) (outputs n m)."),
    Mutant(
        "an order of x, 1 - x that is not the paper's",
        "SeveralMessages",
        "both (x : bool) : 2.-tuple bool := [tuple ⟨x; ~~ x ⇒ ~~ x; x⟩]",
        "SeenCases",
    ),
    Mutant("a corner law with one probability too much", "ControlledCases", "(both_low, t * a); (both_high, ⟨u ⇒ t⟩ * a)"),
    Mutant(
        "the zero sum's divergence one way only",
        "WorstDatasets",
        "shifted_binomial n.+1 ⟨1 ⇒ 0⟩ k) (fun k : 'I_n.+3 => shifted_binomial n.+1 ⟨0 ⇒ 1⟩ k) <= delta",
    ),
    Mutant("two items without the last pair", "WorstDatasets", "forall k, (k < n⟨.+1 ⇒ ⟩)%N -> hockey E (seen"),
    Mutant("a blanket that covers what it has no mass for", "AnyBlanket", "blanket_sum n.+1 0 / n.+1%:R⟨ + gamma ⇒ ⟩."),
    Mutant("unlike users over one more of them", "OneRandomizer", "<= g / (n.+1 - #|A|)⟨.-1 ⇒ ⟩%:R."),
    Mutant(
        "delta0 at no level",
        "ArrivalApproximate",
        "delta0 * (⟨2%:R ⇒ 1⟩ - far / T))) +\n  (1 - eta levels) ^+ n * (delta0 + (T - E) / (T + 1)).\nProof.\nmove=> pooled",
    ),
    Mutant("the bit sum without its last pair", "WorstDatasets", "forall k, (k < n⟨ ⇒ .-1⟩)%N -> hockey E"),
    Mutant(
        "a smaller q where the data points are not distinguished",
        "TwoLevels",
        "(q := (T - 1) / (T + k%:R⟨ - 1 ⇒ ⟩)) (p := k%:R / ((k%:R + 1) * (T + k%:R - 1))) :\n    neighbours",
    ),
    Mutant("blocks of one step more than there are users", "ArrivalBlocks", "(0 < B_left * g_left <= n.+⟨1 ⇒ 2⟩)%N"),
    Mutant("blocks of users in the pool", "ArrivalBlocks", "(0 < B l r * g l r <= n.+1 - ⟨r ⇒ 0⟩)%N"),
    Mutant("delta0 once beside blocks with leaks", "ArrivalBlocks", "r) * (delta0 * (⟨2%:R - far / T ⇒ 1⟩))) +\n  (1 - eta levels)"),
    Mutant("runs of a real sum that do not all change", "RealSum", "(runs_of (fun j => ⟨(k j).+1 ⇒ k j⟩)) <= delta /\\"),
    Mutant("two bins of a histogram that rise together", "WorstDatasets", "n.+1 ⟨0 ⇒ 1⟩ k.1 * shifted_binomial p n.+1 1 k.2).\nProof"),
    Mutant("users whose report is revealed have losses too", "PartCases", "u <- users & ⟨~~ u.1 ⇒ true⟩] numerator denominator"),
    Mutant("a hash function that is drawn twice", "NamedParameters", ": R := chosen s.1 * ⟨ ⇒ chosen s.1 * ⟩k_rr T_ge1"),
    Mutant("the first hinge of a law on the grid is not compared", "GridLaws", "(iota ⟨0 ⇒ 1⟩ (2 * reach)⟨.+1 ⇒ ⟩)"),
    Mutant("values on the grid rounded down", "GridLaws", "[seq⟨ 1 + ⇒ ⟩ Z.shiftr", "ControlledNumbers"),
    Mutant("what follows the last term of a series forgotten", "Exponential", "(⟨2 ⇒ 1⟩ * (term_of p q k.+1).1,"),
    Mutant("a tenth less than the number of 1000 users", "ThousandUsers", " 3 500 ⟨1 1000000 ⇒ 9 10000000⟩ "),
    Mutant("three parts with q for 1 - q in common", "PartCases", "(⟨(d - c) ⇒ c⟩ * (f - e) * b, a)"),
    Mutant("a one that is sent as rarely as a zero", "BinaryPair", "⟨T * p ⇒ p⟩ * (if (0 < k)%N then binomial_mass n p k.-1"),
    Mutant("randomizers that are more private", "BinaryPair", "randomizer x s <= ⟨T ⇒ 1⟩ * randomizer x' s) ->\n      private E delta"),
    Mutant(
        "half the total variation of two items",
        "NamedParameters",
        "^-1 ⟨(p - q) ⇒ ((p - q) / 2%:R)⟩ (p * (1 - q) / (q * (1 - p))) w w' i0.",
    ),
    Mutant("a bucket more", "NamedParameters", "T^-1 ((T - 1) / (T + #|K|%:R⟨ - 1 ⇒ ⟩)) T w w' i0."),
    Mutant("a block less than there are types", "TypeBlocks", "(size C <= ⟨kept ⇒ kept.+1⟩ <= users)%N"),
    Mutant("a user who is left out", "TypeBlocks", "⟨~~ odd (users - kept) ⇒ true⟩ & enough_kept"),
    Mutant("types that are not taken at every step", "TypeBlocks", "then ⟨best C (fun x => V_steps Cs' (t + x)) ⇒ V_steps Cs' t⟩ else"),
    Mutant("users who are missing lose nothing", "TypeBlocks", "V_steps steps ⟨(missing%:R * fallen) ⇒ 0⟩."),
    Mutant(
        "a class of the first step alone",
        "MoreUsers",
        "⟨(forall z, step (randomizers z)) ⇒ step (randomizers [::])⟩ ->\n    private E delta (fun w : (k",
    ),
    Mutant(
        "steps that do not see what is revealed",
        "MoreUsers",
        "if (size z < p)%N then randomizers z else randomizers ⟨(take p z ++ f (take p z) :: drop p z) ⇒ z⟩.",
    ),
    Mutant("n/m that shrinks with the users who are away", "RandomParticipation", "1 + (E - 1) * (⟨n%:R / m%:R ⇒ m%:R / n%:R⟩)."),
    Mutant("users who stay away for nothing", "RandomParticipation", "g ^+ #|P| * (1 - g) ^+ ⟨(n - #|P|) ⇒ n⟩."),
    Mutant(
        "a change that is exchanged for nothing",
        "RandomParticipation",
        "⟨((1 - E / order_of E n.+1 k.+1) * gamma k.+1 + E / order_of E n.+1 k.+1 * delta k.+1) ⇒ delta k.+1⟩.\nProof.\nmove=> exchanges",
    ),
    Mutant(
        "users who come in an order that is seen", "RandomParticipation", "(sigma : 'S_m), seen m (permuted v ⟨sigma ⇒ 1%g⟩) =1 seen m v."
    ),
    Mutant(
        "half of g where nobody counts",
        "RandomParticipation",
        "dp E (g⟨ ⇒  / 2%:R⟩ * delta) (uncounted g seen [tuple of x :: w]) (uncounted g seen w) /\\",
    ),
)


def survivors(built: Path, *, texts: Mapping[str, str] | None = None) -> list[str]:
    """The mutants that Coq accepts, or refuses elsewhere than stated; none, if the checks are worth something.

    built: a folder in which all modules have been compiled. Raises FormalError where a mutant no longer applies.
    """
    texts = modules() if texts is None else texts
    alive = []
    for mutant in MUTANTS:
        if texts[mutant.module].count(mutant.true) < 1:
            raise FormalError(f"mutant {mutant.name}: {mutant.module}.v no longer says {mutant.true!r}")
        with tempfile.TemporaryDirectory() as folder:
            mutated = Path(folder) / "mutated"
            shutil.copytree(built, mutated)
            (mutated / f"{mutant.module}.v").write_text(texts[mutant.module].replace(mutant.true, mutant.false), "utf-8")
            refused_in = mutant.refused_in or mutant.module
            command = ["make", "--no-print-directory", f"{refused_in}.vo"]
            done = attempt(command, mutated)
            if done.returncode == 0 or f'File "./{refused_in}.v"' not in done.stdout:
                alive.append(mutant.name)
    return alive
