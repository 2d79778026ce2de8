(* From an approximately private local randomizer to a purely private one, and from one shuffled message per user to none.

   A protocol fails on the data w with probability sum_m Pr[messages m] b_w(m), where b_w(m) in [0, 1] is the probability that the analyzer's
   output on the messages m is bad for w: (alpha, beta)-accuracy says that this is at most beta for every w, whatever the outputs and the
   distance are.

     pure_by_clipping     E = e^epsilon >= 1. For every (epsilon, delta)-DP local randomizer there is a (2 epsilon, 0)-DP one, such that every
                          analyzer that fails with probability beta at most fails with beta + n delta at most  (CSUZZ19, Theorem D.1, sharper);
     pure_of_approximate  so it is (8 epsilon, 0)-DP and (alpha, 4 beta)-accurate where delta <= beta/(8 n l) e^(-6 epsilon), l standing for
                          ln(n/beta): any number that is at least 1 where n/beta >= 4                        (CSUZZ19, Theorem D.1 = 6.4);
     local_of_shuffled    n users, one message each, (epsilon, delta)-DP when shuffled: there is a (2 (epsilon + ln n), 0)-DP local randomizer
                          with which the analyzer that shuffles for itself fails with beta + n delta at most     (CSUZZ19, Theorem 6.1, sharper);
     local_of_shuffled_as_printed
                          so a (8 (epsilon + ln n), 0)-DP one with 4 beta, where delta <= n^-8 and 3 beta n^7 >= 1     (CSUZZ19, Theorem 6.1);
     simulated_locally    epsilon-DP and one message: the same randomizer is epsilon-DP by itself, and the analyzer that shuffles for itself gives
                          outputs of the same law, on every input                                                     (BC20, Theorem 4.1). *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition OneMessage NearbyRandomizers ApproximateRandomizers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Pure.
Variables (R : realFieldType) (D : Type) (S : finType).
Implicit Types (randomizer pure : D -> dist R S) (beta delta E : R).

(* The probability that what is computed from m ~ P is bad, b(m) being the probability given m. *)
Definition failure (A : finType) (P b : A -> R) : R := \sum_m P m * b m.

Definition accurate n (mechanism : n.-tuple D -> n.-tuple S -> R) (bad : n.-tuple D -> n.-tuple S -> R) beta : Prop :=
  forall w, failure (mechanism w) (bad w) <= beta.

Definition probabilities n (bad : n.-tuple D -> n.-tuple S -> R) : Prop := forall w m, 0 <= bad w m <= 1.

Lemma failure_nearby (A : finType) (P P' b : A -> R) : (forall m, 0 <= b m <= 1) -> failure P' b <= failure P b + hockey 1 P' P.
Proof.
move=> b01; rewrite -big_split /=; apply: ler_sum => m _; have /andP[b0 b1] := b01 m.
rewrite -ler_subl_addl -mulrBl mul1r; apply: (@le_trans _ _ (Num.max (P' m - P m) 0 * b m)).
  by rewrite ler_wpmul2r // positive_part_ge.
by rewrite ler_pimulr // positive_part_ge0.
Qed.

Lemma failure_le1 (A : finType) (P b : A -> R) : is_law P -> (forall m, 0 <= b m <= 1) -> failure P b <= 1.
Proof.
move=> [P0 P1] b01; rewrite -P1; apply: ler_sum => m _; have /andP[_ b1] := b01 m.
by rewrite ler_pimulr ?P0.
Qed.

Lemma clipped_randomizer randomizer E delta (x0 : D) : 1 <= E -> 0 <= delta ->
    (forall x x', dp E delta (randomizer x) (randomizer x')) ->
  exists pure : D -> dist R S, (forall x x' s, pure x s <= E ^+ 2 * pure x' s) /\ (forall x, hockey 1 (pure x) (randomizer x) <= delta).
Proof.
move=> E1 delta0 near; have E0 : 0 <= E := le_trans ler01 E1.
exists (fun x => clipped_law E1 (randomizer x) (randomizer x0)); split=> [x x' s|x].
  have [_ high _] := clipped_nearby E1 delta0 (near x x0) (near x0 x).
  have [low _ _] := clipped_nearby E1 delta0 (near x' x0) (near x0 x').
  by rewrite expr2 -mulrA (le_trans (high s)) // ler_wpmul2l.
have [_ _] := clipped_nearby E1 delta0 (near x x0) (near x0 x).
by rewrite total_variation_symmetric //; apply: mass_is_law.
Qed.

Lemma messages_law randomizer n (w : n.-tuple D) : is_law (messages randomizer w).
Proof. exact (transcript_is_law (fun=> randomizer) w). Qed.

Lemma shuffle_law randomizer n (w : n.-tuple D) : is_law (shuffle (messages randomizer w)).
Proof.
have [law0 law1] := shuffled_is_law (fun=> randomizer) w; split=> [s|]; first by rewrite shuffle_messages.
by rewrite (eq_bigr _ (fun s _ => shuffle_messages randomizer w s)).
Qed.

Lemma messages_nearby randomizer pure delta n (w : n.-tuple D) : (forall x, hockey 1 (pure x) (randomizer x) <= delta) ->
  hockey 1 (messages pure w) (messages randomizer w) <= n%:R * delta.
Proof.
move=> near; have := @transcript_nearby _ _ _ (fun=> pure) (fun=> randomizer) (fun=> delta) n w (fun=> near).
by rewrite sumr_const card_ord mulr_natl.
Qed.

Lemma shuffle_nearby randomizer pure delta n (w : n.-tuple D) : (forall x, hockey 1 (pure x) (randomizer x) <= delta) ->
  hockey 1 (shuffle (messages pure w)) (shuffle (messages randomizer w)) <= n%:R * delta.
Proof.
move=> near; rewrite (eq_hockey 1 (shuffle_messages pure w) (shuffle_messages randomizer w)).
have := @shuffled_nearby _ _ _ (fun=> pure) (fun=> randomizer) (fun=> delta) n w (fun=> near).
by rewrite sumr_const card_ord mulr_natl.
Qed.

Theorem pure_by_clipping randomizer E delta (x0 : D) : 1 <= E -> 0 <= delta ->
    (forall x x', dp E delta (randomizer x) (randomizer x')) ->
  exists pure : D -> dist R S, (forall x x' s, pure x s <= E ^+ 2 * pure x' s) /\
    forall n (bad : n.-tuple D -> n.-tuple S -> R) beta, probabilities bad ->
      accurate (fun w => messages randomizer w) bad beta -> accurate (fun w => messages pure w) bad (beta + n%:R * delta).
Proof.
move=> E1 delta0 local; have [pure [ratio near]] := clipped_randomizer x0 E1 delta0 local.
exists pure; split=> // n bad beta bad01 accuracy w; apply: le_trans (failure_nearby (messages randomizer w) _ (bad01 w)) _.
by rewrite ler_add ?accuracy // messages_nearby.
Qed.

Theorem pure_of_approximate randomizer E delta (x0 : D) n (bad : n.+1.-tuple D -> n.+1.-tuple S -> R) beta l : 1 <= E -> 0 <= delta ->
    (forall x x', dp E delta (randomizer x) (randomizer x')) -> probabilities bad ->
    accurate (fun w => messages randomizer w) bad beta -> (4%:R * beta <= n.+1%:R -> 1 <= l) -> 8%:R * n.+1%:R * l * E ^+ 6 * delta <= beta ->
  exists pure : D -> dist R S, (forall x x' s, pure x s <= E ^+ 8 * pure x' s) /\ accurate (fun w => messages pure w) bad (4%:R * beta).
Proof.
move=> E1 delta0 local bad01 accuracy l1 small; have [pure [ratio accurately]] := pure_by_clipping x0 E1 delta0 local.
exists pure; split=> [x x' s|w].
  by apply: le_trans (ratio x x' s) _; rewrite ler_wpmul2r ?mass_ge0 // ler_weexpn2l.
have [large|/ltW beta_le] := leP 1 (4%:R * beta); first by apply: le_trans large; apply: failure_le1; [apply: messages_law | apply: bad01].
have n1 : 1 <= n.+1%:R :> R by rewrite ler1n.
apply: le_trans (accurately n.+1 bad beta bad01 accuracy w) _.
have loss0 : 0 <= n.+1%:R * delta by rewrite mulr_ge0 ?ler0n.
have loss : n.+1%:R * delta <= beta.
  apply: le_trans small; rewrite [leRHS](_ : _ = (8%:R * l * E ^+ 6) * (n.+1%:R * delta)); last by ring.
  by rewrite ler_pemull // mulr_ege1 ?mulr_ege1 ?ler1n ?exprn_ege1 ?l1 // (le_trans beta_le).
have beta0 : 0 <= beta := le_trans loss0 loss.
rewrite (_ : 4%:R * beta = beta + (beta + beta *+ 2)); last by ring.
by rewrite ler_add2l (le_trans loss) // ler_addl mulrn_wge0.
Qed.

(* One message per user. *)
Section OneMessage.
Variables (randomizer : D -> dist R S) (n : nat) (E delta : R) (x0 : D).
Hypotheses (E_ge1 : 1 <= E) (delta_ge0 : 0 <= delta).
Hypothesis privacy : private E delta (fun w : n.+1.-tuple D => shuffle (messages randomizer w)).

Theorem local_of_shuffled : exists pure : D -> dist R S, (forall x x' s, pure x s <= (n.+1%:R * E) ^+ 2 * pure x' s) /\
  forall (bad : n.+1.-tuple D -> n.+1.-tuple S -> R) beta, probabilities bad ->
    accurate (fun w => shuffle (messages randomizer w)) bad beta ->
    accurate (fun w => shuffle (messages pure w)) bad (beta + n.+1%:R * delta).
Proof.
have E0 : 0 <= E := le_trans ler01 E_ge1.
have nE1 : 1 <= n.+1%:R * E by rewrite mulr_ege1 ?ler1n.
have local := one_message_is_local E0 (shuffle_private_histogram privacy).
have [pure [ratio near]] := clipped_randomizer x0 nE1 delta_ge0 local.
exists pure; split=> // bad beta bad01 accuracy w; apply: le_trans (failure_nearby (shuffle (messages randomizer w)) _ (bad01 w)) _.
by rewrite ler_add ?accuracy // shuffle_nearby.
Qed.

Theorem local_of_shuffled_as_printed (bad : n.+1.-tuple D -> n.+1.-tuple S -> R) beta : probabilities bad ->
    accurate (fun w => shuffle (messages randomizer w)) bad beta -> delta * n.+1%:R ^+ 8 <= 1 -> 1 <= 3%:R * beta * n.+1%:R ^+ 7 ->
  exists pure : D -> dist R S, (forall x x' s, pure x s <= (n.+1%:R * E) ^+ 8 * pure x' s) /\
    accurate (fun w => shuffle (messages pure w)) bad (4%:R * beta).
Proof.
move=> bad01 accuracy small many; have [pure [ratio accurately]] := local_of_shuffled.
have nE1 : 1 <= n.+1%:R * E by rewrite mulr_ege1 ?ler1n.
exists pure; split=> [x x' s|w].
  by apply: le_trans (ratio x x' s) _; rewrite ler_wpmul2r ?mass_ge0 // ler_weexpn2l.
apply: le_trans (accurately bad beta bad01 accuracy w) _.
have n7 : 0 < n.+1%:R ^+ 7 :> R by rewrite exprn_gt0 // ltr0n.
have loss : n.+1%:R * delta <= 3%:R * beta.
  rewrite -(ler_pmul2r n7); apply: le_trans many; rewrite (_ : _ * _ * _ = delta * n.+1%:R ^+ 8) //; ring.
by rewrite (_ : 4%:R * beta = beta + 3%:R * beta) ?ler_add2l //; ring.
Qed.

End OneMessage.

(* The analyzer that shuffles what it gets, and then does what A does. *)
Definition shuffling_mass n (O : finType) (A : n.-tuple S -> dist R O) (m : n.-tuple S) (o : O) : R :=
  n`!%:R^-1 * \sum_(sigma : 'S_n) A (permuted m sigma) o.

Lemma shuffling_is_law n (O : finType) (A : n.-tuple S -> dist R O) m : is_law (shuffling_mass A m).
Proof.
split=> [o|]; first by rewrite mulr_ge0 ?factorial_inv_ge0 // sumr_ge0 // => sigma _; apply: mass_ge0.
rewrite -mulr_sumr exchange_big /= (eq_bigr (fun=> 1)) => [|sigma _]; last exact: mass_sum1.
by rewrite sumr_const card_Sn mulVf ?factorial_neq0.
Qed.

Definition shuffling n (O : finType) (A : n.-tuple S -> dist R O) (m : n.-tuple S) : dist R O := Dist (shuffling_is_law A m).

Theorem simulated_locally randomizer n (O : finType) (A : n.+1.-tuple S -> dist R O) E : 0 <= E ->
    private E 0 (fun w : n.+1.-tuple D => shuffle (messages randomizer w)) ->
  (forall x x' s, randomizer x s <= E * randomizer x' s) /\
  forall w, push (shuffling A) (messages randomizer w) =1 push A (shuffle (messages randomizer w)).
Proof.
move=> E0 privacy; split=> [|w o]; first exact: pure_one_message_is_local E0 (shuffle_private_histogram privacy).
rewrite /push [RHS](eq_bigr (fun s => \sum_(sigma : 'S_n.+1) n.+1`!%:R^-1 * (messages randomizer w (permuted s sigma) * A s o))) => [|s _]; last first.
  by rewrite shuffle_messages_sum -mulr_sumr -mulr_suml mulrA.
rewrite exchange_big /=; transitivity (\sum_(sigma : 'S_n.+1) \sum_m n.+1`!%:R^-1 * (messages randomizer w m * A (permuted m sigma) o)).
  rewrite exchange_big /=; apply: eq_bigr => m _.
  by rewrite /shuffling_mass mulrCA !mulr_sumr; apply: eq_bigr => sigma _.
rewrite (reindex_inj invg_inj) /=; apply: eq_bigr => sigma _.
have injective_permuted : injective (fun m : n.+1.-tuple S => permuted m sigma).
  by apply: (can_inj (g := fun m : n.+1.-tuple S => permuted m sigma^-1%g)) => m; rewrite permuted_permuted mulVg permuted1.
by rewrite (reindex_inj injective_permuted) /=; apply: eq_bigr => m _; rewrite permuted_permuted mulVg permuted1.
Qed.

End Pure.
