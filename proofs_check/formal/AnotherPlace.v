(* "In another user's place": the special user's report stands in the place of a random other user's, whatever the others hold.
   (docs/mathematics/any-law.md; spec/bounds/another_place.py: delta and among) *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition OneMessage.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Sets.
Variables (R : realFieldType) (I : finType).

Lemma product_of_two (F G : I -> R) :
  \prod_i (F i + G i) = \sum_(B : {set I}) \prod_i (if i \in B then F i else G i).
Proof.
rewrite (eq_bigr (fun i => \sum_(c : bool) (if c then F i else G i))) => [|i _]; last by rewrite big_bool.
rewrite bigA_distr_bigA (reindex (fun B : {set I} => [ffun i => i \in B])) /=; last first.
  exists (fun f : {ffun I -> bool} => [set i | f i]) => [B _|f _].
    by apply/setP => i; rewrite inE ffunE.
  by apply/ffunP => i; rewrite ffunE inE.
by apply: eq_bigr => B _; apply: eq_bigr => i _; rewrite ffunE.
Qed.

(* The users i0 and j exchange their places. *)
Definition exchanged (i0 : I) (p : {set I} * I) : {set I} * I := ([set k | tperm i0 p.2 k \in p.1], p.2).

Lemma exchangedK i0 : involutive (exchanged i0).
Proof. by case=> B j; congr pair; apply/setP => k; rewrite !inE /= tpermK. Qed.

Lemma card_exchanged i0 p : #|(exchanged i0 p).1| = #|p.1|.
Proof. by rewrite -[RHS](card_preimset _ (@perm_inj _ (tperm i0 p.2))); apply: eq_card => k; rewrite !inE. Qed.

Lemma exchanged_special i0 p : (i0 \in (exchanged i0 p).1) = (p.2 \in p.1).
Proof. by rewrite inE tpermL. Qed.

Lemma exchanged_other i0 p : (p.2 \in (exchanged i0 p).1) = (i0 \in p.1).
Proof. by rewrite inE /= tpermR. Qed.

End Sets.

Section Place.
Variables (R : realFieldType) (S : finType) (n : nat) (i0 : 'I_n.+1) (Delta omega : S -> R) (eta : R).
Variables (m L given : 'I_n.+1 -> S -> R).
Hypotheses (omega_ge0 : forall s, 0 <= omega s) (omega_sum1 : \sum_s omega s = 1) (eta_range : 0 <= eta <= 1).
Hypotheses (m_ge0 : forall k s, k != i0 -> 0 <= m k s) (m_sum1 : forall k, k != i0 -> \sum_s m k s = 1).
(* Delta = R_0 - E R_1; what is sent where m_k is 0 is given. *)
Hypothesis Delta_split : forall k s, k != i0 -> Delta s = m k s * L k s + given k s.

(* What all reports are in the order sigma. *)
Definition factors (k : 'I_n.+1) (s : S) : R := if k == i0 then Delta s else eta * omega s + (1 - eta) * m k s.

Definition permanent (F : 'I_n.+1 -> S -> R) (s : n.+1.-tuple S) : R := \sum_(sigma : 'S_n.+1) \prod_k F k (tnth s (sigma k)).

Definition with_pool (B : {set 'I_n.+1}) (k : 'I_n.+1) (s : S) : R :=
  if k \in B then (if k == i0 then 0 else eta * omega s) else (if k == i0 then Delta s else (1 - eta) * m k s).

Lemma permanent_by_pool s : permanent factors s = \sum_(B : {set 'I_n.+1}) permanent (with_pool B) s.
Proof.
rewrite exchange_big /=; apply: eq_bigr => sigma _; rewrite -product_of_two; apply: eq_bigr => k _.
by rewrite /factors /with_pool; case: eqP => _; rewrite ?add0r.
Qed.

Lemma pool_of_special (B : {set 'I_n.+1}) s : i0 \in B -> permanent (with_pool B) s = 0.
Proof. by move=> B0; apply: big1 => sigma _; rewrite (bigD1 i0) //= /with_pool B0 eqxx mul0r. Qed.

(* The order of the reports tells nothing: users may be renamed. *)
Lemma permanent_renamed (F : 'I_n.+1 -> S -> R) (tau : 'S_n.+1) s : permanent F s = permanent (fun k => F (tau k)) s.
Proof.
rewrite /permanent (reindex_inj (mulgI tau^-1%g)) /=; apply: eq_bigr => sigma _.
by rewrite (reindex_inj (@perm_inj _ tau)) /=; apply: eq_bigr => k _; rewrite permM permK.
Qed.

Lemma eq_permanent (F G : 'I_n.+1 -> S -> R) s : (forall k y, F k y = G k y) -> permanent F s = permanent G s.
Proof. by move=> FG; apply: eq_bigr => sigma _; apply: eq_bigr => k _; apply: FG. Qed.

(* The reports of A come from omega, the others' from m; user j's is the special user's. *)
Definition in_place (A : {set 'I_n.+1}) (j : 'I_n.+1) (k : 'I_n.+1) (s : S) : R :=
  if k \in A then omega s else if k == j then Delta s else m k s.

Definition weight (A : {set 'I_n.+1}) : R := eta ^+ #|A| * (1 - eta) ^+ (n - #|A|).

(* A constant for each user comes out of the permanent. *)
Lemma permanent_scaled (c : 'I_n.+1 -> R) (F : 'I_n.+1 -> S -> R) s :
  permanent (fun k y => c k * F k y) s = (\prod_k c k) * permanent F s.
Proof. by rewrite /permanent mulr_sumr; apply: eq_bigr => sigma _; rewrite big_split. Qed.

Lemma constants (B : {set 'I_n.+1}) : i0 \notin B -> \prod_k (if k \in B then eta else if k == i0 then 1 else 1 - eta) = weight B.
Proof.
move=> B0; rewrite (bigID (mem B)) /= /weight; congr (_ * _).
  by rewrite (eq_bigr (fun=> eta)) ?prodr_const => [|k ->].
rewrite (bigD1 i0) //= (negPf B0) eqxx mul1r (eq_bigr (fun=> 1 - eta)) => [|k /andP[/negPf -> /negPf ->]] //.
rewrite prodr_const; congr (_ ^+ _).
have cards : (#|B| + #|[predI (fun k => k \notin B) & (fun k => k != i0)]| = n)%N.
  apply/eqP; rewrite -eqSS -addnS; apply/eqP; rewrite -[RHS]card_ord -(cardsC B); congr (_ + _)%N.
  by rewrite (cardsD1 i0 (~: B)) inE B0 add1n; congr _.+1; apply: eq_card => k; rewrite !inE andbC.
by rewrite -[X in _ = (X - _)%N]cards addKn; apply: eq_card => k.
Qed.

Lemma pool_in_place (B : {set 'I_n.+1}) (j : 'I_n.+1) s : i0 \notin B -> j \in B ->
  permanent (with_pool B) s = weight B * permanent (in_place (exchanged i0 (B, j)).1 j) s.
Proof.
move=> B0 jB; rewrite -(constants B0) [X in _ = _ * X](permanent_renamed _ (tperm i0 j)) -permanent_scaled.
apply: eq_permanent => k y; rewrite /with_pool /in_place inE /= tpermK.
have [kB|kB] := boolP (k \in B); first by rewrite (_ : k == i0 = false) //; apply/negbTE; apply: contraNneq B0 => <-.
have [->|k0] := eqVneq k i0; first by rewrite tpermL eqxx mul1r.
have kj : k != j by apply: contraNneq kB => ->.
have -> : tperm i0 j k = k by rewrite tpermD // eq_sym.
by rewrite (negPf kj).
Qed.

(* Of a pool that is not empty each member may be the one whose place is taken. *)
Lemma pool_average (B : {set 'I_n.+1}) s : i0 \notin B -> B != set0 ->
  permanent (with_pool B) s = \sum_(j in B) #|B|%:R^-1 * weight B * permanent (in_place (exchanged i0 (B, j)).1 j) s.
Proof.
move=> B0; rewrite -card_gt0 => Bn; rewrite (eq_bigr (fun=> #|B|%:R^-1 * permanent (with_pool B) s)) => [|j jB].
  by rewrite sumr_const -mulr_natl mulrA mulfV ?mul1r // pnatr_eq0 -lt0n.
by rewrite (pool_in_place _ B0 jB) -mulrA.
Qed.

Lemma permanent_by_place s :
  permanent factors s = permanent (with_pool set0) s +
    \sum_(A : {set 'I_n.+1} | i0 \in A) #|A|%:R^-1 * weight A * (\sum_(j | j \notin A) permanent (in_place A j) s).
Proof.
rewrite permanent_by_pool (bigD1 set0) //=; congr (_ + _).
rewrite (bigID (fun B : {set 'I_n.+1} => i0 \in B)) /= big1 ?add0r => [|B /andP[_]]; last exact: pool_of_special.
rewrite (eq_bigr (fun B : {set 'I_n.+1} => \sum_(j in B) #|B|%:R^-1 * weight B * permanent (in_place (exchanged i0 (B, j)).1 j) s)); last first.
  by move=> B /andP[Bn B0]; apply: pool_average.
rewrite [RHS](eq_bigr (fun A : {set 'I_n.+1} => \sum_(j | j \notin A) #|A|%:R^-1 * weight A * permanent (in_place A j) s)); last first.
  by move=> A _; rewrite mulr_sumr.
rewrite (pair_big_dep (fun B : {set 'I_n.+1} => (B != set0) && (i0 \notin B)) (fun B j => j \in B)) /=.
rewrite [RHS](pair_big_dep (fun A : {set 'I_n.+1} => i0 \in A) (fun A j => j \notin A)) /=.
rewrite [RHS](reindex_inj (inv_inj (exchangedK i0))) /=; apply: eq_big => [[B j]|[B j] _].
  rewrite exchanged_special exchanged_other /=; case jB: (j \in B); rewrite ?andbF //= andbT.
  by rewrite andb_idl // => _; apply: contraTneq jB => ->; rewrite inE.
by rewrite /weight card_exchanged.
Qed.


(* Pools that hold the special user and r others. *)
Lemma card_pools (r : nat) : #|[set A : {set 'I_n.+1} | (i0 \in A) && (#|A| == r.+1)]| = 'C(n, r).
Proof.
have all_sets := card_draws [finType of 'I_n.+1] r.+1.
have without := cards_draws [set~ i0] r.+1.
rewrite cardsC1 card_ord /= in without; rewrite card_ord binS in all_sets.
apply/eqP; rewrite -(eqn_add2l 'C(n, r.+1)) -[X in _ == X]all_sets -without; apply/eqP.
rewrite -[in RHS](cardsID [set A : {set 'I_n.+1} | i0 \in A]) addnC; congr (_ + _)%N; apply: eq_card => A; rewrite !inE.
  by rewrite andbC.
by rewrite subsetC sub1set inE andbC.
Qed.

(* Averages over orders of what is summed over all reports. *)
Lemma sum_over_orders (F : n.+1.-tuple S -> R) :
  n.+1`!%:R^-1 * (\sum_s \sum_(sigma : 'S_n.+1) F (permuted s sigma)) = \sum_s F s.
Proof.
rewrite exchange_big /= (eq_bigr (fun=> \sum_s F s)) => [|sigma _].
  by rewrite sumr_const card_Sn -[X in _ * X]mulr_natl mulKf ?factorial_neq0.
have injective_permuted : injective (fun s : n.+1.-tuple S => permuted s sigma).
  by apply: (can_inj (g := fun s : n.+1.-tuple S => permuted s sigma^-1%g)) => s; rewrite permuted_permuted mulVg permuted1.
by rewrite [RHS](reindex_inj injective_permuted).
Qed.

(* The law of user k's report where A is the pool. *)
Definition hiding (A : {set 'I_n.+1}) (k : 'I_n.+1) (s : S) : R := if k \in A then omega s else m k s.

(* E (sum of L_j over j not in A)_+, all reports independent. *)
Definition positive_sum (A : {set 'I_n.+1}) : R :=
  \sum_(s : n.+1.-tuple S) (\prod_k hiding A k (tnth s k)) * Num.max (\sum_(j | j \notin A) L j (tnth s j)) 0.

Definition given_away (k : 'I_n.+1) : R := \sum_s Num.max (given k s) 0.

Lemma hiding_ge0 (A : {set 'I_n.+1}) k s : i0 \in A -> 0 <= hiding A k s.
Proof. by move=> A0; rewrite /hiding; case: ifP => // /negbT kA; apply: m_ge0; apply: contraNneq kA => ->. Qed.

Lemma hiding_sum1 (A : {set 'I_n.+1}) k : i0 \in A -> \sum_s hiding A k s = 1.
Proof.
move=> A0; rewrite /hiding; have [kA|kA] := boolP (k \in A); first exact: omega_sum1.
by apply: m_sum1; apply: contraNneq kA => ->.
Qed.

(* One factor is the positive part of f, the others are laws. *)
Lemma sum_with_one_factor (A : {set 'I_n.+1}) (j : 'I_n.+1) (f : S -> R) : i0 \in A ->
  \sum_(s : n.+1.-tuple S) (\prod_(k | k != j) hiding A k (tnth s k)) * f (tnth s j) = \sum_y f y.
Proof.
move=> A0; pose F k y := if k == j then f y else hiding A k y.
rewrite (eq_bigr (fun s : n.+1.-tuple S => \prod_k F k (tnth s k))) => [|s _]; last first.
  rewrite [RHS](bigD1 j) //= /F eqxx mulrC; congr (_ * _).
  by apply: eq_bigr => k /negPf ->.
rewrite sum_of_products (bigD1 j) //= (_ : \prod_(k | k != j) _ = 1) ?mulr1; last first.
  by apply: big1 => k kj; rewrite /F (negPf kj) hiding_sum1.
by rewrite /F eqxx.
Qed.

Lemma places_bound (A : {set 'I_n.+1}) : i0 \in A ->
  n.+1`!%:R^-1 * (\sum_(s : n.+1.-tuple S) Num.max (\sum_(j | j \notin A) permanent (in_place A j) s) 0) <=
  positive_sum A + \sum_(j | j \notin A) given_away j.
Proof.
move=> A0.
pose bound (s : n.+1.-tuple S) := (\prod_k hiding A k (tnth s k)) * Num.max (\sum_(j | j \notin A) L j (tnth s j)) 0 +
  \sum_(j | j \notin A) (\prod_(k | k != j) hiding A k (tnth s k)) * Num.max (given j (tnth s j)) 0.
have -> : positive_sum A + \sum_(j | j \notin A) given_away j = \sum_s bound s.
  rewrite big_split /=; congr (_ + _); rewrite [RHS]exchange_big /=; apply: eq_bigr => j _.
  by rewrite (sum_with_one_factor j (fun y => Num.max (given j y) 0) A0).
rewrite -(sum_over_orders bound) ler_wpmul2l ?factorial_inv_ge0 //; apply: ler_sum => s _.
rewrite exchange_big /=; apply: le_trans (positive_part_sum _ _) _; apply: ler_sum => sigma _.
have term (j : 'I_n.+1) : j \notin A -> \prod_k in_place A j k (tnth s (sigma k)) =
    (\prod_k hiding A k (tnth (permuted s sigma) k)) * L j (tnth (permuted s sigma) j) +
    (\prod_(k | k != j) hiding A k (tnth (permuted s sigma) k)) * given j (tnth (permuted s sigma) j).
  move=> jA; have j0 : j != i0 by apply: contraNneq jA => ->.
  rewrite (bigD1 j) //= [X in _ = X * _ + _](bigD1 j) //= /in_place /hiding (negPf jA) eqxx !tnth_mktuple (Delta_split _ j0).
  rewrite (eq_bigr (fun k => if k \in A then omega (tnth s (sigma k)) else m k (tnth s (sigma k)))) => [|k /negPf ->] //.
  rewrite [X in _ = m j _ * X * _ + _](eq_bigr (fun k => if k \in A then omega (tnth s (sigma k)) else m k (tnth s (sigma k)))) => [|k _]; last by rewrite !tnth_mktuple.
  rewrite [X in _ = _ + X * _](eq_bigr (fun k => if k \in A then omega (tnth s (sigma k)) else m k (tnth s (sigma k)))) => [|k _]; last by rewrite !tnth_mktuple.
  by set p := \prod_(k | _) _; ring.
rewrite (eq_bigr _ term) big_split /= -mulr_sumr; apply: le_trans (positive_part_add _ _) _; apply: ler_add.
  by rewrite positive_part_scale // prodr_ge0 // => k _; apply: hiding_ge0.
apply: le_trans (positive_part_sum _ _) _; apply: ler_sum => j _.
by rewrite positive_part_scale // prodr_ge0 // => k _; apply: hiding_ge0.
Qed.

Lemma nobody_in_pool :
  n.+1`!%:R^-1 * (\sum_(s : n.+1.-tuple S) Num.max (permanent (with_pool set0) s) 0) <= (1 - eta) ^+ n * \sum_y Num.max (Delta y) 0.
Proof.
have A0 : i0 \in [set i0] by rewrite inE.
have eta1 : 0 <= 1 - eta by rewrite subr_ge0; case/andP: eta_range.
rewrite -(sum_with_one_factor i0 (fun y => Num.max (Delta y) 0) A0) [leRHS]mulr_sumr.
rewrite -(sum_over_orders (fun s => (1 - eta) ^+ n * ((\prod_(k | k != i0) hiding [set i0] k (tnth s k)) * Num.max (Delta (tnth s i0)) 0))).
rewrite ler_wpmul2l ?factorial_inv_ge0 //.
apply: ler_sum => s _; apply: le_trans (positive_part_sum _ _) _; apply: ler_sum => sigma _.
rewrite (bigD1 i0) //= {1}/with_pool inE eqxx !tnth_mktuple.
rewrite (eq_bigr (fun k => (1 - eta) * hiding [set i0] k (tnth (permuted s sigma) k))) => [|k k0]; last first.
  by rewrite /with_pool /hiding !inE (negPf k0) tnth_mktuple.
rewrite big_split /= prodr_const (_ : #|_| = n); last by apply: etrans (eq_card _) (etrans (cardC1 i0) _) => //=; rewrite card_ord.
rewrite mulrC positive_part_scale ?mulrA //.
by rewrite mulr_ge0 ?exprn_ge0 // prodr_ge0 // => k _; apply: hiding_ge0.
Qed.

Lemma weight_ge0 (A : {set 'I_n.+1}) : 0 <= weight A.
Proof. by case/andP: eta_range => eta0 eta1; rewrite mulr_ge0 // exprn_ge0 // subr_ge0. Qed.

Definition place_value : R :=
  (1 - eta) ^+ n * (\sum_y Num.max (Delta y) 0) +
  \sum_(A : {set 'I_n.+1} | i0 \in A) #|A|%:R^-1 * weight A * (positive_sum A + \sum_(j | j \notin A) given_away j).

Theorem place_bound : n.+1`!%:R^-1 * (\sum_(s : n.+1.-tuple S) Num.max (permanent factors s) 0) <= place_value.
Proof.
have count_ge0 (A : {set 'I_n.+1}) : 0 <= #|A|%:R^-1 * weight A :> R by rewrite mulr_ge0 ?weight_ge0 // invr_ge0 ler0n.
pose told (A : {set 'I_n.+1}) (s : n.+1.-tuple S) := Num.max (\sum_(j | j \notin A) permanent (in_place A j) s) 0.
have each : \sum_(A : {set 'I_n.+1} | i0 \in A) #|A|%:R^-1 * weight A * (n.+1`!%:R^-1 * (\sum_s told A s)) <=
    \sum_(A : {set 'I_n.+1} | i0 \in A) #|A|%:R^-1 * weight A * (positive_sum A + \sum_(j | j \notin A) given_away j).
  by apply: ler_sum => A A0; rewrite ler_wpmul2l ?count_ge0 // places_bound.
apply: le_trans (ler_add nobody_in_pool each).
rewrite (eq_bigr (fun A : {set 'I_n.+1} => n.+1`!%:R^-1 * (\sum_(s : n.+1.-tuple S) #|A|%:R^-1 * weight A * told A s))); last first.
  by move=> A _; rewrite mulrCA mulr_sumr.
rewrite -mulr_sumr -mulrDr ler_wpmul2l ?factorial_inv_ge0 // exchange_big /= -big_split /=; apply: ler_sum => s _.
rewrite permanent_by_place; apply: le_trans (positive_part_add _ _) _; rewrite ler_add2l.
apply: le_trans (positive_part_sum _ _) _; apply: ler_sum => A _.
by rewrite positive_part_scale.
Qed.

End Place.

Section InAnotherPlace.
Variables (R : realFieldType) (D : Type) (S : finType) (randomizer : D -> dist R S).
Variables (n : nat) (w w' : n.+1.-tuple D) (i0 : 'I_n.+1) (E eta : R) (omega : dist R S) (m : 'I_n.+1 -> dist R S).
Variables (L given : 'I_n.+1 -> S -> R).
Hypothesis others_equal : forall j, j != i0 -> tnth w j = tnth w' j.
Hypothesis eta_range : 0 <= eta <= 1.
Hypothesis pooled : forall k s, k != i0 -> randomizer (tnth w k) s = eta * omega s + (1 - eta) * m k s.
Hypothesis losses : forall k s, k != i0 ->
  randomizer (tnth w i0) s - E * randomizer (tnth w' i0) s = m k s * L k s + given k s.

(* In another user's place: n others, whatever they hold. *)
Theorem in_another_users_place :
  hockey E (shuffle (messages randomizer w)) (shuffle (messages randomizer w')) <=
  (1 - eta) ^+ n * hockey E (randomizer (tnth w i0)) (randomizer (tnth w' i0)) +
  \sum_(A : {set 'I_n.+1} | i0 \in A) #|A|%:R^-1 * weight eta A *
    (positive_sum omega m L A + \sum_(j | j \notin A) given_away given j).
Proof.
pose Delta s := randomizer (tnth w i0) s - E * randomizer (tnth w' i0) s.
have place := @place_bound R S n i0 Delta omega eta m L given (mass_ge0 omega) (mass_sum1 omega) eta_range
  (fun k s _ => mass_ge0 (m k) s) (fun k _ => mass_sum1 (m k)) losses.
apply: le_trans place; rewrite mulr_sumr /hockey; apply: ler_sum => s _.
rewrite -positive_part_scale ?factorial_inv_ge0 // !shuffle_messages_sum mulrCA -mulrBr mulr_sumr -sumrB.
rewrite /permanent (eq_bigr (fun sigma : 'S_n.+1 => \prod_k factors i0 Delta omega eta m k (tnth s (sigma k)))) // => sigma _.
rewrite /messages (bigD1 i0) //= [X in _ - _ * X](bigD1 i0) //= [RHS](bigD1 i0) //= {1}/factors eqxx !tnth_mktuple.
rewrite [X in _ - _ * (_ * X)](eq_bigr (fun k => randomizer (tnth w k) (tnth (permuted s sigma) k))) => [|k k0]; last by rewrite others_equal.
rewrite mulrA -mulrBl; congr (_ * _); apply: eq_bigr => k k0.
by rewrite /factors (negPf k0) tnth_mktuple pooled.
Qed.

End InAnotherPlace.
