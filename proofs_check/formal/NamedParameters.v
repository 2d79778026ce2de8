(* The parameters p, beta, q of two kinds of named randomizers.

     unary_parameters     unary encoding: the bit of the user's item is 1 with probability p, every other one with q; it is eps0-DP,
                          T = p (1 - q)/(q (1 - p)), and has (T, p - q, T). RAPPOR is p = 1 - q, optimized unary encoding p = 1/2;
     hashing_parameters   local hashing: a function that everybody is told, drawn from any family with any law, and k-ary randomized response of
                          what it makes of the item: (T, (T - 1)/(T + l - 1), T) with l buckets, whatever the collisions. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Composition PairDefinitions ThreeParts TwoLevels.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* What is eps0-DP has p = q = T, and any bound on its total variation. *)
Lemma local_parameters (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) n (w w' : n.-tuple D) (i0 : 'I_n) (T beta : R) :
    0 < T -> ldp T randomizers -> (forall z, hockey 1 (randomizers z (tnth w i0)) (randomizers z (tnth w' i0)) <= beta) ->
  variation_ratio randomizers T^-1 beta T w w' i0.
Proof. by move=> T0 local near z; split=> [s|s|//|j s _]; rewrite ?ler_pdivr_mull //; split. Qed.

Section UnaryEncoding.
Variables (R : realFieldType) (K : finType) (p q : R).

(* Bits, one for each item. *)
Definition unary_mass (x : K) (s : {ffun K -> bool}) : R := \prod_j bernoulli_mass (if j == x then p else q) (s j).

Lemma sum_bits (g : K -> bool -> R) : \sum_(s : {ffun K -> bool}) \prod_j g j (s j) = \prod_j (g j true + g j false).
Proof. by rewrite -bigA_distr_bigA; apply: eq_bigr => j _; rewrite big_bool. Qed.

Hypothesis range : [/\ 0 < q, q <= p & p < 1].

Lemma unary_chances : [/\ 0 < p, 0 < 1 - p & 0 < 1 - q].
Proof. by case: range => q0 qp p1; rewrite !subr_gt0 p1 (lt_le_trans q0 qp) (le_lt_trans qp p1). Qed.

Lemma bit_ge0 (r : R) b : r = p \/ r = q -> 0 <= bernoulli_mass r b.
Proof. by have [p0 p1 q1] := unary_chances; case: range => q0 _ _ [] ->; case: b; rewrite /= ltW. Qed.

Lemma unary_is_law x : is_law (unary_mass x).
Proof.
split=> [s|].
  by apply: prodr_ge0 => j _; apply: bit_ge0; case: ifP; [left | right].
by rewrite /unary_mass (sum_bits (fun j => bernoulli_mass (if j == x then p else q))) big1 // => j _; rewrite /bernoulli_mass addrC subrK.
Qed.

Definition unary (x : K) : dist R [finType of {ffun K -> bool}] := Dist (unary_is_law x).

Lemma unary_split x x' s : x != x' -> unary_mass x s =
  bernoulli_mass p (s x) * (bernoulli_mass q (s x') * \prod_(j | (j != x) && (j != x')) bernoulli_mass q (s j)).
Proof.
move=> apart; rewrite /unary_mass (bigD1 x) //= eqxx (bigD1 x') /=; last by rewrite eq_sym.
rewrite eq_sym (negPf apart); congr (_ * (_ * _)); by apply: eq_bigr => j /andP[/negPf ->].
Qed.

Let T := p * (1 - q) / (q * (1 - p)).

Lemma unary_ratio_ge1 : 1 <= T.
Proof.
have [p0 p1 q1] := unary_chances; case: range => q0 qp _.
by rewrite ler_pdivl_mulr ?mulr_gt0 // mul1r ler_pmul ?(ltW q0) ?(ltW p1) // ler_sub.
Qed.

Lemma unary_local x x' s : unary_mass x s <= T * unary_mass x' s.
Proof.
have [p0 p1 q1] := unary_chances; case: range => q0 qp _; have T1 := unary_ratio_ge1.
have [law0 _] := unary_is_law x'.
have [->|apart] := eqVneq x x'; first by rewrite ler_pemull.
rewrite (unary_split _ apart) (@unary_split x' x) 1?eq_sym //.
rewrite (eq_bigl (fun j => (j != x') && (j != x))) => [|j]; last by rewrite andbC.
set rest := \prod_(j | _) _; have rest0 : 0 <= rest by apply: prodr_ge0 => j _; apply: bit_ge0; right.
rewrite !mulrA ler_wpmul2r // -mulrA /bernoulli_mass.
case: (s x); case: (s x').
- by rewrite ler_pemull // mulr_ge0 ?ltW.
- by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /T; field; rewrite !gt_eqF.
- apply: (@le_trans _ _ (p * (1 - q))); first by rewrite mulrC ler_pmul ?(ltW q0) ?(ltW p1) // ler_sub.
  by rewrite ler_pemull // mulr_ge0 ?ltW.
by rewrite ler_pemull // mulr_ge0 ?ltW.
Qed.

Lemma unary_variation x x' : hockey 1 (unary_mass x) (unary_mass x') <= p - q.
Proof.
case: (range) => q0 qp _; have [->|apart] := eqVneq x x'; first by rewrite hockey_self ?subr_ge0 //; apply: unary_is_law.
pose g j b := if j == x then (if b then p - q else 0) else if j == x' then (if b then 0 else 1) else bernoulli_mass q b.
rewrite /hockey (eq_bigr (fun s : {ffun K -> bool} => \prod_j g j (s j))) => [|s _].
  rewrite (sum_bits g) (bigD1 x) //= big1 ?mulr1 => [|j /negPf jx]; rewrite /g ?eqxx ?addr0 // jx.
  by case: ifP => _; rewrite ?add0r // /bernoulli_mass addrC subrK.
rewrite mul1r (unary_split _ apart) (@unary_split x' x) 1?eq_sym //.
rewrite [in X in _ - X](eq_bigl (fun j => (j != x) && (j != x'))) => [|j]; last by rewrite andbC.
rewrite [RHS](bigD1 x) //= [in RHS](bigD1 x') /=; last by rewrite eq_sym.
rewrite /g eqxx eq_sym (negPf apart) eqxx.
rewrite [in RHS](eq_bigr (fun j => bernoulli_mass q (s j))) => [|j /andP[/negPf -> /negPf ->] //].
set rest := \prod_(j | _) _; have rest0 : 0 <= rest by apply: prodr_ge0 => j _; apply: bit_ge0; right.
rewrite !mulrA -mulrBl [_ * rest]mulrC positive_part_scale //.
rewrite [RHS]mulrC; congr (_ * _); rewrite /bernoulli_mass.
case: (s x); case: (s x'); rewrite ?mulr0 ?mul0r ?mulr1.
- by rewrite subrr maxxx.
- by rewrite (_ : _ - _ = p - q); [apply/max_idPl; rewrite subr_ge0 | ring].
- by rewrite (_ : _ - _ = q - p); [apply/max_idPr; rewrite subr_le0 | ring].
by rewrite subrr maxxx.
Qed.

Definition unary_of (D : Type) (f : seq {ffun K -> bool} -> D -> K) : adaptive_randomizers R D [finType of {ffun K -> bool}] :=
  fun z x => unary (f z x).

Theorem unary_parameters (D : Type) (f : seq {ffun K -> bool} -> D -> K) n (w w' : n.-tuple D) (i0 : 'I_n) :
  ldp (p * (1 - q) / (q * (1 - p))) (unary_of f) /\
  variation_ratio (unary_of f) (p * (1 - q) / (q * (1 - p)))^-1 (p - q) (p * (1 - q) / (q * (1 - p))) w w' i0.
Proof.
have local : ldp T (unary_of f) by move=> z x x' s; apply: unary_local.
split=> //; apply: local_parameters => // [|z]; last exact: unary_variation.
exact: lt_le_trans ltr01 unary_ratio_ge1.
Qed.

End UnaryEncoding.

Section LocalHashing.
Variables (R : realFieldType) (K H : finType) (T : R) (T_ge1 : 1 <= T) (k_ge2 : (1 < #|K|)%N) (D : Type).

(* A function h that everybody is told, and k-ary randomized response of what it makes of the item. *)
Definition hashed_mass (chosen : dist R H) (hash : H -> D -> K) (x : D) (s : H * K) : R := chosen s.1 * k_rr T_ge1 k_ge2 (hash s.1 x) s.2.

Lemma hashed_is_law chosen hash x : is_law (hashed_mass chosen hash x).
Proof.
split=> [s|]; first by rewrite /hashed_mass mulr_ge0 ?mass_ge0.
rewrite -(pair_bigA _ (fun h y => chosen h * k_rr T_ge1 k_ge2 (hash h x) y)) /= -[RHS](mass_sum1 chosen).
by apply: eq_bigr => h _; rewrite -mulr_sumr (mass_sum1 (k_rr T_ge1 k_ge2 (hash h x))) mulr1.
Qed.

Definition hashed chosen hash (x : D) : dist R [finType of H * K] := Dist (hashed_is_law chosen hash x).
Definition hashed_of (chosen : seq (H * K) -> dist R H) (hash : seq (H * K) -> H -> D -> K) : adaptive_randomizers R D [finType of H * K] :=
  fun z => hashed (chosen z) (hash z).

Theorem hashing_parameters chosen hash n (w w' : n.-tuple D) (i0 : 'I_n) :
  ldp T (hashed_of chosen hash) /\ variation_ratio (hashed_of chosen hash) T^-1 ((T - 1) / (T + #|K|%:R - 1)) T w w' i0.
Proof.
have T0 : 0 < T := lt_le_trans ltr01 T_ge1.
have k_rr_is a b := k_rr_parameters T_ge1 k_ge2 (fun _ : seq K => id) [tuple a] [tuple b] ord0.
have local : ldp T (hashed_of chosen hash).
  move=> z x x' s; rewrite /= /hashed_mass mulrCA ler_wpmul2l ?mass_ge0 //.
  by have [k_rr_local _] := k_rr_is (hash z s.1 x) (hash z s.1 x); apply: (k_rr_local [::]).
split=> //; apply: local_parameters => // z; set x := tnth w i0; set x' := tnth w' i0.
rewrite /hockey (eq_bigr (fun s => chosen z s.1 * Num.max (k_rr T_ge1 k_ge2 (hash z s.1 x) s.2 - 1 * k_rr T_ge1 k_ge2 (hash z s.1 x') s.2) 0)); last first.
  by move=> s _; rewrite /= /hashed_mass !mul1r -mulrBr positive_part_scale ?mass_ge0.
rewrite -(pair_bigA _ (fun h y => chosen z h * Num.max (k_rr T_ge1 k_ge2 (hash z h x) y - 1 * k_rr T_ge1 k_ge2 (hash z h x') y) 0)) /=.
apply: (@le_trans _ _ (\sum_h chosen z h * ((T - 1) / (T + #|K|%:R - 1)))); last by rewrite -mulr_suml mass_sum1 mul1r.
apply: ler_sum => h _; rewrite -mulr_sumr ler_wpmul2l ?mass_ge0 //.
by have [_ /(_ [::])[_ _ near _]] := k_rr_is (hash z h x) (hash z h x').
Qed.

End LocalHashing.
