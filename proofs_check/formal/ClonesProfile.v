(* The privacy profile of a clones pair as a sum over C ~ Bin(n - 1, p): with b_c(a) = C(c, a) 2^-c and U_c(a) = sum over x > a of b_c(x),

     clones_profile    D_E(P || Q) = sum over c < n of Bin(n-1, p)(c) B(c);
     slice_threshold   B(c) = (T - E)/(T + 1) b_c(a) - (E - 1) U_c(a), where a + 1 is the threshold above which P(c, .) >= E Q(c, .),
                       that is (T - 1)(E + 1) a <= (E T - 1)(c + 1) <= (T - 1)(E + 1)(a + 1);
     fair_stay ... upper_shift
                       b and U from c to c + 1, with the same a or with a + 1.  (FMT21, appendix F computes so too) *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From Shuffleproof Require Import Definitions Divergence ClonesPair.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Fair.
Variable R : realFieldType.
Implicit Types (c a k : nat).

(* Bin(c, 1/2)(a), the same one place earlier, and the mass above a. *)
Definition fair c a : R := 'C(c, a)%:R / 2%:R ^+ c.
Definition fair_before c k : R := if k is a.+1 then fair c a else 0.
Definition upper c a : R := \sum_(x < c.+1 | (a < x)%N) fair c x.

Lemma fair_ge0 c a : 0 <= fair c a.
Proof. by rewrite divr_ge0 ?ler0n // exprn_ge0 ?ler0n. Qed.

Lemma upper_ge0 c a : 0 <= upper c a.
Proof. by apply: sumr_ge0 => x _; apply: fair_ge0. Qed.

Lemma fair_beyond c a : (c < a)%N -> fair c a = 0.
Proof. by move=> ca; rewrite /fair bin_small ?mul0r. Qed.

Lemma fair_binomial c a : (a <= c)%N -> binomial_mass c 2%:R^-1 a = fair c a.
Proof. by move=> ac; rewrite fair_binomial_mass // exprVn. Qed.

Let two_neq0 : 2%:R != 0 :> R. Proof. by rewrite pnatr_eq0. Qed.

Lemma fair_pascal c k : fair c.+1 k = (fair c k + fair_before c k) / 2%:R.
Proof.
rewrite /fair /fair_before exprSr invfM mulrA -[_ / _ / _]mulrA; case: k => [|a].
  by rewrite !bin0 addr0 mulrA.
by rewrite binS natrD mulrA -mulrDl.
Qed.

Lemma fair_stay c a : (a <= c)%N -> fair c.+1 a = fair c a * c.+1%:R / (2%:R * (c.+1 - a)%:R).
Proof.
move=> ac; have ca0 : (c.+1 - a)%:R != 0 :> R by rewrite pnatr_eq0 subn_eq0 -ltnNge ltnS.
have binE : 'C(c.+1, a)%:R = c.+1%:R * 'C(c, a)%:R / (c.+1 - a)%:R :> R.
  by rewrite -natrM (mul_bin_down c.+1 a) natrM mulrAC mulfV ?mul1r.
rewrite /fair binE exprSr; move: (c.+1%:R) ((c.+1 - a)%:R) (2%:R ^+ c) ca0 (expf_neq0 c two_neq0) => x y z y0 z0.
by field; rewrite y0 z0.
Qed.

Lemma fair_shift c a : fair c.+1 a.+1 = fair c a * c.+1%:R / (2%:R * a.+1%:R).
Proof.
have a0 : a.+1%:R != 0 :> R by rewrite pnatr_eq0.
have binE : 'C(c.+1, a.+1)%:R = c.+1%:R * 'C(c, a)%:R / a.+1%:R :> R.
  by rewrite -natrM (mul_bin_diag c.+1 a) natrM mulrAC mulfV ?mul1r.
rewrite /fair binE exprSr; move: (c.+1%:R) (a.+1%:R) (2%:R ^+ c) a0 (expf_neq0 c two_neq0) => x y z y0 z0.
by field; rewrite y0 z0.
Qed.

Lemma fair_next c a : fair c a.+1 = fair c a * (c - a)%:R / a.+1%:R.
Proof.
have a0 : a.+1%:R != 0 :> R by rewrite pnatr_eq0.
have binE : 'C(c, a.+1)%:R = (c - a)%:R * 'C(c, a)%:R / a.+1%:R :> R.
  by rewrite -natrM -(mul_bin_left c a) natrM mulrAC mulfV ?mul1r.
rewrite /fair binE; move: ((c - a)%:R) (a.+1%:R) (2%:R ^+ c) a0 (expf_neq0 c two_neq0) => x y z y0 z0.
by field; rewrite y0 z0.
Qed.

Lemma upper_next c a : upper c a = upper c a.+1 + fair c a.+1.
Proof.
have [ac|ca] := ltnP a.+1 c.+1; last first.
  have below (x : 'I_c.+1) : (x <= a)%N by rewrite -ltnS (leq_trans (ltn_ord x)).
  by rewrite fair_beyond // addr0 /upper !big_pred0 // => x; apply/negbTE; rewrite -leqNgt ?(leqW (below x)) ?below.
rewrite /upper (bigD1 (Ordinal ac)) //= addrC; congr (_ + _); apply: eq_bigl => x.
by rewrite -val_eqE /= andbC eq_sym -ltn_neqAle.
Qed.

Lemma sum_fair_above c a : \sum_(k < c.+2 | (a < k)%N) fair c k = upper c a.
Proof. by rewrite big_mkcond big_ord_recr /= fair_beyond // if_same addr0 -big_mkcond. Qed.

Lemma sum_fair_before_above c a : (a <= c)%N -> \sum_(k < c.+2 | (a < k)%N) fair_before c k = upper c a + fair c a.
Proof.
move=> ac; rewrite big_mkcond big_ord_recl /= add0r.
transitivity (\sum_(x < c.+1 | (a <= x)%N) fair c x).
  by rewrite [RHS]big_mkcond; apply: eq_bigr => x _; rewrite ltnS.
have ac1 : (a < c.+1)%N by [].
rewrite (bigD1 (Ordinal ac1)) //= addrC; congr (_ + _); apply: eq_bigl => x.
by rewrite -val_eqE /= andbC eq_sym -ltn_neqAle.
Qed.

Lemma upper_stay c a : (a <= c)%N -> upper c.+1 a = upper c a + fair c a / 2%:R.
Proof.
move=> ac; rewrite {1}/upper; under eq_bigr do rewrite fair_pascal.
rewrite -mulr_suml big_split /= sum_fair_above sum_fair_before_above //.
by field.
Qed.

Lemma upper_last c a : (c <= a)%N -> upper c a = 0.
Proof. by move=> ca; rewrite /upper big_pred0 // => x; apply/negbTE; rewrite -leqNgt (leq_trans _ ca) // -ltnS. Qed.

Lemma upper_shift c a : (a <= c)%N -> upper c.+1 a.+1 = upper c a - fair c a.+1 / 2%:R.
Proof.
rewrite leq_eqVlt => /predU1P[->|ac]; first by rewrite !upper_last // fair_beyond // mul0r subr0.
rewrite upper_stay // [upper c a]upper_next.
by field.
Qed.

Lemma sum_fair c : \sum_(x < c.+1) fair c x = 1.
Proof.
rewrite -mulr_suml -natr_sum (_ : (\sum_(x < c.+1) 'C(c, x))%N = (2 ^ c)%N).
  by rewrite natrX mulfV // expf_neq0.
by rewrite (Pascal 1 1 c); apply: eq_bigr => x _; rewrite !exp1n !muln1.
Qed.

Lemma sum_fair_below c a : \sum_(0 <= x < a.+1) fair c x + upper c a = 1.
Proof.
elim: a => [|a IH].
  rewrite big_nat1 -(sum_fair c) big_ord_recl /upper big_mkcond big_ord_recl /= add0r.
  by congr (_ + _); apply: eq_bigr.
by rewrite big_nat_recr //= -addrA [fair _ _ + _]addrC -upper_next.
Qed.

Lemma sum_fair_between c a k : \sum_(a.+1 <= x < a.+1 + k) fair c x + upper c (a + k) = upper c a.
Proof.
elim: k => [|k IH]; first by rewrite addn0 big_geq // add0r addn0.
by rewrite addnS big_nat_recr ?leq_addr //= -addrA [fair _ _ + _]addrC addnS addSn -upper_next.
Qed.

End Fair.

Section Profile.
Variables (R : realFieldType) (p T E : R).
Hypotheses (p_ge0 : 0 <= p) (p_le1 : p <= 1) (T_ge1 : 1 <= T).
Implicit Types (c a k : nat).

Let T1_neq0 : T + 1 != 0. Proof. by rewrite gt_eqF // addr_gt0 ?ltr01 // (lt_le_trans ltr01). Qed.

(* P(c, k) given C = c, and Q for like = false. *)
Definition clones_given like c k : R := own_bit T like true * fair_before R c k + own_bit T like false * fair R c k.

Definition slice c : R := \sum_(k < c.+2) Num.max (clones_given true c k - E * clones_given false c k) 0.

Lemma own_bit_self like : own_bit T like like = T / (T + 1).
Proof. by rewrite /own_bit eqxx. Qed.

Lemma own_bit_other like : own_bit T like (~~ like) = 1 / (T + 1).
Proof. by case: like; rewrite /own_bit /=; field. Qed.

Lemma sum_diagonals n (F : nat -> nat -> R) :
  \sum_(y : 'I_n.+1 * 'I_n.+1) (if (0 < y.1 + y.2 <= n)%N then F (y.1 + y.2).-1 y.1 else 0) = \sum_(c < n) \sum_(k < c.+2) F c k.
Proof.
rewrite -(pair_bigA _ (fun k m : 'I_n.+1 => if (0 < k + m <= n)%N then F (k + m).-1 k else 0)) /=.
transitivity (\sum_(k < n.+1) \sum_(c < n) \sum_(m < n.+1) (if m == (c.+1 - k)%N :> nat then (if (k <= c.+1)%N then F c k else 0) else 0)).
  apply: eq_bigr => k _; rewrite [RHS]exchange_big /=; apply: eq_bigr => m _.
  transitivity (\sum_(c < n | c == (k + m).-1 :> nat) (if (0 < k + m)%N then F c k else 0)).
    rewrite (sum_one_index _ (fun c => if (0 < k + m)%N then F c k else 0)).
    by case: (k + m)%N => [|s]; rewrite ?if_same //= ltnS.
  rewrite big_mkcond; apply: eq_bigr => c _.
  case: (posnP (k + m)%N) => [km0|km].
    move/eqP: km0; rewrite addn_eq0 => /andP[/eqP -> /eqP ->].
    by rewrite if_same subn0.
  rewrite -eqSS prednK //; have [kc|ck] := leqP k c.+1; last first.
    by rewrite if_same; case: eqP => // ckm; move: ck; rewrite ckm ltnNge leq_addr.
  by rewrite -(eqn_add2l k m) subnKC // eq_sym.
rewrite exchange_big /=; apply: eq_bigr => c _.
under eq_bigr => k _.
  rewrite -big_mkcond /= (sum_one_index _ (fun=> if (k <= c.+1)%N then F c k else 0)).
  rewrite ifT; last by rewrite ltnS (leq_trans (leq_subr _ _)).
  over.
by rewrite -big_mkcond /= (big_ord_widen_cond n.+1 xpredT (F c)) ?ltnS.
Qed.

Lemma clones_two_factors n like (y : 'I_n.+1 * 'I_n.+1) :
  clones p T like y = if (0 < y.1 + y.2 <= n)%N then binomial_mass n.-1 p (y.1 + y.2).-1 * clones_given like (y.1 + y.2).-1 y.1 else 0.
Proof.
rewrite clones_two_ways; case: y => k m /=; rewrite /clones_given.
have [kmn|kmn] := leqP (k + m)%N n; last by rewrite !andbF addr0.
rewrite !andbT; case: (nat_of_ord k) => [|a]; case: (nat_of_ord m) => [|b].
- by rewrite addr0.
- by rewrite /= fair_binomial // mulr0 !add0r -mulrA [fair _ _ _ * _]mulrC.
- by rewrite addn0 /= fair_binomial // (fair_beyond _ (ltnSn a)) mulr0 !addr0 -mulrA [fair _ _ _ * _]mulrC.
have -> : (a.+1 + b.+1).-1 = (a + b).+1 by rewrite addSn addnS.
by rewrite /= !fair_binomial ?ltnS ?leqW ?leq_addr //; ring.
Qed.

Theorem clones_profile n : hockey E (@clones_law R n p T counts_P) (@clones_law R n p T counts_Q) = \sum_(c < n) binomial_mass n.-1 p c * slice c.
Proof.
have mass0 c : 0 <= binomial_mass n.-1 p c by rewrite !mulr_ge0 ?ler0n ?exprn_ge0 ?subr_ge0.
transitivity (\sum_(c < n) \sum_(k < c.+2) binomial_mass n.-1 p c * Num.max (clones_given true c k - E * clones_given false c k) 0).
  rewrite -(sum_diagonals _ (fun c k => binomial_mass n.-1 p c * Num.max (clones_given true c k - E * clones_given false c k) 0)).
  apply: eq_bigr => y _; rewrite -[clones_law _ _ _ y]/(clones p T true y) -[clones_law _ _ counts_Q y]/(clones p T false y) !clones_two_factors.
  case: ifP => _; last by rewrite mulr0 subrr maxxx.
  by rewrite mulrCA -mulrBr -[X in Num.max _ X](mulr0 (binomial_mass n.-1 p (y.1 + y.2).-1)) -maxr_pmulr.
by apply: eq_bigr => c _; rewrite mulr_sumr.
Qed.

Definition gain c k : R := (T - 1) * (E + 1) * k%:R - (E * T - 1) * c.+1%:R.

Lemma gain_given c k : (k <= c.+1)%N ->
  clones_given true c k - E * clones_given false c k = 'C(c.+1, k)%:R / 2%:R ^+ c / (T + 1) / c.+1%:R * gain c k.
Proof.
move=> kc; have two_neq0 : 2%:R ^+ c != 0 :> R by rewrite expf_neq0 // pnatr_eq0.
have c_neq0 : c.+1%:R != 0 :> R by rewrite pnatr_eq0.
have fairE : fair R c k = (c.+1%:R - k%:R) * 'C(c.+1, k)%:R / c.+1%:R / 2%:R ^+ c.
  by rewrite /fair -natrB // -[(_ - _)%:R * _]natrM -mul_bin_down natrM [c.+1%:R * _]mulrC mulfK.
have beforeE : fair_before R c k = k%:R * 'C(c.+1, k)%:R / c.+1%:R / 2%:R ^+ c.
  case: (k) => [|a]; first by rewrite !mul0r.
  by rewrite /= /fair -natrM -mul_bin_diag natrM [c.+1%:R * _]mulrC mulfK.
rewrite /clones_given /gain (own_bit_self true) (own_bit_other true) (own_bit_other false) (own_bit_self false) fairE beforeE.
move: (c.+1%:R) (2%:R ^+ c) ('C(c.+1, k)%:R) c_neq0 two_neq0 => x y z x0 y0.
by field; rewrite T1_neq0 x0 y0.
Qed.

Theorem slice_threshold c a : 0 <= E -> (a <= c)%N -> gain c a <= 0 -> 0 <= gain c a.+1 ->
  slice c = (T - E) / (T + 1) * fair R c a - (E - 1) * upper R c a.
Proof.
move=> E_ge0 ac below above.
have slope : 0 <= (T - 1) * (E + 1) by rewrite mulr_ge0 ?subr_ge0 ?addr_ge0 ?ler01.
have factor k : 0 <= 'C(c.+1, k)%:R / 2%:R ^+ c / (T + 1) / c.+1%:R :> R.
  by rewrite !divr_ge0 ?ler0n ?exprn_ge0 ?ler0n ?addr_ge0 ?ler01 ?(le_trans ler01).
have -> : slice c = \sum_(k < c.+2 | (a < k)%N) (clones_given true c k - E * clones_given false c k).
  rewrite [RHS]big_mkcond; apply: eq_bigr => k _; have kc : (k <= c.+1)%N := ltn_ord k; rewrite gain_given //.
  case: ltnP => [ak|ka]; [apply: max_l; apply: mulr_ge0 => // | apply: max_r; apply: mulr_ge0_le0 => //].
    by apply: le_trans above _; rewrite ler_sub // ler_wpmul2l // ler_nat.
  by apply: le_trans below; rewrite ler_sub // ler_wpmul2l // ler_nat.
rewrite sumrB -mulr_sumr /clones_given !big_split /= -!mulr_sumr sum_fair_above sum_fair_before_above //.
rewrite (own_bit_self true) (own_bit_other true) (own_bit_other false) (own_bit_self false).
by field.
Qed.

Lemma clones_given_ge0 like c k : 0 <= clones_given like c k.
Proof.
have own0 b : 0 <= own_bit T like b.
  have T0 : 0 <= T := le_trans ler01 T_ge1.
  case: (eqVneq b like) => [->|]; first by rewrite own_bit_self divr_ge0 ?addr_ge0 ?ler01.
  by case: b; case: like => // _; rewrite ?(own_bit_other true) ?(own_bit_other false) divr_ge0 ?addr_ge0 ?ler01.
have before0 : 0 <= fair_before R c k by case: (k) => [|a] //=; apply: fair_ge0.
by rewrite addr_ge0 // mulr_ge0 ?own0 ?fair_ge0.
Qed.

Lemma slice_le1 c : 0 <= E -> slice c <= 1.
Proof.
move=> E_ge0; apply: (@le_trans _ _ (\sum_(k < c.+2) clones_given true c k)).
  apply: ler_sum => k _; rewrite le_maxl clones_given_ge0 andbT.
  by rewrite ler_subl_addr ler_addl mulr_ge0 ?clones_given_ge0.
rewrite big_split /= -!mulr_sumr big_ord_recl /= add0r [X in _ * X + _]sum_fair.
rewrite big_ord_recr /= fair_beyond // addr0 sum_fair !mulr1.
by rewrite (own_bit_self true) (own_bit_other true) -mulrDl mulfV.
Qed.

Lemma slice_ge0 c : 0 <= slice c.
Proof. by apply: sumr_ge0 => k _; rewrite le_maxr lexx orbT. Qed.

End Profile.
