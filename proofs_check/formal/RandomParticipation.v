(* Random participation: each of n users comes with probability g, on a hidden toss, and what is seen of those who come does not depend on their
   order. The number m of those is seen, and batches of fewer than a stated number are dropped; or it is not.

     participation_private    if what is seen of m users is (ln E_m, delta_m)-DP, E_m = 1 + (E - 1) n/m, the delta at order E is at most the mean
                              over m of (m/n) delta_m;
     participation_exact      with the divergences of (x, z, ..., z) from (z, ..., z) it is that of this pair;
     participation_changes    where neighbours differ in less than an exchange, (1 - beta_m) gamma_m + beta_m delta_m for delta_m, beta_m = E/E_m,
                              gamma_m for all replacements;
     uncounted_private        where nothing tells how many come, neighbours may differ in whether a user is there: g delta(1 + (E - 1)/g);
     uncounted_exact          of one user, measured from nobody, it is so exactly.

   Given m, who comes is a uniform set of m users. Exchange user 1, where in it, for a user who is not: every set without user 1 arises m times. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Shuffleproof Require Import Definitions Divergence Composition.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Mechanisms.
Variables (R : realFieldType) (D : Type) (B : finType).

(* The chance that those of n users come who are in P, each with probability g, and nobody else. *)
Definition come (g : R) n (P : {set 'I_n}) : R := g ^+ #|P| * (1 - g) ^+ (n - #|P|).

(* The data of those in P. *)
Definition data_of n (w : n.-tuple D) (P : {set 'I_n}) : #|P|.-tuple D := image_tuple (tnth w) P.

(* What is seen of m users who all come, m any number. *)
Implicit Type seen : forall m, m.-tuple D -> B -> R.

(* It does not depend on their order. *)
Definition unordered seen : Prop := forall m (v : m.-tuple D) (sigma : 'S_m), seen m (permuted v sigma) =1 seen m v.

(* What is seen where each of n users comes with probability g: how many come and what is seen of them, or None where fewer than `least` come. *)
Definition participation (g : R) (least : nat) seen n (w : n.-tuple D) (y : option ('I_n.+1 * B)) : R :=
  match y with
  | Some (m, b) => if (least <= m)%N then \sum_(P : {set 'I_n} | #|P| == m) come g P * seen #|P| (data_of w P) b else 0
  | None => \sum_(P : {set 'I_n} | (#|P| < least)%N) come g P
  end.

(* The same where nothing tells how many come. *)
Definition uncounted (g : R) seen n (w : n.-tuple D) (b : B) : R := \sum_(P : {set 'I_n}) come g P * seen #|P| (data_of w P) b.

(* Neighbours that differ in the value of one user, and there by `near` at most. *)
Definition differ (near : D -> D -> Prop) n (w w' : n.-tuple D) : Prop :=
  exists i, near (tnth w i) (tnth w' i) /\ forall j, j != i -> tnth w j = tnth w' j.

(* 1 + (E - 1) n/m, the order that m of n users are asked for. *)
Definition order_of (E : R) (n m : nat) : R := 1 + (E - 1) * (n%:R / m%:R).

End Mechanisms.

Section Sets.
Variables (R : realFieldType) (T : finType).

Lemma sum_option (I J : finType) (F : option (I * J) -> R) : \sum_y F y = F None + \sum_i \sum_j F (Some (i, j)).
Proof.
rewrite (bigD1 None) //=; congr (_ + _).
rewrite (reindex_omap Some id) => [|[]] //=; rewrite pair_bigA.
by apply: eq_big => [x|[]] //; rewrite eqxx.
Qed.

(* Sets with an element j are those without it, and j. *)
Lemma sum_sets_with (j : T) (cond : pred {set T}) k (F : {set T} -> R) :
  \sum_(P : {set T} | [&& #|P| == k.+1, j \in P & cond (P :\ j)]) F P = \sum_(Q : {set T} | [&& #|Q| == k, j \notin Q & cond Q]) F (j |: Q).
Proof.
rewrite (reindex_onto (fun Q => j |: Q) (fun P => P :\ j)) => [|P /and3P[_ jP _]]; last by rewrite setD1K.
apply: eq_bigl => Q; rewrite cardsU1 setU11 /=.
have [jQ|jQ] /= := boolP (j \in Q); last by rewrite setU1K // eqxx andbT eqSS.
by rewrite andbF -[RHS]/false; apply/negP => /andP[_ /eqP eqQ]; move: jQ; rewrite -eqQ setD11.
Qed.

Lemma number_of_sets (i : T) k : #|[set Q : {set T} | (#|Q| == k) && (i \notin Q)]| = 'C(#|T|.-1, k).
Proof.
rewrite -[#|T|.-1](cardsC1 i) -cards_draws; apply: eq_card => Q; rewrite !inE andbC; congr (_ && _).
by apply/idP/subsetP => [iQ j jQ|sub]; [rewrite !inE; apply: contraNneq iQ => <- | apply/negP => /sub; rewrite !inE eqxx].
Qed.

End Sets.

(* Everything below is about lists: data in the order of a list of users. *)
Section Lists.
Variables (R : realFieldType) (D : Type) (B : finType) (seen : forall m, m.-tuple D -> B -> R) (n : nat) (w : n.-tuple D).

Definition seen_of (s : seq 'I_n) : B -> R := seen (in_tuple [seq tnth w i | i <- s]).

Lemma seen_tuple m (v : m.-tuple D) : seen v = seen (in_tuple v).
Proof.
case: v => v size_v; have e := eqP size_v; case: m / e size_v => size_v.
by congr seen; apply: val_inj.
Qed.

Lemma seen_data P : seen (data_of w P) = seen_of (enum P).
Proof. by rewrite seen_tuple. Qed.

Lemma seen_perm_eq (s t : seq 'I_n) : unordered seen -> perm_eq s t -> seen_of s =1 seen_of t.
Proof.
move=> order; rewrite -[t]/(val (in_tuple t)) => st; have [sigma eqs] := tuple_permP st.
rewrite /seen_of -[seen (in_tuple [seq tnth w i | i <- t])](seen_tuple (map_tuple (tnth w) (in_tuple t))) => b.
rewrite -(order _ _ sigma b); congr (_ b).
rewrite [RHS]seen_tuple; congr (seen (in_tuple _)); rewrite eqs /= -map_comp; apply: eq_map => i.
by rewrite /= tnth_map.
Qed.

Lemma seen_with (Q : {set 'I_n}) j : unordered seen -> j \notin Q -> seen_of (enum (j |: Q)) =1 seen_of (j :: enum Q).
Proof.
move=> order jQ; apply: seen_perm_eq => //; apply: uniq_perm => [||i]; first exact: enum_uniq.
  by rewrite /= mem_enum jQ enum_uniq.
by rewrite inE !mem_enum !inE.
Qed.

End Lists.

(* Given that k + 1 of n + 1 users come: the sums over sets with and without user i0, by the set of the k others. *)
Section GivenTheNumber.
Variables (R : realFieldType) (D : Type) (B : finType) (seen : forall m, m.-tuple D -> B -> R) (order : unordered seen).
Variables (n : nat) (i0 : 'I_n.+1).

Local Notation others k := (fun Q : {set 'I_n.+1} => (#|Q| == k) && (i0 \notin Q)).

Lemma sum_with (w : n.+1.-tuple D) k b :
  \sum_(P : {set 'I_n.+1} | (#|P| == k.+1) && (i0 \in P)) seen_of seen w (enum P) b =
  \sum_(Q | others k Q) seen_of seen w (i0 :: enum Q) b.
Proof.
transitivity (\sum_(P : {set 'I_n.+1} | [&& #|P| == k.+1, i0 \in P & xpredT (P :\ i0)]) seen_of seen w (enum P) b).
  by apply: eq_bigl => P; rewrite andbT.
rewrite (sum_sets_with i0 xpredT k (fun P => seen_of seen w (enum P) b)); apply: eq_big => [Q|Q /and3P[_ iQ _]]; last by rewrite seen_with.
by rewrite andbT.
Qed.

Lemma sum_without (w : n.+1.-tuple D) k b :
  k.+1%:R * (\sum_(P : {set 'I_n.+1} | (#|P| == k.+1) && (i0 \notin P)) seen_of seen w (enum P) b) =
  \sum_(Q | others k Q) \sum_(j | (j \notin Q) && (j != i0)) seen_of seen w (j :: enum Q) b.
Proof.
transitivity (\sum_(P : {set 'I_n.+1} | (#|P| == k.+1) && (i0 \notin P)) \sum_(j in P) seen_of seen w (enum P) b).
  rewrite mulr_sumr; apply: eq_bigr => P /andP[/eqP sizeP _].
  by rewrite sumr_const sizeP mulr_natl.
rewrite (exchange_big_dep (fun j => j != i0)) /= => [|P j /andP[_ iP] jP]; last by apply: contraNneq iP => <-.
rewrite [RHS](exchange_big_dep (fun j => j != i0)) /= => [|Q j _ /andP[_]] //.
apply: eq_bigr => j ji.
transitivity (\sum_(P : {set 'I_n.+1} | [&& #|P| == k.+1, j \in P & i0 \notin P :\ j]) seen_of seen w (enum P) b).
  by apply: eq_bigl => P; rewrite !inE [i0 == j]eq_sym (negPf ji) /= [(j \in _) && _]andbC andbA.
rewrite (sum_sets_with j (fun Q : {set 'I_n.+1} => i0 \notin Q) k (fun P => seen_of seen w (enum P) b)).
apply: eq_big => [Q|Q /and3P[_ jQ _]]; last by rewrite seen_with.
by rewrite ji andbT [(j \notin _) && _]andbC andbA.
Qed.

Lemma number_of_others k : #|[set Q : {set 'I_n.+1} | others k Q]| = 'C(n, k).
Proof. by rewrite number_of_sets card_ord. Qed.

Lemma number_left k (Q : {set 'I_n.+1}) : others k Q -> (k <= n)%N -> #|[pred j | (j \notin Q) && (j != i0)]| = (n - k)%N.
Proof.
move=> /andP[/eqP sizeQ iQ] kn.
rewrite (eq_card (B := ~: (i0 |: Q))) => [|j]; last by rewrite !inE negb_or andbC.
by rewrite cardsCs setCK cardsU1 iQ sizeQ card_ord /= add1n subSS.
Qed.

Variables (E : R) (k : nat).
Hypotheses (E1 : 1 <= E) (kn : (k <= n)%N).
Let Em := order_of E n.+1 k.+1.
Let beta := E / Em.
Let kappa := (E - 1) / (k.+1%:R * Em).

Lemma order_ge1 : 1 <= Em.
Proof. by rewrite ler_addl mulr_ge0 ?subr_ge0 ?divr_ge0 ?ler0n. Qed.

Let Em0 : 0 < Em := lt_le_trans ltr01 order_ge1.

Lemma kappa_ge0 : 0 <= kappa.
Proof. by rewrite divr_ge0 ?subr_ge0 // mulr_ge0 ?ler0n ?ltW. Qed.

Lemma beta_ge0 : 0 <= beta.
Proof. by apply: divr_ge0; [exact: le_trans ler01 E1 | exact: ltW]. Qed.

Lemma kappa_left : (n - k)%:R * kappa = 1 - beta.
Proof.
have k0 : k.+1%:R != 0 :> R by rewrite pnatr_eq0.
have Emk : Em * k.+1%:R = k.+1%:R + (E - 1) * n.+1%:R by rewrite /Em /order_of mulrDl mul1r -mulrA divfK.
have Em_neq0 : Em != 0 by rewrite gt_eqF.
apply: (mulIf Em_neq0); apply: (mulIf k0); rewrite natrB //.
have -> : (1 - beta) * Em * k.+1%:R = k.+1%:R + (E - 1) * n.+1%:R - E * k.+1%:R.
  by rewrite [(1 - beta) * Em]mulrBl /beta divfK // mul1r mulrBl Emk.
have -> : (n%:R - k%:R) * kappa * Em * k.+1%:R = (n%:R - k%:R) * (E - 1).
  by rewrite -!mulrA [Em * _]mulrC mulVf ?mulf_neq0 // mulr1.
rewrite -[n.+1]addn1 -[k.+1]addn1 !natrD; ring.
Qed.

Lemma kappa_order : kappa * Em = (E - 1) / k.+1%:R.
Proof. by rewrite /kappa invfM mulrA divfK // gt_eqF. Qed.

(* What user i0's change adds, with the others in Q: a mixture of the change itself and of exchanges of i0 for a user who is not there. *)
Lemma one_set (a a' : B -> R) (z : 'I_n.+1 -> B -> R) (J : pred 'I_n.+1) gamma delta :
    #|J| = (n - k)%N -> hockey Em a a' <= delta -> (forall j, J j -> hockey Em a (z j) <= gamma) ->
  \sum_b Num.max (a b - E * a' b - (E - 1) / k.+1%:R * (\sum_(j | J j) z j b)) 0 <= (1 - beta) * gamma + beta * delta.
Proof.
move=> sizeJ change exchange.
apply: (@le_trans _ _ (\sum_b (beta * Num.max (a b - Em * a' b) 0 + \sum_(j | J j) kappa * Num.max (a b - Em * z j b) 0))).
  apply: ler_sum => b _; rewrite -positive_part_scale ?beta_ge0 //.
  under [X in _ <= _ + X]eq_bigr do rewrite -positive_part_scale ?kappa_ge0 //.
  apply: le_trans (le_trans (positive_part_add _ _) (ler_add (lexx _) (positive_part_sum _ _))).
  rewrite le_eqVlt; apply/orP; left; apply/eqP; congr Num.max.
  have Em_neq0 : Em != 0 by rewrite gt_eqF.
  transitivity (beta * (a b - Em * a' b) + ((n - k)%:R * kappa * a b - kappa * Em * (\sum_(j | J j) z j b))); last first.
    have -> : (n - k)%:R * kappa * a b = \sum_(j | J j) kappa * a b by rewrite sumr_const sizeJ -mulrA mulr_natl.
    rewrite mulr_sumr -sumrB; congr (_ + _); apply: eq_bigr => j _.
    by rewrite mulrBr mulrA.
  have -> : beta * (a b - Em * a' b) = beta * a b - E * a' b by rewrite mulrBr mulrA /beta divfK.
  by rewrite kappa_order kappa_left; ring.
rewrite big_split /= [leRHS]addrC ler_add //; first by rewrite -mulr_sumr ler_wpmul2l ?beta_ge0.
rewrite exchange_big /= -kappa_left -mulrA mulr_natl -sizeJ -sumr_const.
by apply: ler_sum => j jJ; rewrite -mulr_sumr ler_wpmul2l ?kappa_ge0 ?exchange.
Qed.

Variables (w w' : n.+1.-tuple D).
Hypothesis others_equal : forall j, j != i0 -> tnth w j = tnth w' j.

(* What is seen of k + 1 users, all sets together. *)
Definition seen_given (v : n.+1.-tuple D) b := \sum_(P : {set 'I_n.+1} | #|P| == k.+1) seen_of seen v (enum P) b.

Let change (Q : {set 'I_n.+1}) b := seen_of seen w (i0 :: enum Q) b - E * seen_of seen w' (i0 :: enum Q) b -
  (E - 1) / k.+1%:R * (\sum_(j | (j \notin Q) && (j != i0)) seen_of seen w (j :: enum Q) b).

Lemma seen_given_change b : seen_given w b - E * seen_given w' b = \sum_(Q | others k Q) change Q b.
Proof.
pose with_i0 v := \sum_(Q | others k Q) seen_of seen v (i0 :: enum Q) b.
pose without v := \sum_(P : {set 'I_n.+1} | (#|P| == k.+1) && (i0 \notin P)) seen_of seen v (enum P) b.
have split v : seen_given v b = with_i0 v + without v.
  by rewrite /seen_given (bigID (fun P : {set 'I_n.+1} => i0 \in P)) /=; congr (_ + _); exact: sum_with.
have same : without w' = without w.
  apply: eq_bigr => P /andP[_ iP]; congr (seen (in_tuple _) b); apply/eq_in_map => j.
  by rewrite mem_enum => jP; rewrite others_equal //; apply: contraNneq iP => <-.
have -> : \sum_(Q | others k Q) change Q b = with_i0 w - E * with_i0 w' - (E - 1) / k.+1%:R * (k.+1%:R * without w).
  have -> : k.+1%:R * without w = \sum_(Q | others k Q) \sum_(j | (j \notin Q) && (j != i0)) seen_of seen w (j :: enum Q) b.
    exact: sum_without.
  by rewrite /with_i0 !mulr_sumr -!sumrB.
have k0 : k.+1%:R != 0 :> R by rewrite pnatr_eq0.
by rewrite !split same -mulrA mulKf //; ring.
Qed.

(* Where all others hold what w' has there, nothing is lost. *)
Lemma seen_given_alike a z :
    (forall Q, others k Q -> seen_of seen w (i0 :: enum Q) = a) -> (forall Q, others k Q -> seen_of seen w' (i0 :: enum Q) = z) ->
    (forall Q j, others k Q -> j \notin Q -> j != i0 -> seen_of seen w (j :: enum Q) = z) ->
  hockey E (seen_given w) (seen_given w') = 'C(n, k)%:R * hockey Em a z.
Proof.
move=> own other exchanged; rewrite mulr_sumr; apply: eq_bigr => b _.
rewrite seen_given_change -positive_part_scale ?ler0n // -number_of_others cardsE mulr_natl -sumr_const; congr Num.max.
apply: eq_bigr => Q Qk; rewrite /change own // other // (eq_bigr (fun=> z b)) => [|j /andP[jQ ji]]; last by rewrite exchanged.
rewrite sumr_const (number_left Qk kn) -kappa_order -mulr_natl mulrCA mulrA [_ * (kappa * Em)]mulrA kappa_left.
by rewrite mulrBl mul1r /beta divfK ?gt_eqF //; ring.
Qed.

Lemma seen_given_bound gamma delta :
    (forall Q, others k Q -> hockey Em (seen_of seen w (i0 :: enum Q)) (seen_of seen w' (i0 :: enum Q)) <= delta) ->
    (forall Q j, others k Q -> j \notin Q -> j != i0 ->
       hockey Em (seen_of seen w (i0 :: enum Q)) (seen_of seen w (j :: enum Q)) <= gamma) ->
  hockey E (seen_given w) (seen_given w') <= 'C(n, k)%:R * ((1 - beta) * gamma + beta * delta).
Proof.
move=> changes exchanges; rewrite /hockey.
apply: (@le_trans _ _ (\sum_(Q | others k Q) \sum_b Num.max (change Q b) 0)).
  rewrite exchange_big; apply: ler_sum => b _; rewrite seen_given_change; exact: positive_part_sum.
rewrite -number_of_others cardsE mulr_natl -sumr_const; apply: ler_sum => Q Qk.
apply: one_set => [||j /andP[jQ ji]]; [exact: number_left | exact: changes | exact: exchanges].
Qed.

End GivenTheNumber.

Section Theorems.
Variables (R : realFieldType) (D : Type) (B : finType) (seen : forall m, m.-tuple D -> B -> R) (g E : R) (least : nat).
Hypotheses (order : unordered seen) (laws : forall m (v : m.-tuple D), is_law (seen v)) (g01 : 0 <= g <= 1) (E1 : 1 <= E).

Lemma chance_ge0 a b : 0 <= g ^+ a * (1 - g) ^+ b.
Proof. by case/andP: g01 => g0 g1; rewrite mulr_ge0 ?exprn_ge0 ?subr_ge0. Qed.

Lemma participation_given n (w : n.+1.-tuple D) k b :
  \sum_(P : {set 'I_n.+1} | #|P| == k.+1) come g P * seen (data_of w P) b = g ^+ k.+1 * (1 - g) ^+ (n - k) * seen_given seen k w b.
Proof. by rewrite mulr_sumr; apply: eq_bigr => P /eqP sizeP; rewrite seen_data /come sizeP subSS. Qed.

Lemma nothing_above_itself c : 0 <= c -> Num.max (c - E * c) 0 = 0.
Proof. by move=> c0; apply/max_idPr; rewrite subr_le0 ler_pemull. Qed.

(* How many come is the same for both datasets, so the divergence is the mean of those given the number; nobody, and batches that are dropped,
   add nothing. *)
Lemma participation_mean n (w w' : n.+1.-tuple D) :
  hockey E (participation g least seen w) (participation g least seen w') =
  \sum_(k < n.+1 | (least <= k.+1)%N) g ^+ k.+1 * (1 - g) ^+ (n - k) * hockey E (seen_given seen k w) (seen_given seen k w').
Proof.
rewrite {1}/hockey sum_option /= nothing_above_itself ?add0r; last by apply: sumr_ge0 => P _; exact: chance_ge0.
rewrite big_ord_recl /= [X in X + _]big1 ?add0r => [|b _]; last first.
  case: (least <= 0)%N; last by rewrite mulr0 subrr maxxx.
  have alone v : \sum_(P : {set 'I_n.+1} | #|P| == 0%N) come g P * seen (data_of v P) b = come g (set0 : {set 'I_n.+1}) * seen [tuple] b.
    rewrite (big_pred1 set0) => [|P]; last by rewrite /= cards_eq0.
    by rewrite seen_data enum_set0 [seen [tuple]]seen_tuple.
  by rewrite !alone nothing_above_itself // mulr_ge0 ?chance_ge0 //; case: (laws [tuple]).
rewrite [RHS]big_mkcond; apply: eq_bigr => k _; rewrite /= /bump add1n.
case: ifP => _; last by apply: big1 => b _; rewrite mulr0 subrr maxxx.
rewrite mulr_sumr; apply: eq_bigr => b _; rewrite !participation_given mulrCA -mulrBr positive_part_scale //.
exact: chance_ge0.
Qed.

Lemma others_tuple n k (i0 : 'I_n) (Q : {set 'I_n}) : (#|Q| == k) && (i0 \notin Q) -> exists2 t : k.-tuple 'I_n, enum Q = t & forall l, tnth t l != i0.
Proof.
move=> /andP[sizeQ iQ]; have size_enum : size (enum Q) == k by rewrite -cardE.
exists (Tuple size_enum) => // l; apply: contraNneq iQ => <-.
by rewrite -mem_enum; exact: (mem_tnth l (Tuple size_enum)).
Qed.

Lemma seen_of_cons n (v : n.-tuple D) j k (t : k.-tuple 'I_n) : seen_of seen v (j :: t) = seen (map_tuple (tnth v) [tuple of j :: t]).
Proof. by rewrite [RHS]seen_tuple. Qed.

Lemma binomial_share n k : binomial_mass n.+1 g k.+1 * (k.+1%:R / n.+1%:R) = 'C(n, k)%:R * (g ^+ k.+1 * (1 - g) ^+ (n - k)).
Proof.
have n0 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
have diagonal : 'C(n.+1, k.+1)%:R * k.+1%:R = n.+1%:R * 'C(n, k)%:R :> R by rewrite -!natrM mulnC -mul_bin_diag.
rewrite /binomial_mass subSS -['C(n, k)%:R](mulKf n0) -diagonal.
by move: (g ^+ _) ((1 - g) ^+ _) ('C(_, _)%:R : R) (k.+1%:R : R) (n.+1%:R^-1 : R) => *; ring.
Qed.

Theorem participation_changes (near : D -> D -> Prop) (gamma delta : nat -> R) n (w w' : n.+1.-tuple D) :
    (forall m (v v' : m.-tuple D), (0 < m <= n.+1)%N -> neighbours v v' -> hockey (order_of E n.+1 m) (seen v) (seen v') <= gamma m) ->
    (forall m (v v' : m.-tuple D), (0 < m <= n.+1)%N -> differ near v v' -> hockey (order_of E n.+1 m) (seen v) (seen v') <= delta m) ->
    differ near w w' ->
  hockey E (participation g least seen w) (participation g least seen w') <=
  \sum_(k < n.+1 | (least <= k.+1)%N) binomial_mass n.+1 g k.+1 * (k.+1%:R / n.+1%:R) *
    ((1 - E / order_of E n.+1 k.+1) * gamma k.+1 + E / order_of E n.+1 k.+1 * delta k.+1).
Proof.
move=> exchanges changes [i0 [near_i0 others_equal]]; rewrite participation_mean.
apply: ler_sum => k _; rewrite binomial_share [leRHS]mulrAC [leRHS]mulrC ler_wpmul2l ?chance_ge0 //.
have kn : (k <= n)%N by rewrite -ltnS.
apply: (seen_given_bound order E1 kn others_equal) => [Q Qk|Q j Qk jQ ji]; have [t -> t_i0] := others_tuple Qk; rewrite !seen_of_cons.
  apply: changes; rewrite ?ltnS //; exists ord0; rewrite !tnth_map tnth0; split=> // l.
  by case: (unliftP ord0 l) => [l'|] -> // _; rewrite !tnth_map tnthS others_equal.
apply: exchanges; rewrite ?ltnS //; exists ord0 => l.
by case: (unliftP ord0 l) => [l'|] -> // _; rewrite !tnth_map !tnthS.
Qed.

(* Where neighbours may differ in anything both are the same. *)
Theorem participation_private (delta : nat -> R) n :
    (forall m, (0 < m <= n.+1)%N -> private (order_of E n.+1 m) (delta m) (@seen m)) ->
  private E (\sum_(k < n.+1 | (least <= k.+1)%N) binomial_mass n.+1 g k.+1 * (k.+1%:R / n.+1%:R) * delta k.+1)
    (fun w : n.+1.-tuple D => participation g least seen w).
Proof.
move=> privacy w w' [i0 others_equal]; apply/dp_iff_hockey.
rewrite (eq_bigr (fun k : 'I_n.+1 => binomial_mass n.+1 g k.+1 * (k.+1%:R / n.+1%:R) *
    ((1 - E / order_of E n.+1 k.+1) * delta k.+1 + E / order_of E n.+1 k.+1 * delta k.+1))) => [|k _]; last first.
  by congr (_ * _); ring.
apply: (@participation_changes (fun _ _ => True)) => [m v v' mn close|m v v' mn [i [_ close]]|].
- by apply/dp_iff_hockey; exact: privacy.
- by apply/dp_iff_hockey; apply: privacy => //; exists i.
- by exists i0.
Qed.

(* The pair (x, z, ..., z), (z, ..., z) reaches it. *)
Theorem participation_exact x z n :
  hockey E (participation g least seen [tuple of x :: nseq n z]) (participation g least seen [tuple of z :: nseq n z]) =
  \sum_(k < n.+1 | (least <= k.+1)%N) binomial_mass n.+1 g k.+1 * (k.+1%:R / n.+1%:R) *
    hockey (order_of E n.+1 k.+1) (seen [tuple of x :: nseq k z]) (seen [tuple of z :: nseq k z]).
Proof.
rewrite participation_mean; apply: eq_bigr => k _; rewrite binomial_share [RHS]mulrAC [RHS]mulrC; congr (_ * _).
have kn : (k <= n)%N by rewrite -ltnS.
have held (y : D) (j : 'I_n.+1) : j != ord0 -> tnth [tuple of y :: nseq n z] j = z.
  by case: (unliftP ord0 j) => [l|] -> // _; rewrite tnthS tnth_nseq.
have those (y : D) (j : 'I_n.+1) (t : k.-tuple 'I_n.+1) : (forall l, tnth t l != ord0) ->
    map_tuple (tnth [tuple of y :: nseq n z]) [tuple of j :: t] = [tuple of tnth [tuple of y :: nseq n z] j :: nseq k z].
  move=> t0; apply: eq_from_tnth => l; rewrite tnth_map.
  by case: (unliftP ord0 l) => [l'|] ->; rewrite ?tnth0 // !tnthS tnth_nseq held.
apply: (seen_given_alike order E1 kn (i0 := ord0)) => [j j0|Q Qk|Q Qk|Q j Qk jQ j0]; first by rewrite !held.
all: have [t -> t0] := others_tuple Qk; rewrite seen_of_cons those ?tnth0 //.
by rewrite held.
Qed.

End Theorems.

Lemma uncounted_nobody (R : realFieldType) (D : Type) (B : finType) (g : R) (seen : forall m, m.-tuple D -> B -> R) b :
  uncounted g seen [tuple] b = seen 0%N [tuple] b.
Proof.
rewrite /uncounted (big_pred1 set0) => [|P]; last by apply/esym/eqP/setP => -[].
by rewrite seen_data /come cards0 !expr0 mulr1 mul1r /seen_of enum_set0 [in RHS]seen_tuple.
Qed.

(* Nothing tells how many come: user 1 comes, or not. *)
Section Uncounted.
Variables (R : realFieldType) (D : Type) (B : finType) (seen : forall m, m.-tuple D -> B -> R) (g : R).
Hypothesis order : unordered seen.

Lemma come_cons n (Q : {set 'I_n}) (lifted := [set lift ord0 i | i in Q]) :
  come g lifted = (1 - g) * come g Q /\ come g (ord0 |: lifted) = g * come g Q.
Proof.
have size_lifted : #|lifted| = #|Q| by rewrite card_imset //; exact: lift_inj.
have out : ord0 \notin lifted by apply/imsetP => -[i _ /eqP]; rewrite (negPf (neq_lift _ _)).
have sizeQ : (#|Q| <= n)%N by rewrite -[X in (_ <= X)%N]card_ord max_card.
rewrite /come cardsU1 out size_lifted add1n subSS subSn // !exprS mulrA; split; first by rewrite mulrCA mulrA.
by rewrite mulrA.
Qed.

Lemma uncounted_cons n (w : n.-tuple D) x b :
  uncounted g seen [tuple of x :: w] b = (1 - g) * uncounted g seen w b + g * uncounted g (fun m (v : m.-tuple D) => seen [tuple of x :: v]) w b.
Proof.
have lifted_inj := @lift_inj n.+1 ord0.
have back (Q : {set 'I_n}) : lift ord0 @^-1: (lift ord0 @: Q) = Q by apply/setP => i; rewrite inE mem_imset.
have back0 (Q : {set 'I_n}) : lift ord0 @^-1: (ord0 |: lift ord0 @: Q) = Q.
  by apply/setP => i; rewrite !inE mem_imset // eq_sym (negPf (neq_lift _ _)).
have mem_lifted i (P : {set 'I_n.+1}) : (lift ord0 i \in lift ord0 @: (lift ord0 @^-1: P)) = (lift ord0 i \in P) by rewrite mem_imset // inE.
have out (Q : {set 'I_n}) : ord0 \in lift ord0 @: Q = false by apply/negP => /imsetP[i _ /eqP]; rewrite (negPf (neq_lift _ _)).
rewrite /uncounted (bigID (fun P : {set 'I_n.+1} => ord0 \notin P)) /= !mulr_sumr; congr (_ + _).
  rewrite (reindex_onto (fun Q : {set 'I_n} => lift ord0 @: Q) (fun P => lift ord0 @^-1: P)) => [|P P0]; last first.
    by apply/setP => i; case: (unliftP ord0 i) => [j|] ->; rewrite ?mem_lifted // out (negPf P0).
  apply: eq_big => [Q|Q _]; first by rewrite out back eqxx.
  rewrite !seen_data (come_cons Q).1 -mulrA; congr (_ * (_ * _)).
  have same : perm_eq (enum (lift ord0 @: Q)) (map (lift ord0) (enum Q)).
    apply: uniq_perm; rewrite ?map_inj_uniq ?enum_uniq // => i; rewrite mem_enum.
    by apply/imsetP/mapP => -[j jQ ->]; exists j; rewrite ?mem_enum // -mem_enum.
  rewrite (seen_perm_eq _ order same) /seen_of -map_comp; congr (seen (in_tuple _) b).
  by apply: eq_map => i; rewrite /= tnthS.
rewrite (reindex_onto (fun Q : {set 'I_n} => ord0 |: lift ord0 @: Q) (fun P => lift ord0 @^-1: P)) => [|P]; last first.
  rewrite negbK => P0; apply/setP => i; rewrite in_setU1; case: (unliftP ord0 i) => [j|] ->; last by rewrite eqxx P0.
  by rewrite eq_sym (negPf (neq_lift _ _)) mem_lifted.
apply: eq_big => [Q|Q _]; first by rewrite setU11 back0 eqxx.
rewrite seen_data (come_cons Q).2 -mulrA; congr (_ * (_ * _)).
have same : perm_eq (enum (ord0 |: lift ord0 @: Q)) (ord0 :: map (lift ord0) (enum Q)).
  apply: uniq_perm => [||i]; first exact: enum_uniq.
    rewrite /= map_inj_uniq // enum_uniq andbT.
    by apply/mapP => -[j _ /eqP]; rewrite (negPf (neq_lift _ _)).
  rewrite mem_enum in_setU1 inE; congr (_ || _).
  by apply/imsetP/mapP => -[j jQ ->]; exists j; rewrite ?mem_enum // -mem_enum.
rewrite (seen_perm_eq _ order same); transitivity (seen (in_tuple [tuple of x :: data_of w Q]) b); last by rewrite -seen_tuple.
congr (seen (in_tuple _) b); rewrite /= tnth0 -map_comp; congr (_ :: _).
by apply: eq_map => i; rewrite /= tnthS.
Qed.

Variables (E delta : R).
Hypotheses (laws : forall m (v : m.-tuple D), is_law (seen v)) (g01 : 0 < g <= 1) (E1 : 1 <= E).
Let Eg := 1 + (E - 1) / g.

Lemma order_g : g * Eg = g + E - 1.
Proof. by rewrite mulrDr mulr1 mulrCA divff ?mulr1 ?addrA // gt_eqF //; case/andP: g01. Qed.

Let come_ge0 n (P : {set 'I_n}) : 0 <= come g P.
Proof. by case/andP: g01 => /ltW g0 g1; rewrite mulr_ge0 ?exprn_ge0 ?subr_ge0. Qed.

(* Measured from nobody it is so exactly. *)
Theorem uncounted_exact x :
  hockey E (uncounted g seen [tuple x]) (uncounted g seen [tuple]) = g * hockey (1 + (E - 1) / g) (seen [tuple x]) (seen [tuple]).
Proof.
case/andP: g01 => g0 _; rewrite mulr_sumr; apply: eq_bigr => b _; rewrite -positive_part_scale ?ltW //.
have -> : [tuple x] = [tuple of x :: [tuple]] by apply: val_inj.
rewrite uncounted_cons !uncounted_nobody; congr (Num.max _ 0).
rewrite -/Eg mulrBr mulrA order_g; ring.
Qed.

Theorem uncounted_private n (w : n.-tuple D) x :
    (forall m (v : m.-tuple D) y, dp Eg delta (seen [tuple of y :: v]) (seen v) /\ dp Eg delta (seen v) (seen [tuple of y :: v])) ->
  dp E (g * delta) (uncounted g seen [tuple of x :: w]) (uncounted g seen w) /\
  dp E (g * delta) (uncounted g seen w) (uncounted g seen [tuple of x :: w]).
Proof.
move=> near; case/andP: g01 => g0 g1.
pose without := uncounted g seen w; pose with_x := uncounted g (fun m (v : m.-tuple D) => seen [tuple of x :: v]) w.
have total : \sum_(P : {set 'I_n}) come g P = 1.
  rewrite -[RHS](expr1n _ n) -[in RHS](subrK g 1) exprDn (partition_big (fun P : {set 'I_n} => inord #|P| : 'I_n.+1) predT) //=.
  apply: eq_bigr => k _; rewrite -[X in 'C(X, k)](card_ord n) -card_draws cardsE -sumr_const.
  have size_le (P : {set 'I_n}) : (#|P| < n.+1)%N by rewrite ltnS -[X in (_ <= X)%N](card_ord n) max_card.
  apply: eq_big => [P|P /eqP <-]; first by rewrite -val_eqE /= inordK.
  by rewrite /come inordK // mulrC.
have mixture first second : (forall P, hockey Eg (first P) (second P) <= delta) ->
    hockey Eg (fun b => \sum_(P : {set 'I_n}) come g P * first P b) (fun b => \sum_P come g P * second P b) <= delta.
  move=> close; apply: le_trans (hockey_joint_convexity _ _ _ (come_ge0 (n := n))) _.
  by rewrite -[delta]mul1r -total mulr_suml; apply: ler_sum => P _; rewrite ler_wpmul2l ?come_ge0.
have there : hockey Eg with_x without <= delta by apply: mixture => P; apply/dp_iff_hockey; case: (near _ (data_of w P) x).
have gone : hockey Eg without with_x <= delta by apply: mixture => P; apply/dp_iff_hockey; case: (near _ (data_of w P) x).
have E_le : E <= Eg.
  by rewrite -(ler_pmul2l g0) order_g -subr_ge0 (_ : _ - _ = (1 - g) * (E - 1)) ?mulr_ge0 ?subr_ge0 //; ring.
split; apply/dp_iff_hockey.
  apply: le_trans (ler_wpmul2l (ltW g0) there); rewrite mulr_sumr; apply: ler_sum => b _.
  rewrite -positive_part_scale; last exact: ltW.
  rewrite uncounted_cons -/without -/with_x le_eqVlt; apply/orP; left; apply/eqP; congr (Num.max _ 0).
  rewrite mulrBr mulrA order_g; ring.
have Eg0 : 0 < Eg by rewrite (lt_le_trans ltr01) // (le_trans E1).
apply: (@le_trans _ _ (g * (E / Eg) * hockey Eg without with_x)); last first.
  rewrite -[leLHS]mulrA ler_pmul2l //; apply: le_trans gone; rewrite ler_pimull ?hockey_ge0 //.
  by rewrite ler_pdivr_mulr // mul1r.
rewrite mulr_sumr; apply: ler_sum => b _.
rewrite -positive_part_scale; last by apply: mulr_ge0 (ltW g0) (divr_ge0 (le_trans ler01 E1) (ltW Eg0)).
rewrite uncounted_cons -/without -/with_x le_maxl positive_part_ge0 andbT; apply: le_trans (positive_part_ge _).
have without0 : 0 <= without b by apply: sumr_ge0 => P _; rewrite mulr_ge0 ?come_ge0 //; case: (laws (data_of w P)).
have -> : g * (E / Eg) * (without b - Eg * with_x b) = g * (E / Eg) * without b - g * E * with_x b.
  by rewrite mulrBr; congr (_ - _); rewrite mulrA -[g * (E / Eg) * Eg]mulrA divfK ?gt_eqF.
rewrite -subr_ge0 [leRHS](_ : _ = (g * (E / Eg) + E * (1 - g) - 1) * without b); last first.
  by move: (without b) (with_x b) (E / Eg) => a c q; ring.
rewrite mulr_ge0 // -(pmulr_rge0 _ Eg0) [leRHS](_ : _ = g * E + Eg * (E * (1 - g) - 1)); last first.
  transitivity (g * (E / Eg * Eg) + Eg * (E * (1 - g) - 1)); last by rewrite divfK ?gt_eqF.
  by move: (E / Eg) Eg => q e; ring.
have -> : g * E + Eg * (E * (1 - g) - 1) = g * E + Eg * E - E * (g * Eg) - Eg by ring.
rewrite order_g [leRHS](_ : _ = (Eg - E) * (E - 1)); last by ring.
by rewrite mulr_ge0 ?subr_ge0.
Qed.

End Uncounted.
