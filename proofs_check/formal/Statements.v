(* What is proved, for a reader who reviews it: each statement beside the sentence of the paper that it says. Nothing is proved here; Pinned.v
   proves every one by the theorem of its name, with no hypothesis more, and the ledger holds a digest of each.

   The words are those of Definitions.v and PairDefinitions.v; those of one subject are defined at the head of ThreeParts.v (three parts, k-ary
   randomized response), PureRandomizers.v (accuracy), SeveralMessages.v, BitSum.v, WorstDatasets.v and RealSum.v (protocols), AnotherPlace.v, ControlledSum.v, FiveCorners.v,
   Perspective.v and ClonesLeft.v (the controlled sum). T = e^epsilon0, E = e^epsilon; all sets of messages are finite. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions PairDefinitions Composition StrongerClonesPair StrongerClones ThreeParts PureRandomizers
  SeveralMessages BitSum AnyBlanket AnotherPlace ConvexOrder ControlledSum FiveCorners Blocks AdaptivePlace AdaptiveApproximate
  FirstArrival Perspective ArrivalAll ClonesLeft RandomParticipation MoreUsers TypeBlocks WorstDatasets RealSum BinaryPair NamedParameters Integers Exponential OneRandomizer ArrivalApproximate AdaptiveAll.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* Divergences and composition *)

(* FMT21, section 2: "differential privacy is preserved under post-processing". *)
Definition hockey_post_processing : Prop :=
  forall (R : realFieldType) (A B : finType) (K : A -> dist R B) (E : R) (P Q : A -> R),
    hockey E (push K P) (push K Q) <= hockey E P Q.

(* FMT21, section 2: the hockey-stick divergence is jointly convex. *)
Definition hockey_joint_convexity : Prop :=
  forall (R : realFieldType) (A C : finType) (E : R) (weight : C -> R) (P Q : C -> A -> R), (forall c, 0 <= weight c) ->
    hockey E (fun y => \sum_c weight c * P c y) (fun y => \sum_c weight c * Q c y) <= \sum_c weight c * hockey E (P c) (Q c).

(* Basic composition: an (epsilon, delta)-indistinguishable outcome and one that is (epsilon', delta')-indistinguishable whatever the first was
   are (epsilon + epsilon', delta + delta')-indistinguishable together. *)
Definition basic_composition : Prop :=
  forall (R : realFieldType) (A B : finType) (E E' delta delta' : R) (P Q : A -> R) (K L : A -> B -> R),
    is_law P -> is_law Q -> (forall y, is_law (K y)) -> (forall y, is_law (L y)) -> 0 <= E -> 0 <= E' ->
    dp E delta P Q -> (forall y, dp E' delta' (K y) (L y)) ->
    dp (E * E') (delta + delta') (joint P K) (joint Q L).

(* Group privacy: (epsilon, delta)-DP is (k epsilon, delta (1 + e^epsilon + ... + e^((k-1) epsilon)))-DP for k users. *)
Definition group_privacy : Prop :=
  forall (R : realFieldType) (D : Type) (B : finType) n (E delta : R) (mechanism : n.-tuple D -> B -> R) k (w : nat -> n.-tuple D),
    1 <= E -> is_law (mechanism (w 0%N)) -> private E delta mechanism -> (forall i, (i < k)%N -> neighbours (w i) (w i.+1)) ->
    dp (E ^+ k) (delta * \sum_(i < k) E ^+ i) (mechanism (w 0%N)) (mechanism (w k)).

(* FMT21, section 2, behind its remarks: [a + b]_+ <= [a]_+ + [b]_+, and [w_1 x_1 + ... + w_m x_m]_+ <= w_1 [x_1]_+ + ... + w_m [x_m]_+, w_i >= 0. *)
Definition subadditivity : Prop :=
  forall R : realFieldType,
  (forall a b : R, Num.max (a + b) 0 <= Num.max a 0 + Num.max b 0) /\
  forall (I : finType) (weight x : I -> R), (forall i, 0 <= weight i) ->
    Num.max (\sum_i weight i * x i) 0 <= \sum_i weight i * Num.max (x i) 0.

(* FMT21, section 2: "P and Q are (eps, delta)-indistinguishable if max(D_(e^eps)(P || Q), D_(e^eps)(Q || P)) <= delta", the same as for all events. *)
Definition indistinguishable_iff : Prop :=
  forall (R : realFieldType) (A : finType) (E delta : R) (P Q : A -> R),
    dp E delta P Q /\ dp E delta Q P <-> Num.max (hockey E P Q) (hockey E Q P) <= delta.

(* FMT21, section 2: "for a fixed local randomizer, shuffling the randomized responses is distributed as randomizing shuffled data". *)
Definition shuffling_commutes : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) n (w : n.-tuple D),
    shuffle (messages randomizer w) =1 shuffled (fun=> randomizer) w.

(* FMT21, Lemma 2.3 (advanced joint convexity): for P = (1 - q) P_0 + q P_1, Q = (1 - q) P_0 + q Q_1, a' = 1 + q (a - 1), theta = a'/a,
   D_a'(P || Q) = q D_a(P_1 || (1 - theta) P_0 + theta Q_1) <= q max(D_a(P_1 || P_0), D_a(P_1 || Q_1)). *)
Definition advanced_joint_convexity : Prop :=
  forall (R : realFieldType) (A : finType) (P_0 P_1 Q_1 : A -> R) (q a : R) (a' := 1 + q * (a - 1)) (theta := a' / a), 0 <= q <= 1 -> 1 <= a ->
  hockey a' (fun x => (1 - q) * P_0 x + q * P_1 x) (fun x => (1 - q) * P_0 x + q * Q_1 x) =
    q * hockey a P_1 (fun x => (1 - theta) * P_0 x + theta * Q_1 x) /\
  hockey a P_1 (fun x => (1 - theta) * P_0 x + theta * Q_1 x) <= Num.max (hockey a P_1 P_0) (hockey a P_1 Q_1).

(* Dominating pairs compose: k rounds, each of which sees all before it and is dominated by (C, D), are dominated by k independent copies. *)
Definition rounds_dominated : Prop :=
  forall (R : realFieldType) (S B : finType) (K L : seq S -> S -> R) (C D : B -> R),
    (forall z, is_law (K z)) -> (forall z, is_law (L z)) -> is_law C -> is_law D -> (forall z, dominated (K z) (L z) C D) ->
  forall n, dominated (@sequential R S K n) (@sequential R S L n) (@sequential R B (fun=> C) n) (@sequential R B (fun=> D) n).

(* FMT21, section 6.1, basic composition: k rounds of (eps, delta)-DP mechanisms are (k eps, k delta)-DP, adaptive too. *)
Definition rounds_private : Prop :=
  forall (R : realFieldType) (S : finType) (K L : seq S -> S -> R) (E delta : R), (forall z, is_law (K z)) -> (forall z, is_law (L z)) -> 1 <= E ->
    (forall z, dp E delta (K z) (L z)) ->
  forall n, dp (E ^+ n) (n%:R * delta) (@sequential R S K n) (@sequential R S L n).

(* FMT21, section 3.1, from deletion to replacement: (eps, delta) under deletion gives (2 eps, (1 + e^eps) delta) under replacement. *)
Definition replacement_of_deletion : Prop :=
  forall (R : realFieldType) (D : Type) (B : finType) (E delta : R) (mechanism : seq D -> B -> R),
    0 <= E -> deletion_private E delta mechanism -> replacement_private (E ^+ 2) ((1 + E) * delta) mechanism.

(* A divergence outside [1, p]: 0 from the ratio p on, and D_E(P || Q) = 1 - E + E D_(1/E)(Q || P). *)
Definition divergence_outside : Prop :=
  forall (R : realFieldType) (A : finType) (P Q : A -> R), is_law P -> is_law Q ->
  (forall p E, (forall x, P x <= p * Q x) -> p <= E -> hockey E P Q = 0) /\
  (forall E, 0 < E -> hockey E P Q = 1 - E + E * hockey E^-1 Q P).

(* R_0 <= p R_1 and R_1 <= p R_0 imply TV(R_0, R_1) <= (p - 1)/(p + 1); max(R_0, R_1) <= q R_k implies TV <= q - 1. *)
Definition total_variation_bounds : Prop :=
  forall (R : realFieldType) (S : finType) (R_0 R_1 : S -> R), is_law R_0 -> is_law R_1 ->
  (forall p_inv, 0 <= p_inv <= 1 -> (forall s, p_inv * R_0 s <= R_1 s) -> (forall s, p_inv * R_1 s <= R_0 s) ->
     hockey 1 R_0 R_1 <= (1 - p_inv) / (1 + p_inv)) /\
  (forall q (R_k : S -> R), is_law R_k -> (forall s, R_0 s <= q * R_k s) -> (forall s, R_1 s <= q * R_k s) -> hockey 1 R_0 R_1 <= q - 1).

(* Clones *)

(* FMT21, Theorem 3.2: "Let X_0 and X_1 be two arbitrary neighboring datasets in D^n. Let C ~ Bin(n-1, e^-eps0), A ~ Bin(C, 1/2) and
   Delta ~ Bern(e^eps0/(e^eps0 + 1)). Then there exists a randomized postprocessing algorithm Phi such that A_s(X_0) is distributed identically to
   Phi(A + Delta, C - A + 1 - Delta) and A_s(X_1) is distributed identically to Phi(A + 1 - Delta, C - A + Delta)." *)
Definition hiding_among_the_clones : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (T : R) n, 1 <= T ->
  forall (randomizers : adaptive_randomizers R D S) (w w' : n.-tuple D), ldp T randomizers -> neighbours w w' ->
  exists K : 'I_n.+1 * 'I_n.+1 -> dist R [finType of n.-tuple S],
    shuffled randomizers w =1 push K (clones_P T) /\ shuffled randomizers w' =1 push K (clones_Q T).

(* FMT21, Theorem 3.8: for (eps0, delta0)-DP local randomizers "A_s is (eps, delta + (e^eps + 1)(1 + e^-eps0/2) n delta0)-DP", here with the clones
   pair's own delta for every eps; and with delta0 + (e^eps + 1)(3/2) e^-eps0 (n - 1) delta0. *)
Definition approximate_clones_private : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (T delta0 : R) n, 1 <= T ->
  forall (randomizers : adaptive_randomizers R D S) (E delta : R),
    approximately_ldp T delta0 randomizers -> 0 <= E -> hockey E (@clones_P R n T) (@clones_Q R n T) <= delta ->
    private E (delta + delta0 + (E + 1) * (3%:R / 2%:R / T) * (n.-1%:R * delta0)) (fun w : n.-tuple D => shuffled randomizers w) /\
    private E (delta + (E + 1) * (1 + T^-1 / 2%:R) * (n%:R * delta0)) (fun w : n.-tuple D => shuffled randomizers w).

(* FMT21, Lemma 3.7: for a deletion (eps, delta)-DP randomizer with the reference rho there is a deletion eps-DP one with the same reference within
   total variation delta of it at every input. *)
Definition clipped_randomizer : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (T delta : R) (randomizer : D -> dist R S) (rho : dist R S),
    1 <= T -> 0 <= delta -> (forall x, dp T delta (randomizer x) rho /\ dp T delta rho (randomizer x)) ->
  exists pure : D -> dist R S, forall x,
    [/\ forall s, rho s <= T * pure x s, forall s, pure x s <= T * rho s & hockey 1 (randomizer x) (pure x) <= delta].

(* FMT21, Theorem 3.8's union bound: randomizers within total variation delta0, at every step and history, of those of a sequence that is
   (eps, delta)-DP when shuffled are (eps, delta + (e^eps + 1) n delta0)-DP when shuffled. *)
Definition nearby_private : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers randomizers' : adaptive_randomizers R D S) (E delta delta0 : R) n, 0 <= E ->
    (forall z x, hockey 1 (randomizers z x) (randomizers' z x) <= delta0) ->
    private E delta (fun w : n.-tuple D => shuffled randomizers' w) ->
  private E (delta + (E + 1) * (n%:R * delta0)) (fun w : n.-tuple D => shuffled randomizers w).

(* FMT21, Theorem 4.1: "Let (A, B, C, D) ~ MultNom(n-1; p, p, p, 1-3p) and Gamma ~ Bern(q). There exists a randomized postprocessing algorithm Phi
   such that A_s(X_0) is distributed identically to Phi(A + Gamma, B, C + 1 - Gamma) and A_s(X_1) [...] to Phi(A, B + Gamma, C + 1 - Gamma)", where
   R(x_1^b) = q Q_b + (1 - q) Q and R(x) = p Q_0 + p Q_1 + p Q + (1 - 3p) LO(x). *)
Definition three_clones : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1)
    (p q : R) (Q_0 Q_1 Q : seq S -> dist R S),
    (forall j, j != i0 -> tnth w j = tnth w' j) -> 0 < p -> p *+ 3 <= 1 ->
    (forall z s, randomizers z (tnth w i0) s = q * Q_0 z s + (1 - q) * Q z s) ->
    (forall z s, randomizers z (tnth w' i0) s = q * Q_1 z s + (1 - q) * Q z s) ->
    (forall z j s, j != i0 -> p * Q_0 z s + p * Q_1 z s + p * Q z s <= randomizers z (tnth w j) s) ->
  exists K : {ffun 'I_4 -> 'I_n.+2} -> dist R [finType of n.+1.-tuple S],
    shuffled randomizers w =1 push K (pair_counts (part_special_0 q) (part_others p) n) /\
    shuffled randomizers w' =1 push K (pair_counts (part_special_1 q) (part_others p) n).

(* Theorem F3: if at every step and history R_0 <= p R_1, R_1 <= p R_0, TV(R_0, R_1) <= beta and R_0, R_1 <= q R_k for every other user k, then
   D_E(A(X_0) || A(X_1)) and D_E(A(X_1) || A(X_0)) are at most D_E(P || Q) = D_E(Q || P), (P, Q) the optimal pair of (p, beta, q), beta clipped to
   what p and q allow; p_inv = 1/p. (One user alone has nobody to be compared with: any q will do.) *)
Definition optimal_pair_in_full : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1)
    (p_inv beta q E : R) (q' := if n is 0%N then Num.max q 2%:R else q) (beta' := clipped p_inv beta q'),
    (forall j, j != i0 -> tnth w j = tnth w' j) -> 0 <= p_inv < 1 -> 1 <= q -> 0 <= beta -> 0 <= E ->
    variation_ratio randomizers p_inv beta q w w' i0 ->
  [/\ hockey E (shuffled randomizers w) (shuffled randomizers w') <= hockey E (pair_P p_inv beta' q' n) (pair_Q p_inv beta' q' n),
      hockey E (shuffled randomizers w') (shuffled randomizers w) <= hockey E (pair_P p_inv beta' q' n) (pair_Q p_inv beta' q' n)
    & hockey E (pair_Q p_inv beta' q' n) (pair_P p_inv beta' q' n) = hockey E (pair_P p_inv beta' q' n) (pair_Q p_inv beta' q' n)].

(* No pair that depends on n, p, beta and q only is smaller: some randomizer and neighbouring data with these parameters have D_E = D_E(P || Q). *)
Definition optimal_pair_attained : Prop :=
  forall (R : realFieldType) (p_inv beta q : R) n, pair_domain p_inv beta q ->
  exists (randomizer : option bool -> dist R [finType of 'I_4]) (w w' : n.+1.-tuple (option bool)) (i0 : 'I_n.+1),
    [/\ forall j, j != i0 -> tnth w j = tnth w' j, variation_ratio (fun=> randomizer) p_inv beta q w w' i0
      & forall E, 0 <= E -> hockey E (shuffled (fun=> randomizer) w) (shuffled (fun=> randomizer) w')
                            = hockey E (pair_P p_inv beta q n) (pair_Q p_inv beta q n)].

(* Corollary F2 (stronger clones): if every step is eps0-DP, D_E of A(X_0), A(X_1) is at most that of (A + Delta, C - A + 1 - Delta),
   (A + 1 - Delta, C - A + Delta), C ~ Bin(n - 1, 2/(T + 1)): the optimal pair of (T, (T - 1)/(T + 1), T). *)
Definition stronger_clones_in_full : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (T : R), 1 <= T ->
  forall n (randomizers : adaptive_randomizers R D S) (w w' : n.+1.-tuple D) (E : R),
    1 < T -> ldp T randomizers -> neighbours w w' -> 0 <= E ->
  [/\ hockey E (shuffled randomizers w) (shuffled randomizers w') <= hockey E (@stronger_clones_P R n.+1 T) (@stronger_clones_Q R n.+1 T),
      hockey E (shuffled randomizers w') (shuffled randomizers w) <= hockey E (@stronger_clones_P R n.+1 T) (@stronger_clones_Q R n.+1 T),
      hockey E (@stronger_clones_Q R n.+1 T) (@stronger_clones_P R n.+1 T) = hockey E (@stronger_clones_P R n.+1 T) (@stronger_clones_Q R n.+1 T)
    & hockey E (pair_P T^-1 ((T - 1) / (T + 1)) T n) (pair_Q T^-1 ((T - 1) / (T + 1)) T n) =
      hockey E (@stronger_clones_P R n.+1 T) (@stronger_clones_Q R n.+1 T)].

(* The privacy blanket (BBGN19) of k-ary randomized response of any functions f of the data, adaptive too: the counts of a special user who sends
   0, 1, d with masses (T r, r, (k - 2) r) or (r, T r, (k - 2) r), r = 1/(T + k - 1), and of others with (r, r, (k - 2) r), dominate. *)
Definition k_rr_blanket_dominates : Prop :=
  forall (R : realFieldType) (K : finType) (T : R) (T_ge1 : 1 <= T) (k_ge2 : (1 < #|K|)%N) (D : Type) (f : seq K -> D -> K) n
    (w w' : n.+1.-tuple D) (E : R), neighbours w w' -> 0 <= E ->
    hockey E (shuffled (k_rr_of T_ge1 k_ge2 f) w) (shuffled (k_rr_of T_ge1 k_ge2 f) w') <=
    hockey E (pair_counts (k_rr_special_0 K T) (k_rr_others K T) n) (pair_counts (k_rr_special_1 K T) (k_rr_others K T) n).

(* The parameters of randomizers with two levels of probability, T c on A_x and c elsewhere, c = 1/(T a + |S| - a), a the size of every A_x: they are
   eps0-DP, and p = q = T, beta = (T - 1) b c, b the largest number of messages in A_x0 and not in A_x1. *)
Definition two_level_parameters : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) n (w w' : n.+1.-tuple D)
    (i0 : 'I_n.+1) (T : R) (A : seq S -> D -> {set S}) (a b : nat) (c := (T * a%:R + (#|S| - a)%N%:R)^-1), 1 <= T ->
    (forall z x, #|A z x| = a) -> (forall z x s, randomizers z x s = if s \in A z x then T * c else c) ->
    (forall z, (#|A z (tnth w i0) :\: A z (tnth w' i0)| <= b)%N) ->
  ldp T randomizers /\ variation_ratio randomizers T^-1 ((T - 1) * b%:R * c) T w w' i0.

(* k-ary randomized response of any functions of the data is eps0-DP with p = q = T, beta = (T - 1)/(T + k - 1). *)
Definition k_rr_parameters : Prop :=
  forall (R : realFieldType) (K : finType) (T : R) (T_ge1 : 1 <= T) (k_ge2 : (1 < #|K|)%N) (D : Type) (f : seq K -> D -> K) n
    (w w' : n.+1.-tuple D) (i0 : 'I_n.+1),
  ldp T (k_rr_of T_ge1 k_ge2 f) /\ variation_ratio (k_rr_of T_ge1 k_ge2 f) T^-1 ((T - 1) / (T + #|K|%:R - 1)) T w w' i0.

(* Unary encoding of finitely many items, bit j being 1 with probability p if j is the user's item and with q if not, is eps0-DP,
   e^eps0 = p (1 - q)/(q (1 - p)), with p = q = e^eps0, beta = p - q. RAPPOR is p = 1 - q, optimized unary encoding p = 1/2. *)
Definition unary_parameters : Prop :=
  forall (R : realFieldType) (K : finType) (p q : R) (range : [/\ 0 < q, q <= p & p < 1]) (D : Type) (f : seq {ffun K -> bool} -> D -> K) n
    (w w' : n.-tuple D) (i0 : 'I_n) (T := p * (1 - q) / (q * (1 - p))),
  ldp T (unary_of range f) /\ variation_ratio (unary_of range f) T^-1 (p - q) T w w' i0.

(* Local hashing into l buckets: a function that everybody is told, drawn from any finite family with any law, and k-ary randomized response of the
   bucket it has for the user's value: eps0-DP with p = q = T, beta = (T - 1)/(T + l - 1), whatever the collisions. *)
Definition hashing_parameters : Prop :=
  forall (R : realFieldType) (K H : finType) (T : R) (T_ge1 : 1 <= T) (k_ge2 : (1 < #|K|)%N) (D : Type) (chosen : seq (H * K) -> dist R H)
    (hash : seq (H * K) -> H -> D -> K) n (w w' : n.-tuple D) (i0 : 'I_n) (randomizers := hashed_of T_ge1 k_ge2 chosen hash),
  ldp T randomizers /\ variation_ratio randomizers T^-1 ((T - 1) / (T + #|K|%:R - 1)) T w w' i0.

(* FMT21, Corollary 4.2, as corrected: k-ary randomized response has Theorem 4.1's pair with q = (T - 1)/(T + k - 1), p = k/((k + 1)(T + k - 1)), where
   the two data points are told apart at every step. *)
Definition k_rr_three_clones : Prop :=
  forall (R : realFieldType) (K : finType) (T : R) (T_ge1 : 1 <= T) (k_ge2 : (1 < #|K|)%N) (D : Type) (f : seq K -> D -> K) n
    (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (q := (T - 1) / (T + #|K|%:R - 1)) (p := #|K|%:R / ((#|K|%:R + 1) * (T + #|K|%:R - 1))),
    (forall j, j != i0 -> tnth w j = tnth w' j) -> (forall z, f z (tnth w i0) != f z (tnth w' i0)) ->
  exists kernel : {ffun 'I_4 -> 'I_n.+2} -> dist R [finType of n.+1.-tuple K],
    shuffled (k_rr_of T_ge1 k_ge2 f) w =1 push kernel (pair_counts (part_special_0 q) (part_others p) n) /\
    shuffled (k_rr_of T_ge1 k_ge2 f) w' =1 push kernel (pair_counts (part_special_1 q) (part_others p) n).

(* FMT21, Corollary 4.2, as corrected: and that pair's divergences are no smaller whether or not the functions tell the two data points apart. *)
Definition k_rr_pair_dominates : Prop :=
  forall (R : realFieldType) (K : finType) (T : R) (T_ge1 : 1 <= T) (k_ge2 : (1 < #|K|)%N) (D : Type) (f : seq K -> D -> K) n
    (w w' : n.+1.-tuple D) (E : R) (q := (T - 1) / (T + #|K|%:R - 1)) (p := #|K|%:R / ((#|K|%:R + 1) * (T + #|K|%:R - 1))),
    neighbours w w' -> 0 <= E ->
  hockey E (shuffled (k_rr_of T_ge1 k_ge2 f) w) (shuffled (k_rr_of T_ge1 k_ge2 f) w') <=
  hockey E (pair_counts (part_special_0 q) (part_others p) n) (pair_counts (part_special_1 q) (part_others p) n).

(* One message per user *)

(* CSUZZ19, Theorem 6.2: "If Pi_R = (R, S) is (eps, delta)-differentially private, then the algorithm R satisfies (eps + ln n, delta)-differential
   privacy"; what is seen is the histogram of the messages. *)
Definition one_message_is_local : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) n (E delta : R), 0 <= E ->
    private E delta (fun w : n.+1.-tuple D => image_law (@histogram S n.+1) (messages randomizer w)) ->
  forall x x' : D, dp (n.+1%:R * E) delta (randomizer x) (randomizer x').

(* BC20, Claim 4.2: "Let P = (R, A) be any single-message shuffled protocol that satisfies eps-differential privacy. Then R is an
   eps-differentially private algorithm." *)
Definition pure_one_message_is_local : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) n (E : R), 0 <= E ->
    private E 0 (fun w : n.+1.-tuple D => image_law (@histogram S n.+1) (messages randomizer w)) ->
  forall (x x' : D) (s : S), randomizer x s <= E * randomizer x' s.

(* BC20, Theorem 4.1: "For any single-message shuffled protocol P = (R, A) that satisfies eps-differential privacy, there exists a local protocol
   P_L = (R_L, A_L) that satisfies eps-differential privacy and P_L(x) is identically distributed to P(x) for every input x": R_L = R, and A_L
   shuffles and then runs A. *)
Definition simulated_locally : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) n (O : finType) (A : n.+1.-tuple S -> dist R O) (E : R),
    0 <= E -> private E 0 (fun w : n.+1.-tuple D => shuffle (messages randomizer w)) ->
    (forall x x' s, randomizer x s <= E * randomizer x' s) /\
    (forall w : n.+1.-tuple D, push (shuffling A) (messages randomizer w) =1 push A (shuffle (messages randomizer w))).

(* CSUZZ19, Theorem D.1, sharper: for every (eps, delta)-DP local randomizer there is a (2 eps, 0)-DP one with which every analyzer of n messages
   fails with probability beta + n delta at most if it did with beta at most. *)
Definition pure_by_clipping : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) (E delta : R), D -> 1 <= E -> 0 <= delta ->
    (forall x x', dp E delta (randomizer x) (randomizer x')) ->
  exists pure : D -> dist R S, (forall x x' s, pure x s <= E ^+ 2 * pure x' s) /\
    (forall n (bad : n.-tuple D -> n.-tuple S -> R) (beta : R), probabilities bad ->
      accurate (fun w : n.-tuple D => messages randomizer w) bad beta ->
      accurate (fun w : n.-tuple D => messages pure w) bad (beta + n%:R * delta)).

(* CSUZZ19, Theorem D.1: if delta <= beta/(8 n ln(n/beta)) e^(-6 eps), "then there exists another local protocol that is (8 eps, 0) differentially
   private and (alpha, 4 beta) accurate"; l stands for ln(n/beta) and may be any number that is at least 1 where n >= 4 beta. *)
Definition pure_of_approximate : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) (E delta : R), D ->
  forall n (bad : n.+1.-tuple D -> n.+1.-tuple S -> R) (beta l : R), 1 <= E -> 0 <= delta ->
    (forall x x', dp E delta (randomizer x) (randomizer x')) -> probabilities bad ->
    accurate (fun w : n.+1.-tuple D => messages randomizer w) bad beta ->
    (4%:R * beta <= n.+1%:R -> 1 <= l) -> 8%:R * n.+1%:R * l * E ^+ 6 * delta <= beta ->
  exists pure : D -> dist R S, (forall x x' s, pure x s <= E ^+ 8 * pure x' s) /\
    accurate (fun w : n.+1.-tuple D => messages pure w) bad (4%:R * beta).

(* CSUZZ19, Theorem 6.1, sharper: from n shuffled messages that are (eps, delta)-DP to a (2 (eps + ln n), 0)-DP local randomizer, with which the
   analyzer that shuffles for itself fails with probability beta + n delta at most if it did with beta at most. *)
Definition local_of_shuffled : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) n (E delta : R), D -> 1 <= E -> 0 <= delta ->
    private E delta (fun w : n.+1.-tuple D => shuffle (messages randomizer w)) ->
  exists pure : D -> dist R S, (forall x x' s, pure x s <= (n.+1%:R * E) ^+ 2 * pure x' s) /\
    (forall (bad : n.+1.-tuple D -> n.+1.-tuple S -> R) (beta : R), probabilities bad ->
      accurate (fun w : n.+1.-tuple D => shuffle (messages randomizer w)) bad beta ->
      accurate (fun w : n.+1.-tuple D => shuffle (messages pure w)) bad (beta + n.+1%:R * delta)).

(* CSUZZ19, Theorem 6.1: a one-message shuffled protocol that is (eps_S, delta_S)-DP, delta_S <= n^-8, and (alpha, beta)-accurate gives a local one
   that is (8 (eps_S + ln n), 0)-DP and (alpha, 4 beta)-accurate; n large means 3 beta n^7 >= 1. *)
Definition local_of_shuffled_as_printed : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) n (E delta : R), D -> 1 <= E -> 0 <= delta ->
    private E delta (fun w : n.+1.-tuple D => shuffle (messages randomizer w)) ->
  forall (bad : n.+1.-tuple D -> n.+1.-tuple S -> R) (beta : R), probabilities bad ->
    accurate (fun w : n.+1.-tuple D => shuffle (messages randomizer w)) bad beta ->
    delta * n.+1%:R ^+ 8 <= 1 -> 1 <= 3%:R * beta * n.+1%:R ^+ 7 ->
  exists pure : D -> dist R S, (forall x x' s, pure x s <= (n.+1%:R * E) ^+ 8 * pure x' s) /\
    accurate (fun w : n.+1.-tuple D => shuffle (messages pure w)) bad (4%:R * beta).

(* Several messages per user *)

(* BC20, Claim 4.3: "There exists a multi-message shuffled protocol that is eps-differentially private for all eps >= 0 but its randomizer is not
   eps-differentially private for any finite eps": on x in {0, 1} it sends x and 1 - x. *)
Definition nothing_after_shuffling : Prop :=
  forall R : realFieldType, (forall n, private 1 0 (view (r_inf R) (n := n))) /\
    ~ exists T : R, forall x x' s, r_inf R x s <= T * r_inf R x' s.

(* BC20, section 4.1: "it is without loss of accuracy or privacy to suppose that a randomizer shuffles its messages prior to sending them to the
   shuffler [...] the pre-shuffle version of R^inf satisfies 0-differential privacy". *)
Definition pre_shuffling : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) k (randomizer : D -> dist R [finType of k.-tuple S]),
    (forall n (w : n.-tuple D), view (pre_shuffled randomizer) w =1 view randomizer w) /\
    (forall x x' : bool, pre_shuffled (r_inf R) x =1 pre_shuffled (r_inf R) x').

(* BC20, Claim 4.4: "There exists a multi-message shuffled protocol that is eps-differentially private for some finite eps but its pre-shuffle
   randomizer is not eps-differentially private for any finite eps": for all weights on the supports of R^gap and every n >= 2. *)
Definition gap_in_full : Prop :=
  forall (R : realFieldType) (r_gap : bool -> dist R [finType of 4.-tuple bool]), r_gap_support r_gap ->
    (forall n, (1 < n)%N -> exists E : R, private E 0 (fun w : n.-tuple bool => view r_gap w)) /\
    ~ exists T : R, forall x x' k, image_law number_of_ones (r_gap x) k <= T * image_law number_of_ones (r_gap x') k.

(* BC20, section 3.1: the shuffler's output is equivalent to the sum of x_i + Bin(n, p), and to n - (-(the sum of x_i) + Bin(n, 1 - p)). *)
Definition zero_sum_view : Prop :=
  forall (R : realFieldType) (p : R) (p_range : 0 <= p <= 1) n (w : n.-tuple bool) k (s := (\sum_(i < n) tnth w i)%N),
    \sum_(m | total_ones m == k) messages (zero_sum p_range) w m = (if (s <= k)%N then binomial_mass n p (k - s) else 0) /\
    \sum_(m | total_ones m == k) messages (zero_sum p_range) w m =
      (if (s <= k <= n + s)%N then binomial_mass n (1 - p) (n + s - k) else 0).

(* BC20, section 3.1: of n users' zero sum the least delta over all datasets is that of Bin(n, p) and 1 + Bin(n, p), the larger of both ways. *)
Definition zero_sum_profile : Prop :=
  forall (R : realFieldType) (p : R) (p_range : 0 <= p <= 1) n (E delta : R), 1 <= E ->
    private E delta (fun w : n.+1.-tuple bool => zero_sum_seen p_range w) <->
    hockey E (fun k : 'I_n.+3 => shifted_binomial p n.+1 0 k) (fun k : 'I_n.+3 => shifted_binomial p n.+1 1 k) <= delta /\
    hockey E (fun k : 'I_n.+3 => shifted_binomial p n.+1 1 k) (fun k : 'I_n.+3 => shifted_binomial p n.+1 0 k) <= delta.

(* BC20, Theorem 3.2, part i, with the tails as they are: of n users' histogram, a zero sum for every bin, every two neighbouring datasets that differ
   have the divergences of two bins, of which one goes down by one as the other goes up: (1 + Bin(n, p), Bin(n, p)) and (Bin(n, p), 1 + Bin(n, p)),
   independent. *)
Definition histogram_pair : Prop :=
  forall (R : realFieldType) (K : finType) (p : R) (p_range : 0 <= p <= 1) n (w w' : n.+1.-tuple K) (i : 'I_n.+1) (E : R),
    (forall j, j != i -> tnth w j = tnth w' j) -> tnth w i != tnth w' i ->
  hockey E (histogram_seen p_range w) (histogram_seen p_range w') =
  hockey E (fun k : 'I_n.+3 * 'I_n.+3 => shifted_binomial p n.+1 1 k.1 * shifted_binomial p n.+1 0 k.2)
           (fun k : 'I_n.+3 * 'I_n.+3 => shifted_binomial p n.+1 0 k.1 * shifted_binomial p n.+1 1 k.2).

(* CSUZZ19, Definition 3.4 for Algorithm 1: the least delta of the bit sum is the largest over k = 0, ..., n - 1 of that of k and k + 1 ones, in both
   directions. *)
Definition bit_sum_profile : Prop :=
  forall (R : realFieldType) n (n_gt0 : (0 < n)%N) (lambda : R) (range : 0 <= lambda <= n%:R) (E delta : R), 1 <= E ->
    private E delta (bit_sum_view n_gt0 range) <->
    forall k, (k < n)%N ->
      hockey E (bit_sum_view n_gt0 range (with_ones (inord k))) (bit_sum_view n_gt0 range (with_ones (inord k.+1))) <= delta /\
      hockey E (bit_sum_view n_gt0 range (with_ones (inord k.+1))) (bit_sum_view n_gt0 range (with_ones (inord k))) <= delta.

(* CSUZZ19, section 5.3, the runs told apart, with the tails as they are: however users round their numbers to one of 0, ..., r, the real sum of n users
   with r bits each is (eps, delta)-DP if r independent bit sums are, of which each goes from k_j to k_j + 1 ones or each of them back, k_j < n. *)
Definition real_sum_private : Prop :=
  forall (R : realFieldType) n (n_gt0 : (0 < n)%N) (lambda : R) (range : 0 <= lambda <= n%:R) (r : nat) (D : Type)
    (rounded : D -> dist R [finType of 'I_r.+1]) (E delta : R),
    (forall k : 'I_r -> 'I_n,
       hockey E (runs_of n_gt0 range (fun j => k j)) (runs_of n_gt0 range (fun j => (k j).+1)) <= delta /\
       hockey E (runs_of n_gt0 range (fun j => (k j).+1)) (runs_of n_gt0 range (fun j => k j)) <= delta) ->
    private E delta (real_sum_seen n_gt0 range rounded).

(* FMT21, section 4.1, for two values, and for any randomizer of two: over all neighbouring datasets the least delta of the shuffled reports is the
   largest over k of that of k and k + 1 users with the second value, in both directions. *)
Definition two_items_profile : Prop :=
  forall (R : realFieldType) (S : finType) (randomizer : bool -> dist R S) n (E delta : R)
    (seen := fun k : nat => shuffle (messages randomizer (with_ones (inord k : 'I_n.+2)))), 1 <= E ->
    private E delta (fun w : n.+1.-tuple bool => shuffle (messages randomizer w)) <->
    forall k, (k < n.+1)%N -> hockey E (seen k) (seen k.+1) <= delta /\ hockey E (seen k.+1) (seen k) <= delta.

(* FMT21, equation (27): the outputs of shuffled binary randomized response, 2RR, on (0, ..., 0) and on (1, 0, ..., 0), n + 1 users, have the divergences
   of Bin(n + 1, 1/(T + 1)) and Bin(n, 1/(T + 1)) + Bern(T/(T + 1)), both ways, at every order. *)
Definition binary_pair_seen : Prop :=
  forall (R : realFieldType) (T : R) (T_ge1 : 1 <= T) (two : (1 < #|bool_finType|)%N) n (E : R)
    (seen := fun one : bool => shuffled (fun=> k_rr T_ge1 two) [tuple one && (i == ord0) | i < n.+1]),
  hockey E (seen false) (seen true) = hockey E (@ones_of_zeros R T n) (@ones_of_one R T n) /\
  hockey E (seen true) (seen false) = hockey E (@ones_of_one R T n) (@ones_of_zeros R T n).

(* FMT21, appendix G, what Proposition G.1 rests on: so a delta with which the shuffled messages of every eps0-DP randomizer are (epsilon, delta)-DP is
   no smaller than these divergences. *)
Definition binary_pair_below : Prop :=
  forall (R : realFieldType) (T : R) (T_ge1 : 1 <= T) (two : (1 < #|bool_finType|)%N) n (E delta : R),
    (forall (D : Type) (S : finType) (randomizer : D -> dist R S), (forall x x' s, randomizer x s <= T * randomizer x' s) ->
      private E delta (fun w : n.+1.-tuple D => shuffle (messages randomizer w))) ->
  hockey E (@ones_of_zeros R T n) (@ones_of_one R T n) <= delta /\ hockey E (@ones_of_one R T n) (@ones_of_zeros R T n) <= delta.

(* CSUZZ19, section 5.3: the bit sum at a larger lambda is a post-processing of that at a smaller one, for all data at once, so that its divergences
   and its privacy only improve. *)
Definition bit_sum_monotone_in_full : Prop :=
  forall (R : realFieldType) n (n_gt0 : (0 < n)%N) (lambda lambda' : R) (range : 0 <= lambda <= n%:R) (range' : 0 <= lambda' <= n%:R)
    (lambda_le : lambda <= lambda'),
  [/\ forall w, bit_sum_view n_gt0 range' w =1 push (flipped_ones (flip_probability_range range range' lambda_le)) (bit_sum_view n_gt0 range w),
      forall E w w', hockey E (bit_sum_view n_gt0 range' w) (bit_sum_view n_gt0 range' w') <=
        hockey E (bit_sum_view n_gt0 range w) (bit_sum_view n_gt0 range w')
    & forall E delta, private E delta (bit_sum_view n_gt0 range) -> private E delta (bit_sum_view n_gt0 range')].

(* What is done to every message by itself may as well be done after the shuffler. *)
Definition shuffle_of_changed : Prop :=
  forall (R : realFieldType) (D : Type) (S S' : finType) (randomizer : D -> dist R S) (F : S -> dist R S') (randomizer' : D -> dist R S'),
    (forall x, randomizer' x =1 push F (randomizer x)) ->
  forall n (w : n.-tuple D), shuffle (messages randomizer' w) =1 push (@each_changed R S S' F n) (shuffle (messages randomizer w)).

(* Another user's place, and the controlled sum *)

(* The privacy blanket of any randomizer: with m below the others' laws, R_0 - E R_1 = m L + g, D_E <= E(L_1 + ... + L_n)_+/n, the losses independent
   under m, and 0 with the mass that m lacks; and what g gives away, gamma at most. *)
Definition blanket_in_full : Prop :=
  forall (R : realFieldType) (S : finType) (m L : S -> R), (forall s, 0 <= m s) -> \sum_s m s <= 1 ->
  forall (D : Type) (randomizers : adaptive_randomizers R D S) n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (E : R) (given : seq S -> S -> R) (gamma : R),
    (forall j, j != i0 -> tnth w j = tnth w' j) -> (forall z j s, j != i0 -> m s <= randomizers z (tnth w j) s) ->
    (forall z s, randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s = m s * L s + given z s) ->
    0 <= gamma -> (forall z, \sum_s Num.max (given z s) 0 <= gamma) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <= blanket_sum m L n.+1 0 / n.+1%:R + gamma.

(* Where all others hold x_2 the blanket's bound is the divergence: D_E = E(L_1 + ... + L_n)_+/n, R_0 - E R_1 = R_2 L + g, and what g, sent where R_2
   sends nothing, gives away. *)
Definition alike_identity : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (E : R) (randomizer : D -> dist R S) n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (x2 : D)
    (L given : S -> R),
    (forall j, j != i0 -> tnth w j = x2) -> (forall j, j != i0 -> tnth w' j = x2) ->
    (forall s, randomizer (tnth w i0) s - E * randomizer (tnth w' i0) s = randomizer x2 s * L s + given s) ->
    (forall s, randomizer x2 s * given s = 0) ->
  hockey E (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) =
  (\sum_(s : n.+1.-tuple S) (\prod_i randomizer x2 (tnth s i)) * Num.max (\sum_i L (tnth s i)) 0) / n.+1%:R + \sum_s Num.max (given s) 0.

(* One randomizer for all users, in levels: R_k = eta_l omega + (1 - eta_l) m^(l)_k for every other user k, R_0 - E R_1 = m^(l)_k L^(l)_k and what is
   given where m^(l)_k is 0. G_l(S) is at least E(sum of L^(l)_k over the users outside any set A of n + 1 - S)_+, independent: no two users need be
   alike. Where nobody has drawn from omega the privacy blanket of what is left is drawn from n times, n the number of users. *)
Definition swap_in_levels : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (E : R),
    (forall j, j != i0 -> tnth w j = tnth w' j) ->
  forall (eta gamma : nat -> R) (omega : dist R S) (m : nat -> 'I_n.+1 -> dist R S) (L given : nat -> 'I_n.+1 -> S -> R) (G : nat -> nat -> R)
    (levels : nat) (least loss rest : S -> R) (gamma_left : R),
    eta 0%N = 0 -> (forall l, (l < levels)%N -> eta l <= eta l.+1) -> (forall l, (l <= levels)%N -> eta l < 1) ->
    (forall l k s, (l <= levels)%N -> k != i0 -> randomizer (tnth w k) s = eta l * omega s + (1 - eta l) * m l k s) ->
    (forall l k s, (l < levels)%N -> k != i0 -> randomizer (tnth w i0) s - E * randomizer (tnth w' i0) s = m l.+1 k s * L l k s + given l k s) ->
    (forall l, G l 0%N = 0) ->
    (forall l (A : {set 'I_n.+1}), (l < levels)%N -> i0 \in A -> unlike_sum omega (m l.+1) (L l) A <= G l (n.+1 - #|A|)%N) ->
    (forall l, (l < levels)%N -> 0 <= gamma l) ->
    (forall l k, (l < levels)%N -> k != i0 -> \sum_s Num.max (given l k s) 0 <= gamma l) ->
    (forall s, 0 <= least s) -> \sum_s least s <= 1 -> (forall k s, k != i0 -> least s <= m levels k s) ->
    (forall s, randomizer (tnth w i0) s - E * randomizer (tnth w' i0) s = least s * loss s + rest s) ->
    0 <= gamma_left -> \sum_s Num.max (rest s) 0 <= gamma_left ->
  hockey E (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r * (G l (n.+1 - r)%N / (n.+1 - r)%:R + gamma l)) +
  (1 - eta levels) ^+ n * (blanket_sum least loss n.+1 0 / n.+1%:R + gamma_left).

(* And the mean over the users outside, however unlike, does not grow with their number: with each of them put into A in turn it is no smaller. *)
Definition unlike_antitone : Prop :=
  forall (R : realFieldType) (S : finType) n (omega : dist R S) (m : 'I_n.+1 -> dist R S) (L : 'I_n.+1 -> S -> R) (A : {set 'I_n.+1}) (g : R),
    (1 < n.+1 - #|A|)%N -> (forall j, j \notin A -> unlike_sum omega m L (j |: A) <= g) ->
  unlike_sum omega m L A / (n.+1 - #|A|)%:R <= g / (n.+1 - #|A|).-1%:R.

(* On a grid: an atom spread to two points, its mean kept, raises E(t + X)_+ for every t; so does every loss of a sum of independent ones. *)
Definition spread_above : Prop :=
  forall R : realFieldType,
  (forall (x : R * R) (low high : R), 0 <= x.2 -> low <= x.1 <= high -> low < high ->
     below [:: x] (spread x low high) /\ \sum_(y <- spread x low high) y.2 * y.1 = x.2 * x.1) /\
  forall (ls ls' : seq (loss R)) t, (forall a, a \in ls -> measure a) -> (forall a, a \in ls' -> measure a) -> all_below ls ls' ->
    positives ls t <= positives ls' t.

(* "Let each of N other users' laws be R_k = eta omega + (1 - eta) m_k. Then D_E is at most (1 - eta)^N D_E(R_0 || R_1), and for each r >= 1 of
   Bin(N, eta) the mean, over all sets of S = N - r + 1 of them, of E(sum of L_k)_+/S, independent, L_k = (R_0 - E R_1)/m_k under m_k", and what is
   given where m_k is 0. A is the special user and the r - 1 users that are left out, and N = n. *)
Definition in_another_users_place : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S) n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (E eta : R)
    (omega : dist R S) (m : 'I_n.+1 -> dist R S) (L given : 'I_n.+1 -> S -> R),
    (forall j, j != i0 -> tnth w j = tnth w' j) -> 0 <= eta <= 1 ->
    (forall k s, k != i0 -> randomizer (tnth w k) s = eta * omega s + (1 - eta) * m k s) ->
    (forall k s, k != i0 -> randomizer (tnth w i0) s - E * randomizer (tnth w' i0) s = m k s * L k s + given k s) ->
  hockey E (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) <=
  (1 - eta) ^+ n * hockey E (randomizer (tnth w i0)) (randomizer (tnth w' i0)) +
  \sum_(A : {set 'I_n.+1} | i0 \in A) #|A|%:R^-1 * (eta ^+ #|A| * (1 - eta) ^+ (n - #|A|)) *
    (\sum_(s : n.+1.-tuple S) (\prod_k (if k \in A then omega (tnth s k) else m k (tnth s k))) *
       Num.max (\sum_(j | j \notin A) L j (tnth s j)) 0 +
     \sum_(j | j \notin A) \sum_s Num.max (given j s) 0).

(* The controlled sum: V_0(t) = t_+, V_(j+1)(t) = max over c in C of E V_j(t + X), X of the law c. If the law of each loss, given all that came
   before, is below C, the mean of (t + their sum)_+ is at most V_j(t), j their number; steps that have no loss may come between. *)
Definition controlled_sum : Prop :=
  forall (R : realFieldType) (S : finType) (C : seq (loss R)), measures C ->
  forall (K L : seq S -> S -> R) (u : nat -> bool) n (t : R), (forall z x, 0 <= K z x) ->
    (forall z, u (size z) -> under C (atoms (K z) (L z))) -> (forall z, ~~ u (size z) -> \sum_x K z x <= 1) ->
  \sum_(s : n.-tuple S) sequential K s * Num.max (t + losses L u s) 0 <= V C (\sum_(i < n) u i)%N t.

(* Of every eps0-DP randomizer (u, v) = (R_0/R_k, R_1/R_k) lies where 1/T <= u, v, u/v <= T, and the law of L = u - E v under R_k is, in the convex
   order, below one mixture of five laws at the corners. *)
Definition every_loss_mixture : Prop :=
  forall (R : realFieldType) (T E : R), 1 < T ->
  forall (S : finType) (g u v : S -> R), (forall s, 0 <= g s) -> \sum_s g s = 1 -> \sum_s g s * u s = 1 -> \sum_s g s * v s = 1 ->
    (forall s, [/\ T^-1 <= u s, T^-1 <= v s, u s <= T & v s <= T] /\ (u s <= T * v s /\ v s <= T * u s)) ->
  exists p : 'I_5 -> R, [/\ forall i, 0 <= p i, \sum_i p i = 1
    & forall f, convex f -> \sum_s g s * f (u s - E * v s) <= \sum_i p i * mean f (nth [::] (corner_laws T E) i)].

(* Blocks: g steps may be replaced by one law whose positive parts are V_g or above, any number of times. *)
Definition blocks_bound : Prop :=
  forall (R : realFieldType) (C : seq (loss R)), measures C -> (forall c, c \in C -> total_mass c <= 1) ->
  forall (Lambda : loss R) g, measure Lambda -> 1 <= total_mass Lambda -> (forall t, V C g t <= positive Lambda t) ->
  forall B t, V C (B * g) t <= positives (nseq B Lambda) t.

(* G(S) = V_S(0)/S does not grow with S. *)
Definition V_mean_antitone : Prop :=
  forall (R : realFieldType) (C : seq (loss R)), measures C -> (forall c, c \in C -> total_mass c <= 1) ->
  forall i j, (0 < i <= j)%N -> V C j 0 / j%:R <= V C i 0 / i%:R.

(* A grid rounds to the safe side: F is above V everywhere if it is, at the points of a grid, above t_+ at the start and above one step of itself in
   every pass, and between them above linear interpolation (or above V, beyond its ends). *)
Definition V_on_a_grid : Prop :=
  forall (R : realFieldType) (C : seq (loss R)), measures C ->
  forall (grid : nat -> R -> Prop) (F : nat -> R -> R),
    (forall j t, V C j t <= F j t \/ exists p low high, [/\ 0 <= p <= 1, grid j low, grid j high, p * low + (1 - p) * high = t
       & p * F j low + (1 - p) * F j high <= F j t]) ->
    (forall t, grid 0%N t -> Num.max t 0 <= F 0%N t) ->
    (forall j t, grid j.+1 t -> best C (fun x => F j (t + x)) <= F j.+1 t) ->
  forall j t, V C j t <= F j t.

(* Beyond a grid's ends: V_j rises by d at most where its argument does, and does not fall. *)
Definition V_slope : Prop :=
  forall (R : realFieldType) (C : seq (loss R)), measures C -> (forall c, c \in C -> total_mass c <= 1) ->
  forall j (t d : R), 0 <= d -> V C j t <= V C j (t + d) <= V C j t + d.

(* Another user's place for adaptive sequences: eta is a constant; omega, what is left and the losses may depend on the step and on all outputs
   before it. D_E is at most (1 - eta)^N times D_E of what is left where nobody is in the pool, and G(N - r + 1) + gamma for r ~ Bin(N, eta), r >= 1. *)
Definition adaptive_in_another_users_place : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1)
    (E eta gamma : R) (omega : seq S -> dist R S) (m : 'I_n.+1 -> seq S -> dist R S) (L given : 'I_n.+1 -> seq S -> S -> R) (C : seq (loss R)),
    (forall j, j != i0 -> tnth w j = tnth w' j) -> 0 <= eta <= 1 ->
    (forall k z s, k != i0 -> randomizers z (tnth w k) s = eta * omega z s + (1 - eta) * m k z s) ->
    (forall k z s, k != i0 -> randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s = m k z s * L k z s + given k z s) ->
    measures C -> (forall k z, k != i0 -> under C (atoms (m k z) (L k z))) ->
    0 <= gamma -> (forall k z, k != i0 -> \sum_s Num.max (given k z s) 0 <= gamma) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  (1 - eta) ^+ n * nobody_in_pool_divergence randomizers w w' i0 E m +
  \sum_(1 <= r < n.+1) binomial_mass n eta r * (V C (n.+1 - r) 0 / (n.+1 - r)%:R + gamma).

(* Every adaptive sequence of eps0-DP local randomizers: another user's place with omega = R_0 of the step and its history, the five corner laws
   thinned by theta = (1 - eta T)/(1 - eta), and the optimal pair of (T, (T - 1)/(T + 1), T/theta) where the pool is empty. *)
Definition adaptive_for_all : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E eta : R),
    1 < T -> 0 <= eta -> eta * T < 1 -> ldp T randomizers ->
  forall n (w w' : n.+1.-tuple D) (theta := (1 - eta * T) / (1 - eta)) (beta := (T - 1) / (T + 1)), 0 <= E -> neighbours w w' ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  (1 - eta) ^+ n * hockey E (pair_P T^-1 beta (T / theta) n) (pair_Q T^-1 beta (T / theta) n) +
  \sum_(1 <= r < n.+1) binomial_mass n eta r * (V (thinned_corners T E theta) (n.+1 - r) 0 / (n.+1 - r)%:R).

(* The same in blocks of g users for many users: pools of r_max or more told, and B blocks outside every smaller one. *)
Definition adaptive_for_all_blocks : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E eta : R),
    1 < T -> 0 <= eta -> eta * T < 1 -> ldp T randomizers ->
  forall n (w w' : n.+1.-tuple D) (r_max g B : nat) (Lambda : loss R) (theta := (1 - eta * T) / (1 - eta)) (beta := (T - 1) / (T + 1)),
    0 <= E -> neighbours w w' -> (0 < r_max <= n)%N -> (0 < B * g <= n.+1 - r_max)%N -> measure Lambda -> 1 <= total_mass Lambda ->
    (forall t, V (thinned_corners T E theta) g t <= positive Lambda t) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  (1 - eta) ^+ n * hockey E (pair_P T^-1 beta (T / theta) n) (pair_Q T^-1 beta (T / theta) n) +
  (\sum_(1 <= r < r_max) binomial_mass n eta r) * (positives (nseq B Lambda) 0 / (B * g)%:R) +
  (\sum_(r_max <= r < n.+1) binomial_mass n eta r) * V (thinned_corners T E theta) 1 0.

(* Every adaptive sequence of (eps0, delta0)-DP local randomizers, n delta0 < 1 - eta T for n + 1 users: delta0 is paid once, beside V of five laws that
   leak, and where the pool is empty the special user's own divergence d, over all histories, is told. *)
Definition adaptive_approximate : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E eta delta0 : R) n (w w' : n.+1.-tuple D)
    (i0 : 'I_n.+1), 1 < T -> 0 <= E -> 0 <= delta0 -> 3%:R * delta0 < 1 -> 0 <= eta -> eta * T < 1 - n%:R * delta0 ->
    approximately_ldp T delta0 randomizers -> (forall j, j != i0 -> tnth w j = tnth w' j) ->
  forall d : R, 0 <= d -> (forall z, hockey E (randomizers z (tnth w i0)) (randomizers z (tnth w' i0)) <= d) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  (1 - eta) ^+ n * d + \sum_(1 <= r < n.+1) binomial_mass n eta r * (V (approximate_corners T E eta delta0 n) (n.+1 - r) 0 / (n.+1 - r)%:R + delta0).

(* First arrival *)

(* Theorem A: cumulative levels 0 = eta_0 <= eta_1 <= ... <= eta_L < 1, d_l = (eta_l - eta_(l-1))/(1 - eta_(l-1)), a law omega of each step and history
   with R_k = eta_l omega + (1 - eta_l) m^(l)_k, the losses (R_0 - E R_1)/m^(l)_k below C_l. Then
   D_E <= sum over l of (1 - eta_(l-1))^N sum over r >= 1 of Bin(N, d_l)(r) G_(C_l)(N - r + 1) + (1 - eta_L)^N F(eta_L), F the divergence of what is
   left. (Levels are counted from 0 here; gamma_l is for what is given where m is 0.) *)
Definition first_arrival_eta : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (E : R),
    (forall j, j != i0 -> tnth w j = tnth w' j) ->
  forall (eta gamma : nat -> R) (omega : seq S -> dist R S) (m : nat -> 'I_n.+1 -> seq S -> dist R S)
    (L given : nat -> 'I_n.+1 -> seq S -> S -> R) (C : nat -> seq (loss R)) (levels : nat),
    eta 0%N = 0 -> (forall l, (l < levels)%N -> eta l <= eta l.+1) -> (forall l, (l <= levels)%N -> eta l < 1) ->
    (forall l k z s, (l <= levels)%N -> k != i0 -> randomizers z (tnth w k) s = eta l * omega z s + (1 - eta l) * m l k z s) ->
    (forall l k z s, (l < levels)%N -> k != i0 ->
       randomizers z (tnth w i0) s - E * randomizers z (tnth w' i0) s = m l.+1 k z s * L l k z s + given l k z s) ->
    (forall l, (l < levels)%N -> measures (C l)) ->
    (forall l k z, (l < levels)%N -> k != i0 -> under (C l) (atoms (m l.+1 k z) (L l k z))) ->
    (forall l, (l < levels)%N -> 0 <= gamma l) ->
    (forall l k z, (l < levels)%N -> k != i0 -> \sum_s Num.max (given l k z s) 0 <= gamma l) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r * (V (C l) (n.+1 - r) 0 / (n.+1 - r)%:R + gamma l)) +
  (1 - eta levels) ^+ n * nobody_in_pool_divergence randomizers w w' i0 E (m levels).

(* Lemma B (perspective; no thinning): with o = o0 + o1 u + o2 v and w = (1 - eta o)/(1 - eta), positive at the six corners, the law of (u - E v)/w under
   w R_k is below one mixture of the five corner laws with value x/w and probability p w. *)
Definition every_rest_mixture : Prop :=
  forall (R : realFieldType) (T E o0 o1 o2 eta : R) (w := fun u v => (1 - eta * (o0 + o1 * u + o2 * v)) / (1 - eta)), 1 < T ->
    [/\ 0 < w T^-1 T^-1, 0 < w T T & 0 < w T 1] /\ [/\ 0 < w 1 T, 0 < w 1 T^-1 & 0 < w T^-1 1] ->
  forall (S : finType) (g u v : S -> R), (forall s, 0 <= g s) -> \sum_s g s = 1 -> \sum_s g s * u s = 1 -> \sum_s g s * v s = 1 ->
    (forall s, [/\ T^-1 <= u s, T^-1 <= v s, u s <= T & v s <= T] /\ (u s <= T * v s /\ v s <= T * u s)) ->
  exists p : 'I_5 -> R, [/\ forall i, 0 <= p i, \sum_i p i = 1
    & forall f, convex f -> \sum_s g s * w (u s) (v s) * f ((u s - E * v s) / w (u s) (v s)) <=
        \sum_i p i * mean f (nth [::] (perspective_laws T E o0 o1 o2 eta) i)].

(* Lemma C (clones with what is left): where the others send (R_k - eta omega)/(1 - eta), omega = (T R_0 - R_1)/(T - 1), eta < 1/(T + 1), the divergence is
   at most V_n(0)/n of two laws, n the number of users. *)
Definition clones_left_bound : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E eta : R),
    1 < T -> 0 <= eta -> eta * (T + 1) < 1 -> ldp T randomizers ->
  forall n (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (m : 'I_n.+1 -> seq S -> dist R S),
    (forall k z s, k != i0 -> (1 - eta) * m k z s =
       randomizers z (tnth w k) s - eta * ((T * randomizers z (tnth w i0) s - randomizers z (tnth w' i0) s) / (T - 1))) ->
  nobody_in_pool_divergence randomizers w w' i0 E m <= V (clone_laws T E eta) n.+1 0 / n.+1%:R.

(* Theorem A with Lemmas B and C for every adaptive sequence of eps0-DP local randomizers: omega = (T R_0 - R_1)/(T - 1) at every step and history, levels
   below 1/(T + 1). *)
Definition arrival_clones : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) (eta : nat -> R),
    1 < T -> eta 0%N = 0 -> (forall l, eta l <= eta l.+1) -> (forall l, eta l * (T + 1) < 1) -> ldp T randomizers ->
  forall n (w w' : n.+1.-tuple D) (levels : nat), neighbours w w' ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r * (V (arrival_laws T E (eta l.+1)) (n.+1 - r) 0 / (n.+1 - r)%:R)) +
  (1 - eta levels) ^+ n * (V (clone_laws T E (eta levels)) n.+1 0 / n.+1%:R).

(* The same with each level's pools of r_max users or more told: what is computed. *)
Definition arrival_clones_cut : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) (eta : nat -> R)
    n (w w' : n.+1.-tuple D) (levels r_max : nat),
    1 < T -> eta 0%N = 0 -> (forall l, eta l <= eta l.+1) -> (forall l, eta l * (T + 1) < 1) -> ldp T randomizers -> neighbours w w' ->
    (0 < r_max <= n)%N ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < r_max) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r * (V (arrival_laws T E (eta l.+1)) (n.+1 - r) 0 / (n.+1 - r)%:R) +
     (\sum_(r_max <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r) * V (arrival_laws T E (eta l.+1)) 1 0) +
  (1 - eta levels) ^+ n * (V (clone_laws T E (eta levels)) n.+1 0 / n.+1%:R).

(* Theorem E: first arrival for every adaptive sequence of (eps0, delta0)-DP local randomizers, T' = T/(1 - 3 delta0), E' = E (1 - 2 delta0),
   c = T - 1 - 2 T N delta0 - 2 delta0/(1 - 2 delta0), N = n others, levels below c/(T'^2 - 1). Each level's laws are the five corner laws of T' and E'
   with w = (1 - eta (T' u - v)/c)/(1 - eta), the value x/((1 - 3 delta0) w) with probability (1 - 3 delta0) p w, and a leak: far (1 - eta) with
   probability delta0/(T (1 - eta)), the loss of leaks beyond far <= T, and delta0, being told (far = T: delta0 alone). Nobody at any level: everything. *)
Definition arrival_approximate : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E delta0 far : R) n (w w' : n.+1.-tuple D)
    (i0 : 'I_n.+1) (eta : nat -> R) (levels : nat),
    1 < T -> 1 <= E -> E <= T -> 0 <= delta0 -> 3%:R * delta0 < 1 -> 0 <= far -> far <= T ->
    approximately_ldp T delta0 randomizers -> (forall j, j != i0 -> tnth w j = tnth w' j) ->
    eta 0%N = 0 -> (forall l, eta l <= eta l.+1) -> (forall l, eta l < 1) ->
    (forall l, eta l * ((T' T delta0 + 1) * (T' T delta0 - 1)) < arrival_norm T delta0 n) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n * (\sum_(1 <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r *
    (V (relative_laws T E delta0 far n (eta l.+1)) (n.+1 - r) 0 / (n.+1 - r)%:R + delta0 * (2%:R - far / T))) +
  (1 - eta levels) ^+ n * (delta0 + (T - E) / (T + 1)).

(* The same where leaks are many: omega is the least of R_0/T and the others' laws, levels below (1 - N delta0)/T, and every loss is thinned by theta =
   (1 - eta T/(1 - N delta0))/(1 - eta): w = theta everywhere, and a leak has far/theta with probability theta delta0/T. *)
Definition arrival_approximate_thinned : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E delta0 far : R) n (w w' : n.+1.-tuple D)
    (i0 : 'I_n.+1) (eta : nat -> R) (levels : nat),
    1 < T -> 1 <= E -> E <= T -> 0 <= delta0 -> 3%:R * delta0 < 1 -> 0 <= far -> far <= T ->
    approximately_ldp T delta0 randomizers -> (forall j, j != i0 -> tnth w j = tnth w' j) ->
    eta 0%N = 0 -> (forall l, eta l <= eta l.+1) -> (forall l, eta l < 1) -> (forall l, eta l * T < arrival_room_left delta0 n) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n * (\sum_(1 <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r *
    (V (thinned_laws T E delta0 far n (eta l.+1)) (n.+1 - r) 0 / (n.+1 - r)%:R + delta0 * (2%:R - far / T))) +
  (1 - eta levels) ^+ n * (delta0 + (T - E) / (T + 1)).

(* A number: if 1000 users' randomizers are 1-DP, each chosen by all earlier outputs, what they send is (0.134, 10^-6)-DP when shuffled. e and e^0.134 are
   what lies between the partial sums of their series (is_exp, in Exponential.v); of_Z R z is the integer z as an element of R. *)
Definition shuffled_1000_adaptive : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R),
    is_exp 1 T -> is_exp (of_Z R 67%Z / of_Z R 500%Z) E -> ldp T randomizers ->
  private E (of_Z R 1%Z / of_Z R 1000000%Z) (fun w : 1000.-tuple D => shuffled randomizers w).

(* And in blocks: at level l and for r users in the pool, g steps of the controlled sum are replaced by one law, B blocks of them; from r_max l users on
   everything is told. What is computed for many users. *)
Definition arrival_clones_blocks : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E : R) (eta : nat -> R)
    n (w w' : n.+1.-tuple D) (levels : nat) (r_max : nat -> nat) (g B : nat -> nat -> nat) (Lambda : nat -> nat -> loss R) (g_left B_left : nat)
    (Lambda_left : loss R),
    1 < T -> eta 0%N = 0 -> (forall l, eta l <= eta l.+1) -> (forall l, eta l * (T + 1) < 1) -> ldp T randomizers -> neighbours w w' ->
    (forall l, (0 < r_max l <= n.+1)%N) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N -> (0 < B l r * g l r <= n.+1 - r)%N /\ measure (Lambda l r)) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N ->
       1 <= total_mass (Lambda l r) /\ forall t, V (arrival_laws T E (eta l.+1)) (g l r) t <= positive (Lambda l r) t) ->
    (0 < B_left * g_left <= n.+1)%N -> measure Lambda_left -> 1 <= total_mass Lambda_left ->
    (forall t, V (clone_laws T E (eta levels)) g_left t <= positive Lambda_left t) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < r_max l) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r *
       (positives (nseq (B l r) (Lambda l r)) 0 / (B l r * g l r)%:R) +
     (\sum_(r_max l <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r) * V (arrival_laws T E (eta l.+1)) 1 0) +
  (1 - eta levels) ^+ n * (positives (nseq B_left Lambda_left) 0 / (B_left * g_left)%:R).

(* Theorem E in the same blocks: what is computed for (eps0, delta0)-DP randomizers. delta0, and what leaks lose beyond `far`, are paid once at most. *)
Definition arrival_approximate_blocks : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E delta0 far : R) n (w w' : n.+1.-tuple D)
    (i0 : 'I_n.+1) (eta : nat -> R) (levels : nat) (r_max : nat -> nat) (g B : nat -> nat -> nat) (Lambda : nat -> nat -> loss R),
    1 < T -> 1 <= E -> E <= T -> 0 <= delta0 -> 3%:R * delta0 < 1 -> 0 <= far -> far <= T ->
    approximately_ldp T delta0 randomizers -> (forall j, j != i0 -> tnth w j = tnth w' j) ->
    eta 0%N = 0 -> (forall l, eta l <= eta l.+1) -> (forall l, eta l < 1) -> (forall l, (0 < r_max l <= n.+1)%N) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N -> (0 < B l r * g l r <= n.+1 - r)%N /\ measure (Lambda l r)) ->
    (forall l, eta l * ((T' T delta0 + 1) * (T' T delta0 - 1)) < arrival_norm T delta0 n) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N -> 1 <= total_mass (Lambda l r) /\
       forall t, V (relative_laws T E delta0 far n (eta l.+1)) (g l r) t <= positive (Lambda l r) t) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < r_max l) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r *
       (positives (nseq (B l r) (Lambda l r)) 0 / (B l r * g l r)%:R) +
     (\sum_(r_max l <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r) * V (relative_laws T E delta0 far n (eta l.+1)) 1 0 +
     (\sum_(1 <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r) * (delta0 * (2%:R - far / T))) +
  (1 - eta levels) ^+ n * (delta0 + (T - E) / (T + 1)).

(* The same where leaks are many, all losses thinned. *)
Definition arrival_approximate_blocks_thinned : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (T E delta0 far : R) n (w w' : n.+1.-tuple D)
    (i0 : 'I_n.+1) (eta : nat -> R) (levels : nat) (r_max : nat -> nat) (g B : nat -> nat -> nat) (Lambda : nat -> nat -> loss R),
    1 < T -> 1 <= E -> E <= T -> 0 <= delta0 -> 3%:R * delta0 < 1 -> 0 <= far -> far <= T ->
    approximately_ldp T delta0 randomizers -> (forall j, j != i0 -> tnth w j = tnth w' j) ->
    eta 0%N = 0 -> (forall l, eta l <= eta l.+1) -> (forall l, eta l < 1) -> (forall l, (0 < r_max l <= n.+1)%N) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N -> (0 < B l r * g l r <= n.+1 - r)%N /\ measure (Lambda l r)) ->
    (forall l, eta l * T < arrival_room_left delta0 n) ->
    (forall l r, (l < levels)%N -> (0 < r < r_max l)%N -> 1 <= total_mass (Lambda l r) /\
       forall t, V (thinned_laws T E delta0 far n (eta l.+1)) (g l r) t <= positive (Lambda l r) t) ->
  hockey E (shuffled randomizers w) (shuffled randomizers w') <=
  \sum_(l < levels) (1 - eta l) ^+ n *
    (\sum_(1 <= r < r_max l) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r *
       (positives (nseq (B l r) (Lambda l r)) 0 / (B l r * g l r)%:R) +
     (\sum_(r_max l <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r) * V (thinned_laws T E delta0 far n (eta l.+1)) 1 0 +
     (\sum_(1 <= r < n.+1) binomial_mass n ((eta l.+1 - eta l) / (1 - eta l)) r) * (delta0 * (2%:R - far / T))) +
  (1 - eta levels) ^+ n * (delta0 + (T - E) / (T + 1)).

(* Theorem D: for every number of users and E there is a sequence of eps0-DP randomizers, each dependent on what was sent before, and a pair of
   neighbouring datasets with D_E = V_n(0)/n exactly, C the five corner laws. *)
Definition worst_case_attained : Prop :=
  forall (R : realFieldType) (T E : R), 1 < T -> forall n,
  exists (randomizers : adaptive_randomizers R (option bool) [finType of 'I_3]) (w w' : n.+1.-tuple (option bool)),
  [/\ ldp T randomizers, neighbours w w' &
      hockey E (shuffled randomizers w) (shuffled randomizers w') = V (corner_laws T E) n.+1 0 / n.+1%:R].

(* Where all others hold one value V_n(0)/n is the least bound for all adaptive sequences of eps0-DP local randomizers. *)
Definition alike_exact : Prop :=
  forall (R : realFieldType) (T E delta : R) n (i0 : 'I_n.+1), 1 < T ->
  (forall (D : Type) (S : finType) (randomizers : adaptive_randomizers R D S) (w w' : n.+1.-tuple D) (x2 : D), ldp T randomizers ->
     (forall j, j != i0 -> tnth w j = x2) -> (forall j, j != i0 -> tnth w' j = x2) ->
     hockey E (shuffled randomizers w) (shuffled randomizers w') <= delta) <->
  V (corner_laws T E) n.+1 0 / n.+1%:R <= delta.

(* Users who come at random. The words are those at the head of RandomParticipation.v. *)

(* Each of n users comes with probability g on a hidden toss; how many come is seen, and what is seen of them does not depend on their order; fewer than
   `least` are dropped. If what is seen of any m users is (ln E_m, delta_m)-DP, E_m = 1 + (E - 1) n/m, delta is at most the mean of (m/n) delta_m. *)
Definition participation_private : Prop :=
  forall (R : realFieldType) (D : Type) (B : finType) (seen : forall m, m.-tuple D -> B -> R) (g E : R) (least : nat),
    unordered seen -> (forall m (v : m.-tuple D), is_law (seen m v)) -> 0 <= g <= 1 -> 1 <= E ->
  forall (delta : nat -> R) n, (forall m, (0 < m <= n.+1)%N -> private (order_of E n.+1 m) (delta m) (seen m)) ->
  private E (\sum_(k < n.+1 | (least <= k.+1)%N) binomial_mass n.+1 g k.+1 * (k.+1%:R / n.+1%:R) * delta k.+1)
    (fun w : n.+1.-tuple D => participation g least seen w).

(* The pair (x, z, ..., z), (z, ..., z) reaches this mean with its own divergences for m users. *)
Definition participation_exact : Prop :=
  forall (R : realFieldType) (D : Type) (B : finType) (seen : forall m, m.-tuple D -> B -> R) (g E : R) (least : nat),
    unordered seen -> (forall m (v : m.-tuple D), is_law (seen m v)) -> 0 <= g <= 1 -> 1 <= E ->
  forall (x z : D) n,
  hockey E (participation g least seen [tuple of x :: nseq n z]) (participation g least seen [tuple of z :: nseq n z]) =
  \sum_(k < n.+1 | (least <= k.+1)%N) binomial_mass n.+1 g k.+1 * (k.+1%:R / n.+1%:R) *
    hockey (order_of E n.+1 k.+1) (seen k.+1 [tuple of x :: nseq k z]) (seen k.+1 [tuple of z :: nseq k z]).

(* Where neighbours differ by `near` only, which is less than any replacement: gamma_m for all replacements, delta_m for such neighbours. *)
Definition participation_changes : Prop :=
  forall (R : realFieldType) (D : Type) (B : finType) (seen : forall m, m.-tuple D -> B -> R) (g E : R) (least : nat),
    unordered seen -> (forall m (v : m.-tuple D), is_law (seen m v)) -> 0 <= g <= 1 -> 1 <= E ->
  forall (near : D -> D -> Prop) (gamma delta : nat -> R) n (w w' : n.+1.-tuple D),
    (forall m (v v' : m.-tuple D), (0 < m <= n.+1)%N -> neighbours v v' -> hockey (order_of E n.+1 m) (seen m v) (seen m v') <= gamma m) ->
    (forall m (v v' : m.-tuple D), (0 < m <= n.+1)%N -> differ near v v' -> hockey (order_of E n.+1 m) (seen m v) (seen m v') <= delta m) ->
    differ near w w' ->
  hockey E (participation g least seen w) (participation g least seen w') <=
  \sum_(k < n.+1 | (least <= k.+1)%N) binomial_mass n.+1 g k.+1 * (k.+1%:R / n.+1%:R) *
    ((1 - E / order_of E n.+1 k.+1) * gamma k.+1 + E / order_of E n.+1 k.+1 * delta k.+1).

(* Where nothing tells how many come: if what is seen of any users and of one more differ by delta at order 1 + (E - 1)/g, both ways, users of whom each
   comes with probability g differ from the same and one more by g delta at order E. *)
Definition uncounted_private : Prop :=
  forall (R : realFieldType) (D : Type) (B : finType) (seen : forall m, m.-tuple D -> B -> R) (g : R), unordered seen ->
  forall E delta : R, (forall m (v : m.-tuple D), is_law (seen m v)) -> 0 < g <= 1 -> 1 <= E ->
  forall n (w : n.-tuple D) (x : D),
    (forall m (v : m.-tuple D) (y : D), dp (1 + (E - 1) / g) delta (seen m.+1 [tuple of y :: v]) (seen m v) /\
                                        dp (1 + (E - 1) / g) delta (seen m v) (seen m.+1 [tuple of y :: v])) ->
  dp E (g * delta) (uncounted g seen [tuple of x :: w]) (uncounted g seen w) /\
  dp E (g * delta) (uncounted g seen w) (uncounted g seen [tuple of x :: w]).

(* More users hide no less: if every adaptive sequence of n + 1 users whose steps are of a class is (epsilon, delta)-DP when shuffled, so is every one of
   n + 1 + k users. `step` may say eps0-DP, (eps0, delta0)-DP, or one randomizer for all. *)
Definition more_users : Prop :=
  forall (R : realFieldType) (D : Type) (S : finType) (step : (D -> dist R S) -> Prop) (E delta : R) n k,
    (forall randomizers : adaptive_randomizers R D S, (forall z, step (randomizers z)) ->
       private E delta (fun w : n.+1.-tuple D => shuffled randomizers w)) ->
  forall randomizers : adaptive_randomizers R D S, (forall z, step (randomizers z)) ->
    private E delta (fun w : (k + n.+1).-tuple D => shuffled randomizers w).

(* Blocks of several types: the independent losses of the users outside A are each below a law of C, in whatever numbers. Of laws of C, and of each further
   set, two losses are below one law of the next set; of each set but the last as many blocks are kept as it has laws, or more, and an even number of
   losses goes on in pairs (enough_kept). E (their sum)_+ is at most the controlled sum of these blocks, in any order, begun at 0; where so many users
   are missing that the blocks are for more, at so many times `fallen`, by which a loss of some law, below one of C, falls in the mean at most. *)
Definition unlike_blocks : Prop :=
  forall (R : realFieldType) (S : finType) n (omega : dist R S) (m : 'I_n.+1 -> dist R S) (L : 'I_n.+1 -> S -> R) (A : {set 'I_n.+1})
    (C : seq (loss R)) (rest : seq (nat * seq (loss R))) (steps : seq (seq (loss R))) (added : loss R) (fallen : R) (missing : nat),
    let users := (missing + (n.+1 - #|A|))%N in
    measures C -> (forall k, k \notin A -> exists2 c, c \in C & below (atoms (m k) (L k)) c) ->
    ((0 < missing)%N -> [/\ measure added, \sum_(x <- added) x.2 = 1, - fallen <= \sum_(x <- added) x.2 * x.1 & exists2 c, c \in C & below added c]) ->
    enough_kept C rest users -> perm_eq steps (steps_of C rest users) ->
  unlike_sum omega (fun k => m k) L A <= V_steps steps (missing%:R * fallen).
