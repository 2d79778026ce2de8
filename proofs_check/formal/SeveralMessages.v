(* Several messages per user: what the shuffler shows is how often each message was sent, by all users together.

     nothing_after_shuffling   R_inf sends x and 1 - x: its shuffled messages are 0-DP for every n, itself it is epsilon-DP for no epsilon
                                                                                                                    (BC20, Claim 4.3);
     pre_shuffling             a randomizer may shuffle its own messages first, and the view of any data has the same law; R_inf itself is then
                               0-DP                                                                            (BC20, after Claim 4.3);
     gap_shuffled              R_gap, of four bits, with any weights: every vector is possible on input 0, and those without exactly two ones on
                               input 1. For n >= 2 users its shuffled messages are epsilon-DP for some epsilon,
     gap_by_itself             but even the number of ones that one user sends, all that is left of R_gap's messages when it shuffles them
                               itself, is so for none; gap_in_full says both                                        (BC20, Claim 4.4);
     zero_sum_view             every user sends x + z ones, z ~ Ber(p): the number of all of them is sum of x_i + Bin(n, p), and just as well
                               n - (-(sum of x_i) + Bin(n, 1 - p))                                                  (BC20, Section 3.1). *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence Shuffling OneMessage BitSum.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section View.
Variables (R : realFieldType) (D : Type) (S : finType) (k : nat) (randomizer : D -> dist R [finType of k.-tuple S]).

(* All messages, and how often each of them was sent. *)
Definition all_messages n (m : n.-tuple (k.-tuple S)) : seq S := flatten [seq val v | v <- m].
Definition all_counts n (m : n.-tuple (k.-tuple S)) : {ffun S -> 'I_(n * k).+1} := [ffun s => inord (count_mem s (all_messages m))].

Definition view n (w : n.-tuple D) : {ffun S -> 'I_(n * k).+1} -> R := image_law (@all_counts n) (messages randomizer w).

Lemma size_all_messages n (m : n.-tuple (k.-tuple S)) : size (all_messages m) = (n * k)%N.
Proof.
rewrite /all_messages size_flatten /shape -map_comp sumnE big_map big_tuple (eq_bigr (fun=> k)) => [|i _]; last exact: size_tuple.
by rewrite sum_nat_const card_ord.
Qed.

Lemma all_counts_val n (m : n.-tuple (k.-tuple S)) s : all_counts m s = count_mem s (all_messages m) :> nat.
Proof. by rewrite ffunE inordK // ltnS -(size_all_messages m) count_size. Qed.

Lemma count_all_messages n (m : n.-tuple (k.-tuple S)) s : count_mem s (all_messages m) = (\sum_(i < n) count_mem s (tnth m i))%N.
Proof. by rewrite /all_messages count_flatten -map_comp sumnE big_map big_tuple. Qed.

Lemma view_is_law n (w : n.-tuple D) : is_law (view w).
Proof. apply: image_law_is_law; exact (transcript_is_law (fun=> randomizer) w). Qed.

End View.

(* A view that has the same possible outcomes on all data is private for some epsilon. *)
Lemma private_of_support (R : realFieldType) (D A : finType) n (P : n.-tuple D -> A -> R) :
    (forall w, is_law (P w)) -> (forall w w' y, P w y != 0 -> P w' y != 0) -> exists E, private E 0 P.
Proof.
move=> law support; exists (\sum_w \sum_y (P w y)^-1) => w w' _ event; rewrite addr0 mulr_sumr; apply: ler_sum => y _.
have [Pw0 Pw1] := law w; have [Pw'0 _] := law w'.
have inv_ge0 v x : 0 <= (P v x)^-1 by rewrite invr_ge0; have [+ _] := law v; apply.
have [->|neq] := eqVneq (P w y) 0; first by rewrite mulr_ge0 ?Pw'0 // sumr_ge0 // => v _; rewrite sumr_ge0.
have neq' := support w w' y neq; apply: (@le_trans _ _ 1).
  by rewrite -Pw1 (bigD1 y) //= ler_addl sumr_ge0.
rewrite -(mulVf neq') ler_wpmul2r ?Pw'0 // (bigD1 w') //= (bigD1 y) //= -addrA ler_addl.
by rewrite addr_ge0 ?sumr_ge0 // => v _; rewrite sumr_ge0.
Qed.

Section Nothing.
Variable R : realFieldType.

Definition both (x : bool) : 2.-tuple bool := [tuple x; ~~ x].

Definition r_inf (x : bool) : dist R [finType of 2.-tuple bool] := point R (both x).

Definition both_of n (w : n.-tuple bool) : n.-tuple (2.-tuple bool) := [tuple both (tnth w i) | i < n].

Lemma r_inf_messages n (w : n.-tuple bool) m : messages r_inf w m = (both_of w == m)%:R.
Proof.
rewrite /messages /r_inf /=; have [<-|neq] := eqVneq.
  by apply: big1 => i _; rewrite tnth_mktuple eqxx.
have [i mi] : exists i, both (tnth w i) != tnth m i.
  apply/existsP; rewrite -negb_forall; apply: contra neq => /forallP same; apply/eqP/eq_from_tnth => i.
  by rewrite tnth_mktuple; apply/eqP; apply: same.
by rewrite (bigD1 i) //= (negPf mi) mul0r.
Qed.

Lemma r_inf_counts n (w : n.-tuple bool) : @all_counts bool_finType 2 n (both_of w) = [ffun=> inord n].
Proof.
apply/ffunP => b; apply: val_inj; rewrite /= all_counts_val count_all_messages ffunE inordK ?ltnS ?leq_pmulr //.
rewrite (eq_bigr (fun=> 1%N)) ?sum1_card ?card_ord // => i _.
by rewrite tnth_mktuple /=; case: (tnth w i) b => -[].
Qed.

Theorem nothing_after_shuffling :
  (forall n, private 1 0 (@view R bool bool_finType 2 r_inf n)) /\ ~ exists T : R, forall x x' s, r_inf x s <= T * r_inf x' s.
Proof.
split=> [n w w' _ event|[T local]].
  rewrite mul1r addr0 le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => y _.
  have one v : view r_inf v y = ([ffun=> inord n] == y)%:R.
    rewrite /view /image_law; under eq_bigr do rewrite r_inf_messages.
    rewrite big_mkcond (bigD1 (both_of v)) //= eqxx r_inf_counts big1 ?addr0 => [|m]; first by case: eqP.
    by rewrite eq_sym => /negPf ->; rewrite if_same.
  by rewrite !one.
by have := local true false (both true); rewrite /= mulr0 ler10.
Qed.

End Nothing.

Section PreShuffled.
Variables (R : realFieldType) (D : Type) (S : finType) (k : nat).

Lemma shuffle_is_law n (P : n.-tuple S -> R) : is_law P -> is_law (shuffle P).
Proof.
move=> law; have [point0 _] := image_law_is_law (fun m : n.-tuple S => m) law.
split=> [s|].
  rewrite mulr_ge0 ?factorial_inv_ge0 // sumr_ge0 // => sigma _.
  by have [] := image_law_is_law (fun m : n.-tuple S => permuted m sigma) law.
rewrite -mulr_sumr exchange_big /= (eq_bigr (fun=> 1)) => [|sigma _]; last first.
  by have [] := image_law_is_law (fun m : n.-tuple S => permuted m sigma) law.
by rewrite sumr_const card_Sn mulVf ?factorial_neq0.
Qed.

(* The randomizer that shuffles its own messages before it sends them. *)
Definition pre_shuffled (randomizer : D -> dist R [finType of k.-tuple S]) (x : D) : dist R [finType of k.-tuple S] :=
  Dist (shuffle_is_law (mass_is_law (randomizer x))).

(* A uniformly random order of given messages. *)
Definition reordered (v : k.-tuple S) : dist R [finType of k.-tuple S] := Dist (shuffle_is_law (mass_is_law (point R v))).

Lemma pre_shuffled_reordered randomizer x : pre_shuffled randomizer x =1 push reordered (randomizer x).
Proof.
move=> s; rewrite /push /= shuffle_messages_sum (eq_bigr (fun v => \sum_(sigma : 'S_k) k`!%:R^-1 * (randomizer x v * (v == permuted s sigma)%:R))); last first.
  by move=> v _; rewrite shuffle_messages_sum mulrCA !mulr_sumr.
rewrite exchange_big mulr_sumr; apply: eq_bigr => sigma _ /=; rewrite (bigD1 (permuted s sigma)) //= eqxx mulr1 big1 ?addr0 // => v /negPf ->.
by rewrite !mulr0.
Qed.

Lemma reordered_perm_eq v s : reordered v s != 0 -> perm_eq v s.
Proof.
apply: contraR => differ; apply/eqP; rewrite /reordered /= shuffle_messages_sum big1 ?mulr0 // => sigma _.
case: eqP => // v_is; case/negP: differ; rewrite v_is perm_sym; apply/tuple_permP; by exists sigma^-1%g; rewrite -/(permuted _ _) permuted_permuted mulVg permuted1.
Qed.

(* Nobody who sees all messages together can tell. *)
Theorem view_of_pre_shuffled randomizer n (w : n.-tuple D) : view (pre_shuffled randomizer) w =1 view randomizer w.
Proof.
move=> y; rewrite /view /image_law (eq_bigr _ (fun m _ => messages_changed (pre_shuffled_reordered randomizer) w m)) /push exchange_big /=.
rewrite [RHS]big_mkcond /=; apply: eq_bigr => v _; rewrite -mulr_sumr.
have same m : messages reordered v m != 0 -> all_counts m = all_counts v.
  move=> possible; apply/ffunP => s; apply: val_inj; rewrite /= !all_counts_val !count_all_messages; apply: eq_bigr => i _.
  have /reordered_perm_eq/seq.permP -> // : reordered (tnth v i) (tnth m i) != 0.
  by apply: contraNneq possible => zero; apply/prodf_eq0; exists i; rewrite // zero.
have [<-|differ] := eqVneq (all_counts v) y.
  rewrite [X in _ * X](_ : _ = 1) ?mulr1 //; have [_ <-] := messages_is_law reordered v; rewrite [LHS]big_mkcond /=; apply: eq_bigr => m _.
  by case: eqP => // differ; apply/esym/eqP; apply: contra_notT differ => /same.
rewrite [X in _ * X]big1 ?mulr0 // => m /eqP my; apply/eqP; apply: contraNT differ => /same <-; exact/eqP.
Qed.

End PreShuffled.

Lemma pre_shuffled_r_inf (R : realFieldType) x x' : pre_shuffled (@r_inf R) x =1 pre_shuffled (@r_inf R) x'.
Proof.
suff swap y : pre_shuffled (@r_inf R) y =1 pre_shuffled (@r_inf R) (~~ y).
  by move=> s; case: x; case: x' => //; [exact: (swap true) | exact: (swap false)].
move=> s; rewrite /pre_shuffled /= !shuffle_messages_sum; congr (_ * _).
have both_swapped : both (~~ y) = permuted (both y) (tperm ord0 (lift ord0 ord0)).
  apply: eq_from_tnth => i; rewrite tnth_mktuple; case: tpermP => [->|->|]; rewrite ?(tnth_nth false) /= ?negbK //.
  by move=> /eqP i_0 /eqP i_1; case: i i_0 i_1 => [] [|[|i]].
rewrite [RHS](reindex_inj (mulgI (tperm ord0 (lift ord0 ord0)))) /=; apply: eq_bigr => sigma _.
set tau := tperm _ _ in both_swapped *; have injective_permuted : injective (fun m : 2.-tuple bool => permuted m tau).
  by apply: (can_inj (g := fun m : 2.-tuple bool => permuted m tau^-1%g)) => m; rewrite permuted_permuted mulVg permuted1.
rewrite both_swapped -permuted_permuted; congr ((nat_of_bool _)%:R); apply/eqP/eqP => [->//|]; exact: injective_permuted.
Qed.

Theorem pre_shuffling (R : realFieldType) (D : Type) (S : finType) k (randomizer : D -> dist R [finType of k.-tuple S]) :
  (forall n (w : n.-tuple D), view (pre_shuffled randomizer) w =1 view randomizer w) /\
  (forall x x', pre_shuffled (@r_inf R) x =1 pre_shuffled (@r_inf R) x').
Proof. by split; [exact: view_of_pre_shuffled | exact: pre_shuffled_r_inf]. Qed.

Section Gap.
Variable R : realFieldType.

Definition number_of_ones (v : 4.-tuple bool) : 'I_5 := inord (count id v).

Lemma number_of_ones_val v : number_of_ones v = count id v :> nat.
Proof. by rewrite inordK // ltnS -[X in (_ <= X)%N](size_tuple v) count_size. Qed.

(* On input 0 (false) every vector of four bits is possible; on input 1, those without exactly two ones. *)
Definition r_gap_support (r_gap : bool -> dist R [finType of 4.-tuple bool]) : Prop :=
  forall x v, (r_gap x v != 0) = ~~ (x && (number_of_ones v == 2%N :> nat)).

Variable r_gap : bool -> dist R [finType of 4.-tuple bool].
Hypothesis support : r_gap_support r_gap.

Definition with_number (a : nat) : 4.-tuple bool := [tuple (i < a)%N | i < 4].

Lemma number_with_number a : (a <= 4)%N -> number_of_ones (with_number a) = a :> nat.
Proof.
move=> a4; rewrite number_of_ones_val /with_number /= count_map (eq_count (a2 := preim val (fun i => i < a)%N)) // -count_map val_enum_ord.
by move: a a4; do 5![case=> //].
Qed.

Theorem gap_by_itself : ~ exists T : R, forall x x' k, image_law number_of_ones (r_gap x) k <= T * image_law number_of_ones (r_gap x') k.
Proof.
case=> T local; have := local false true (inord 2).
rewrite [X in T * X]big1 ?mulr0 => [|v /eqP two]; last first.
  by apply/eqP; rewrite -[_ == _]negbK (support true) two inordK.
rewrite leNgt => /negP; apply; rewrite /image_law (bigD1 (with_number 2)) /=; last by rewrite -val_eqE /= number_with_number // inordK.
rewrite ltr_paddr ?sumr_ge0 // => [v _|]; first exact: mass_ge0.
by rewrite lt_def mass_ge0 (support false).
Qed.

(* Sums of n >= 2 numbers among 0, 1, 3, 4 are all of 0, ..., 4n. *)
Lemma sums_without_two n k : (1 < n)%N -> (k <= n * 4)%N ->
  exists a : n.-tuple nat, (\sum_(i < n) tnth a i)%N = k /\ forall i, tnth a i \in [:: 0; 1; 3; 4]%N.
Proof.
case: n => [|[|n]] // _; elim: n k => [|n IH] k k_le.
  have pair (x y : nat) : (x + y)%N = k -> x \in [:: 0; 1; 3; 4]%N -> y \in [:: 0; 1; 3; 4]%N ->
      exists a : 2.-tuple nat, (\sum_(i < 2) tnth a i)%N = k /\ forall i, tnth a i \in [:: 0; 1; 3; 4]%N.
    move=> xy xin yin; exists [tuple x; y]; split; first by rewrite !big_ord_recl big_ord0 addn0 -xy.
    by case=> [] [|[|]].
  by move: k k_le pair; do 9![case=> [_ pair|]; [first [exact: (pair 0 0)%N | exact: (pair 0 1)%N | exact: (pair 1 1)%N | exact: (pair 0 3)%N
    | exact: (pair 0 4)%N | exact: (pair 1 4)%N | exact: (pair 3 3)%N | exact: (pair 3 4)%N | exact: (pair 4 4)%N] | ]].
have extend (x : nat) : (x <= k)%N -> (k - x <= n.+2 * 4)%N -> x \in [:: 0; 1; 3; 4]%N ->
    exists a : n.+3.-tuple nat, (\sum_(i < n.+3) tnth a i)%N = k /\ forall i, tnth a i \in [:: 0; 1; 3; 4]%N.
  move=> xk rest xin; have [a [sum_a in_a]] := IH _ rest; exists [tuple of x :: a]; split=> [|i].
    rewrite big_ord_recl tnth0 (eq_bigr (fun i => tnth a i)) ?sum_a ?subnKC // => i _; by rewrite tnthS.
  by case: (unliftP ord0 i) => [j ->|->]; rewrite ?tnthS ?tnth0.
have [small|large] := leqP k (n.+2 * 4); first by apply: (extend 0%N); rewrite ?subn0.
apply: (extend 4%N) => //; first by rewrite (leq_trans _ large) // !mulSn.
by rewrite leq_subLR -mulSn.
Qed.

Lemma gap_reached n (w : n.-tuple bool) (y : {ffun bool -> 'I_(n * 4).+1}) : (1 < n)%N ->
  (y true + y false = n * 4)%N -> view r_gap w y != 0.
Proof.
move=> n2 total; have [|a [sum_a in_a]] := @sums_without_two n (y true) n2; first by rewrite -ltnS.
pose m : n.-tuple (4.-tuple bool) := [tuple with_number (tnth a i) | i < n].
have small i : (tnth a i <= 4)%N by move: (in_a i); rewrite !inE => /or4P[] /eqP ->.
have trues : @all_counts bool_finType 4 n m true = y true :> nat.
  rewrite all_counts_val count_all_messages -sum_a; apply: eq_bigr => i _; rewrite tnth_mktuple -[RHS]number_with_number //.
  by rewrite number_of_ones_val; apply: eq_count => -[].
have counts : @all_counts bool_finType 4 n m = y.
  apply/ffunP => -[]; apply: val_inj; rewrite //= all_counts_val.
  have := count_predC (pred1 true) (@all_messages bool_finType 4 n m).
  rewrite size_all_messages -(all_counts_val m true) trues => counted.
  by have /addnI <- := etrans counted (esym total); apply: eq_count => -[].
rewrite gt_eqF // /view /image_law (bigD1 m) /=; last by rewrite counts.
rewrite ltr_paddr ?sumr_ge0 // => [v _|]; first exact: messages_ge0.
rewrite /messages prodr_gt0 // => i _; rewrite lt_def mass_ge0 andbT (support _) negb_and tnth_mktuple number_with_number //.
by apply/orP; right; move: (in_a i); rewrite !inE => /or4P[] /eqP ->.
Qed.

Theorem gap_shuffled n : (1 < n)%N -> exists E, private E 0 (fun w : n.-tuple bool => view r_gap w).
Proof.
move=> n2; apply: private_of_support => [w|w w' y reached]; first exact: view_is_law.
apply: gap_reached => //; have [m my] : exists m, all_counts m == y.
  apply/existsP; apply: contraNT reached; rewrite negb_exists => /forallP none; apply/eqP; apply: big1 => m my.
  by have := none m; rewrite my.
rewrite -(eqP my) !all_counts_val -(size_all_messages m) -(count_predC (pred1 true)); congr (_ + _)%N.
by apply: eq_count => -[].
Qed.

Theorem gap_in_full :
  (forall n, (1 < n)%N -> exists E, private E 0 (fun w : n.-tuple bool => view r_gap w)) /\
  ~ exists T : R, forall x x' k, image_law number_of_ones (r_gap x) k <= T * image_law number_of_ones (r_gap x') k.
Proof. by split; [exact: gap_shuffled | exact: gap_by_itself]. Qed.

End Gap.

Section ZeroSum.
Variables (R : realFieldType) (p : R).
Hypothesis p_range : 0 <= p <= 1.

(* x + z ones, z ~ Ber(p). *)
Definition zero_sum_mass (x : bool) (ones : 'I_3) : R := \sum_(z : bool) (if (x + z)%N == ones then bernoulli_mass p z else 0).

Lemma zero_sum_is_law x : is_law (zero_sum_mass x).
Proof.
move: p_range => /andP[p0 p1]; split=> [ones|].
  by apply: sumr_ge0 => z _; case: ifP => // _; case: z; rewrite /bernoulli_mass ?subr_ge0.
have one (z : bool) (c : R) : \sum_(ones < 3) (if (x + z)%N == ones then c else 0) = c.
  have small : (x + z < 3)%N by case: x z => -[].
  rewrite -big_mkcond (big_pred1 (Ordinal small)) // => k; exact: eq_sym.
rewrite exchange_big (eq_bigr (bernoulli_mass p)) => [|z _]; last exact: one.
by rewrite big_bool /= addrC subrK.
Qed.

Definition zero_sum (x : bool) : dist R [finType of 'I_3] := Dist (zero_sum_is_law x).

(* The number of all ones, which is all that a shuffler of equal messages shows. *)
Definition total_ones n (m : n.-tuple 'I_3) : nat := (\sum_(i < n) tnth m i)%N.

Lemma zero_sum_noise n (w : n.-tuple bool) k :
  \sum_(m | total_ones m == k) messages zero_sum w m =
  \sum_(A : {set 'I_n} | (\sum_(i < n) tnth w i + #|A| == k)%N) p ^+ #|A| * (1 - p) ^+ (n - #|A|).
Proof.
pose sent (A : {set 'I_n}) : n.-tuple 'I_3 := [tuple inord (tnth w i + (i \in A)) | i < n].
have sent_val A i : tnth (sent A) i = (tnth w i + (i \in A))%N :> nat.
  by rewrite tnth_mktuple inordK //; case: (tnth w i) (i \in A) => -[].
have sent_total A : total_ones (sent A) = (\sum_(i < n) tnth w i + #|A|)%N.
  rewrite /total_ones (eq_bigr _ (fun i _ => sent_val A i)) big_split /=; congr (_ + _)%N.
  by rewrite -sum1_card [RHS]big_mkcond; apply: eq_bigr => i _; case: (i \in A).
transitivity (\sum_(m | total_ones m == k) \sum_(A : {set 'I_n}) (if m == sent A then p ^+ #|A| * (1 - p) ^+ (n - #|A|) else 0)).
  apply: eq_bigr => m _; rewrite /messages /= /zero_sum_mass bigA_distr_bigA /=.
  rewrite (reindex (fun A : {set 'I_n} => [ffun i => i \in A])) /=; last first.
    exists (fun f : {ffun 'I_n -> bool} => [set i | f i]) => [A _|f _]; first by apply/setP => i; rewrite inE ffunE.
    by apply/ffunP => i; rewrite ffunE inE.
  apply: eq_bigr => A _; have [->|differ] := eqVneq m (sent A).
    rewrite (eq_bigr (fun i => bernoulli_mass p (i \in A))) => [|i _]; last by rewrite ffunE sent_val eqxx.
    rewrite (bigID (mem A)) /=; congr (_ * _).
      by rewrite (eq_bigr (fun=> p)) ?prodr_const // => i iA; rewrite /bernoulli_mass iA.
    rewrite (eq_bigl (mem (~: A))) => [|i]; last by rewrite !inE.
    rewrite (eq_bigr (fun=> 1 - p)) => [|i]; last by rewrite !inE /bernoulli_mass => /negPf ->.
    by rewrite prodr_const cardsCs setCK card_ord.
  have [i mi] : exists i, tnth m i != tnth (sent A) i.
    apply/existsP; rewrite -negb_forall; apply: contra differ => /forallP same; apply/eqP/eq_from_tnth => i; apply/eqP; exact: same.
  by rewrite (bigD1 i) //= ffunE -sent_val -val_eqE eq_sym in mi *; rewrite (negPf mi) mul0r.
rewrite exchange_big /= [RHS]big_mkcond /=; apply: eq_bigr => A _; rewrite -sent_total big_mkcond (bigD1 (sent A)) //= eqxx.
by rewrite big1 ?addr0 // => m /negPf ->; rewrite if_same.
Qed.

Theorem zero_sum_view n (w : n.-tuple bool) k (s := (\sum_(i < n) tnth w i)%N) :
  \sum_(m | total_ones m == k) messages zero_sum w m = (if (s <= k)%N then binomial_mass n p (k - s) else 0) /\
  \sum_(m | total_ones m == k) messages zero_sum w m = (if (s <= k <= n + s)%N then binomial_mass n (1 - p) (n + s - k) else 0).
Proof.
have -> : \sum_(m | total_ones m == k) messages zero_sum w m = if (s <= k)%N then binomial_mass n p (k - s) else 0.
  rewrite zero_sum_noise -/s; case: leqP => [sk|ks]; last first.
    by rewrite big_pred0 // => A; rewrite gtn_eqF // (leq_trans ks) // leq_addr.
  rewrite (eq_bigl (fun A : {set 'I_n} => #|A| == (k - s)%N)) => [|A]; last by rewrite -(eqn_add2l s #|A|) subnKC.
  rewrite (eq_bigr (fun=> p ^+ (k - s) * (1 - p) ^+ (n - (k - s)))) => [|A /eqP -> //].
  by rewrite sumr_const -mulr_natl mulrA; congr (_%:R * _ * _); rewrite -[in RHS](card_ord n) -card_draws cardsE.
split=> //; case: leqP => [sk|//]; rewrite /=; case: leqP => [kn|nk].
  have noise : (k - s <= n)%N by rewrite leq_subLR addnC.
  have -> : (n + s - k = n - (k - s))%N by rewrite subnBA.
  rewrite /binomial_mass bin_sub // subKn // opprB addrCA subrr addr0.
  by rewrite -!mulrA; congr (_ * _); rewrite mulrC.
by rewrite /binomial_mass bin_small ?mul0r // ltn_subRL addnC.
Qed.

End ZeroSum.
