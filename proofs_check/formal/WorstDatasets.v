(* Which two datasets are the worst of a protocol: then its delta over all neighbouring datasets is that of one pair, or of one pair for each number
   of ones.

     bit_sum_profile     of the bit sum: k and k + 1 ones, over all k, both ways                    (CSUZZ19, Definition 3.4 for Algorithm 1);
     zero_sum_profile    of the zero sum: Bin(n, p) and 1 + Bin(n, p), both ways, whatever the data               (BC20, Theorem 3.1, part i);
     histogram_pair      of a histogram by zero sums all are alike: one bin goes down while another goes up       (BC20, Theorem 3.2, part i);
     two_items_profile   of one randomizer of two items, shuffled: k and k + 1 users who hold the second one, over all k, both ways. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From Shuffleproof Require Import Definitions Divergence Shuffling Composition OneMessage SeveralMessages BitSum.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Neighbouring datasets of bits have as many ones, or one more on one side. *)
Lemma neighbours_ones n (w w' : n.-tuple bool) (s := (\sum_(i < n) tnth w i)%N) (s' := (\sum_(i < n) tnth w' i)%N) : neighbours w w' ->
  [\/ s' = s, s' = s.+1 | s = s'.+1].
Proof.
case=> i others; pose rest := (\sum_(j < n | j != i) tnth w j)%N.
have -> : s = (tnth w i + rest)%N by rewrite /s (bigD1 i).
have -> : s' = (tnth w' i + rest)%N by rewrite /s' (bigD1 i) //=; congr addn; apply: eq_bigr => j /others ->.
case: (tnth w i); case: (tnth w' i); by [constructor 1 | constructor 2 | constructor 3].
Qed.

Lemma with_ones_near n k : (k < n)%N -> neighbours (with_ones (inord k : 'I_n.+1)) (with_ones (inord k.+1)).
Proof.
move=> kn; exists (Ordinal kn) => j jk; rewrite !tnth_mktuple !inordK ?ltnS ?(ltnW kn) //.
by rewrite [RHS]leq_eqVlt (negPf (jk : nat_of_ord j != k)).
Qed.

Section TwoItems.
Variables (R : realFieldType) (S : finType) (randomizer : bool -> dist R S) (n : nat).
Local Notation seen := (fun w : n.+1.-tuple bool => shuffle (messages randomizer w)).

Lemma few_ones (w : n.+1.-tuple bool) : (\sum_(i < n.+1) tnth w i <= n.+1)%N.
Proof. by rewrite -[X in (_ <= X)%N]card_ord -sum1_card; apply: leq_sum => i _; case: (tnth w i). Qed.

Lemma seen_by_ones (w : n.+1.-tuple bool) k : (\sum_(i < n.+1) tnth w i)%N = k -> seen w =1 seen (with_ones (inord k)).
Proof.
move=> k_is s; rewrite !shuffle_messages; apply: shuffled_perm_eq; apply: ones_perm_eq; rewrite ones_with_ones; apply: val_inj.
rewrite /= ones_val inordK; last by rewrite -k_is ltnS few_ones.
by rewrite -k_is -sum1_count big_tuple big_mkcond; apply: eq_bigr => i _; case: (tnth w i).
Qed.

Theorem two_items_profile (E delta : R) : 1 <= E ->
  private E delta seen <->
  forall k, (k < n.+1)%N -> hockey E (seen (with_ones (inord k))) (seen (with_ones (inord k.+1))) <= delta /\
                            hockey E (seen (with_ones (inord k.+1))) (seen (with_ones (inord k))) <= delta.
Proof.
move=> E1; split=> [privacy k kn|pairs w w' near].
  have near := with_ones_near kn; split; apply/dp_iff_hockey; apply: privacy => //; exact: neighbours_sym.
apply/dp_iff_hockey; have delta0 : 0 <= delta by apply: le_trans (hockey_ge0 _ _ _) (proj1 (pairs 0%N isT)).
case: (neighbours_ones near) => same.
- rewrite (eq_hockey E (seen_by_ones (erefl _)) (seen_by_ones same)) hockey_self //.
  by apply: shuffle_is_law; apply: messages_is_law.
- rewrite (eq_hockey E (seen_by_ones (erefl _)) (seen_by_ones same)); apply: (proj1 (pairs _ _)).
  by have := few_ones w'; rewrite same.
rewrite (eq_hockey E (seen_by_ones same) (seen_by_ones (erefl _))); apply: (proj2 (pairs _ _)).
by have := few_ones w; rewrite same.
Qed.

End TwoItems.

Section BitSum.
Variables (R : realFieldType) (n : nat) (n_gt0 : (0 < n)%N) (lambda : R) (range : 0 <= lambda <= n%:R).
Local Notation seen := (bit_sum_view n_gt0 range).

Lemma ones_sum (w : n.-tuple bool) : ones w = (\sum_(i < n) tnth w i)%N :> nat.
Proof. by rewrite ones_val -sum1_count big_tuple big_mkcond /=; apply: eq_bigr => i _; case: (tnth w i). Qed.

Lemma bit_sum_view_ones (w w' : n.-tuple bool) : ones w = ones w' -> seen w =1 seen w'.
Proof.
move=> /ones_perm_eq same k; rewrite /bit_sum_view /image_law; apply: eq_bigr => m _.
by rewrite !shuffle_messages; apply: shuffled_perm_eq.
Qed.

Lemma bit_sum_view_is_law w : is_law (seen w).
Proof. by apply: image_law_is_law; apply: shuffle_is_law; apply: messages_is_law. Qed.

Theorem bit_sum_profile (E delta : R) : 1 <= E ->
  private E delta seen <->
  forall k, (k < n)%N -> hockey E (seen (with_ones (inord k))) (seen (with_ones (inord k.+1))) <= delta /\
                         hockey E (seen (with_ones (inord k.+1))) (seen (with_ones (inord k))) <= delta.
Proof.
move=> E1; split=> [privacy k kn|pairs w w' near].
  have near := with_ones_near kn; split; apply/dp_iff_hockey; apply: privacy => //; exact: neighbours_sym.
apply/dp_iff_hockey; have delta0 : 0 <= delta by apply: le_trans (hockey_ge0 _ _ _) (proj1 (pairs 0%N n_gt0)).
have with_sum (v : n.-tuple bool) k : (\sum_(i < n) tnth v i)%N = k -> seen v =1 seen (with_ones (inord k)).
  by move=> <-; apply: bit_sum_view_ones; rewrite ones_with_ones; apply: val_inj; rewrite /= -ones_sum inord_val.
have few (v : n.-tuple bool) : (\sum_(i < n) tnth v i <= n)%N by rewrite -ones_sum -ltnS ltn_ord.
case: (neighbours_ones near) => same.
- rewrite (eq_hockey E (with_sum w _ erefl) (with_sum w' _ same)) hockey_self //; exact: bit_sum_view_is_law.
- rewrite (eq_hockey E (with_sum w _ erefl) (with_sum w' _ same)); apply: (proj1 (pairs _ _)).
  by have := few w'; rewrite same.
rewrite (eq_hockey E (with_sum w _ same) (with_sum w' _ erefl)); apply: (proj2 (pairs _ _)).
by have := few w; rewrite same.
Qed.

End BitSum.

Section ZeroSum.
Variables (R : realFieldType) (p : R) (p_range : 0 <= p <= 1).

(* The number of all ones among 2n messages: what is seen. *)
Definition zero_sum_seen n (w : n.-tuple bool) : 'I_(n * 2).+1 -> R :=
  image_law (fun m => inord (total_ones m)) (messages (zero_sum p_range) w).

(* s + Bin(n, p), where it has room. *)
Definition shifted_binomial n (s k : nat) : R := if (s <= k)%N then binomial_mass n p (k - s) else 0.

Lemma total_ones_le n (m : n.-tuple 'I_3) : (total_ones m <= n * 2)%N.
Proof.
rewrite /total_ones -[X in (_ <= X * _)%N]card_ord -sum_nat_const; apply: leq_sum => i _.
by rewrite -ltnS ltn_ord.
Qed.

Lemma zero_sum_seen_is n (w : n.-tuple bool) k : zero_sum_seen w k = shifted_binomial n (\sum_(i < n) tnth w i)%N k.
Proof.
rewrite /shifted_binomial -(proj1 (zero_sum_view p_range w k)) /zero_sum_seen /image_law.
by apply: eq_bigl => m; rewrite -val_eqE /= inordK // ltnS total_ones_le.
Qed.

Lemma shifted_binomial_ge0 n s k : 0 <= shifted_binomial n s k.
Proof.
case/andP: p_range => p0 p1; rewrite /shifted_binomial; case: ifP => // _.
by rewrite /binomial_mass !mulr_ge0 ?ler0n ?exprn_ge0 ?subr_ge0.
Qed.

(* Moved by s, a sum over what may be seen is the same where there is room for both. *)
Lemma shifted_sum n s a b N (f : R -> R -> R) : f 0 0 = 0 -> (a <= 1)%N -> (b <= 1)%N -> (s + n.+2 <= N)%N ->
  \sum_(k < N) f (shifted_binomial n (s + a) k) (shifted_binomial n (s + b) k) = \sum_(k < n.+2) f (shifted_binomial n a k) (shifted_binomial n b k).
Proof.
move=> f0 a1 b1 room; pose F (a b k : nat) := f (shifted_binomial n a k) (shifted_binomial n b k).
rewrite -(big_mkord predT (F (s + a)%N (s + b)%N)) (@big_cat_nat _ _ _ s) //=; last by apply: leq_trans room; apply: leq_addr.
rewrite big_nat_cond big1 ?add0r => [|k /andP[/andP[_ ks] _]]; last first.
  have none c : shifted_binomial n (s + c) k = 0 by rewrite /shifted_binomial leqNgt (leq_trans ks (leq_addr c s)).
  by rewrite /F !none.
rewrite -[X in index_iota X]add0n big_addn (eq_bigr (F a b)) => [|k _]; last first.
  by rewrite /F /shifted_binomial [(k + s)%N]addnC !leq_add2l !subnDl.
rewrite (@big_cat_nat _ _ _ n.+2) //=; last by rewrite leq_subRL ?(leq_trans _ room) ?leq_addr.
rewrite [X in _ + X]big_nat_cond [X in _ + X]big1 ?addr0 => [|k /andP[/andP[nk _] _]]; last first.
  have big_k c : (c <= 1)%N -> shifted_binomial n c k = 0.
    move=> c1; rewrite /shifted_binomial; case: ifP => // _; rewrite /binomial_mass bin_small ?mul0r //.
    by rewrite ltn_subRL (leq_trans _ nk) // !ltnS -[X in (_ <= X)%N]add1n leq_add2r.
  by rewrite /F !big_k.
by rewrite big_mkord.
Qed.

(* So is a divergence. *)
Lemma shifted_hockey n s a b N E : (a <= 1)%N -> (b <= 1)%N -> (s + n.+2 <= N)%N ->
  \sum_(k < N) Num.max (shifted_binomial n (s + a) k - E * shifted_binomial n (s + b) k) 0 =
  hockey E (fun k : 'I_n.+2 => shifted_binomial n a k) (fun k : 'I_n.+2 => shifted_binomial n b k).
Proof. by move=> a1 b1; apply: (shifted_sum (f := fun x y => Num.max (x - E * y) 0)) => //; rewrite mulr0 subrr maxxx. Qed.

Theorem zero_sum_profile n (E delta : R) : 1 <= E ->
  private E delta (fun w : n.+1.-tuple bool => zero_sum_seen w) <->
  hockey E (fun k : 'I_n.+3 => shifted_binomial n.+1 0 k) (fun k : 'I_n.+3 => shifted_binomial n.+1 1 k) <= delta /\
  hockey E (fun k : 'I_n.+3 => shifted_binomial n.+1 1 k) (fun k : 'I_n.+3 => shifted_binomial n.+1 0 k) <= delta.
Proof.
move=> E1.
have few (v : n.+1.-tuple bool) : (\sum_(i < n.+1) tnth v i <= n.+1)%N.
  by rewrite -[X in (_ <= X)%N]card_ord -sum1_card; apply: leq_sum => i _; case: (tnth v i).
have seen (w w' : n.+1.-tuple bool) s a b : (a <= 1)%N -> (b <= 1)%N -> (s <= n)%N ->
    (\sum_(i < n.+1) tnth w i)%N = (s + a)%N -> (\sum_(i < n.+1) tnth w' i)%N = (s + b)%N ->
    hockey E (zero_sum_seen w) (zero_sum_seen w') =
    hockey E (fun k : 'I_n.+3 => shifted_binomial n.+1 a k) (fun k : 'I_n.+3 => shifted_binomial n.+1 b k).
  move=> a1 b1 sn w_is w'_is; rewrite -(@shifted_hockey n.+1 s a b (n.+1 * 2).+1) //; last first.
    by rewrite muln2 -addnn !addnS !addSn !ltnS leq_add2r.
  by apply: eq_bigr => k _; rewrite !zero_sum_seen_is w_is w'_is.
split=> [privacy|[up down] w w' near].
  pose none : n.+1.-tuple bool := [tuple false | i < n.+1]; pose one : n.+1.-tuple bool := [tuple i == ord0 | i < n.+1].
  have near : neighbours none one by exists ord0 => j /negPf j0; rewrite !tnth_mktuple j0.
  have none_is : (\sum_(i < n.+1) tnth none i)%N = (0 + 0)%N by apply: big1 => i _; rewrite tnth_mktuple.
  have one_is : (\sum_(i < n.+1) tnth one i)%N = (0 + 1)%N.
    rewrite big_ord_recl tnth_mktuple eqxx big1 ?addn0 // => i _; by rewrite tnth_mktuple.
  rewrite -(seen none one 0%N) // -(seen one none 0%N) //; split; apply/dp_iff_hockey; apply: privacy => //; exact: neighbours_sym.
apply/dp_iff_hockey; have delta0 : 0 <= delta := le_trans (hockey_ge0 _ _ _) up.
case: (neighbours_ones near) => same.
- rewrite (_ : hockey _ _ _ = 0) //; apply: etrans (hockey_self (P := zero_sum_seen w) _ E1).
    by apply: eq_hockey => // k; rewrite !zero_sum_seen_is same.
  by apply: image_law_is_law; apply: messages_is_law.
- rewrite (seen w w' (\sum_(i < n.+1) tnth w i)%N 0%N 1%N) ?addn0 ?addn1 //.
  by have := few w'; rewrite same.
rewrite (seen w w' (\sum_(i < n.+1) tnth w' i)%N 1%N 0%N) ?addn0 ?addn1 //.
by have := few w; rewrite same.
Qed.

End ZeroSum.

(* Bits of a user that are randomized and counted one by one: the parts of what is seen are independent. *)
Section Parts.
Variables (R : realFieldType) (D : Type) (K S B : finType) (base : bool -> dist R S) (has : D -> K -> bool).

Definition parts_mass (x : D) (s : {ffun K -> S}) : R := \prod_j base (has x j) (s j).

Lemma parts_is_law x : is_law (parts_mass x).
Proof.
split=> [s|]; first by apply: prodr_ge0 => j _; apply: mass_ge0.
by rewrite /parts_mass -(bigA_distr_bigA (fun j y => base (has x j) y)) big1 // => j _; apply: mass_sum1.
Qed.

Definition parts (x : D) : dist R [finType of {ffun K -> S}] := Dist (parts_is_law x).

Variables (n : nat) (count : n.-tuple S -> B).
Definition counts (m : n.-tuple {ffun K -> S}) : {ffun K -> B} := [ffun j => count [tuple tnth m i j | i < n]].
Definition holders (w : n.-tuple D) (j : K) : n.-tuple bool := [tuple has (tnth w i) j | i < n].

Lemma counts_seen (w : n.-tuple D) c : image_law counts (messages parts w) c = \prod_j image_law count (messages base (holders w j)) (c j).
Proof.
pose part (m : n.-tuple {ffun K -> S}) j : n.-tuple S := [tuple tnth m i j | i < n].
rewrite {2}/image_law (eq_bigr (fun j => \sum_(t : n.-tuple S) (if count t == c j then messages base (holders w j) t else 0))) => [|j _]; last first.
  by rewrite -big_mkcond.
rewrite bigA_distr_bigA /= /image_law (reindex (fun m : n.-tuple {ffun K -> S} => [ffun j => part m j])) /=; last first.
  exists (fun f : {ffun K -> n.-tuple S} => [tuple [ffun j => tnth (f j) i] | i < n]) => [m _|f _].
    by apply: eq_from_tnth => i; rewrite tnth_mktuple; apply/ffunP => j; rewrite !ffunE tnth_mktuple.
  by apply/ffunP => j; rewrite ffunE; apply: eq_from_tnth => i; rewrite !tnth_mktuple ffunE.
rewrite [LHS]big_mkcond /=; apply: eq_bigr => m _; case: eqP => [<-|other].
  rewrite /messages /= /parts_mass exchange_big /=; apply: eq_bigr => j _; rewrite !ffunE eqxx.
  by apply: eq_bigr => i _; rewrite !tnth_mktuple.
have [j cj] : exists j, counts m j != c j.
  by apply/existsP; rewrite -negb_forall; apply/negP => /forallP same; apply: other; apply/ffunP => j; apply/eqP.
by rewrite (bigD1 j) //= ffunE; move: cj; rewrite ffunE => /negPf ->; rewrite mul0r.
Qed.

End Parts.

Section Histogram.
Variables (R : realFieldType) (K : finType) (p : R) (p_range : 0 <= p <= 1).
Local Notation seen_of := (zero_sum_seen p_range).
Local Notation holders := (holders (fun x j : K => x == j)).

(* A zero sum for every bin: [x = j] + z ones for bin j, and the number of them, which is all that a shuffler of ones with their bins shows. *)
Definition histogram_seen n (w : n.-tuple K) : {ffun K -> 'I_(n * 2).+1} -> R :=
  image_law (counts (fun m => inord (total_ones m))) (messages (parts (zero_sum p_range) (fun x j => x == j)) w).

Lemma histogram_seen_is n (w : n.-tuple K) c : histogram_seen w c = \prod_j seen_of (holders w j) (c j).
Proof. exact: counts_seen. Qed.

Lemma seen_is_law n (w : n.-tuple bool) : is_law (seen_of w).
Proof. by apply: image_law_is_law; apply: messages_is_law. Qed.

(* Where two bins only differ, they alone tell the datasets apart. *)
Lemma histogram_two_bins n (w w' : n.-tuple K) (a b : K) E : a != b -> (forall j, j != a -> j != b -> holders w j = holders w' j) ->
  hockey E (histogram_seen w) (histogram_seen w') =
  \sum_x \sum_y Num.max (seen_of (holders w a) x * seen_of (holders w b) y - E * (seen_of (holders w' a) x * seen_of (holders w' b) y)) 0.
Proof.
move=> ab same; pose F x y := Num.max (seen_of (holders w a) x * seen_of (holders w b) y - E * (seen_of (holders w' a) x * seen_of (holders w' b) y)) 0.
pose other (c : {ffun K -> 'I_(n * 2).+1}) := \prod_(j | (j != a) && (j != b)) seen_of (holders w j) (c j).
have split_bins (v : n.-tuple K) : (forall j, j != a -> j != b -> holders w j = holders v j) ->
    forall c, histogram_seen v c = seen_of (holders v a) (c a) * seen_of (holders v b) (c b) * other c.
  move=> alike c; rewrite histogram_seen_is (bigD1 a) //= (bigD1 b) /=; last by rewrite eq_sym.
  by rewrite mulrA; congr (_ * _); apply: eq_bigr => j /andP[ja jb]; rewrite alike.
have other0 c : 0 <= other c.
  by apply: prodr_ge0 => j _; case: (seen_is_law (holders w j)).
rewrite /hockey (eq_bigr (fun c : {ffun K -> 'I_(n * 2).+1} => \sum_x \sum_y F x y *
    \prod_j (if j == a then (c j == x)%:R else if j == b then (c j == y)%:R else seen_of (holders w j) (c j)))) => [|c _].
  rewrite exchange_big /=; apply: eq_bigr => x _; rewrite exchange_big /=; apply: eq_bigr => y _; rewrite -mulr_sumr.
  rewrite -(bigA_distr_bigA (fun j v => if j == a then (v == x)%:R else if j == b then (v == y)%:R else seen_of (holders w j) v)) big1 ?mulr1 // => j _.
  have one z : \sum_(v : 'I_(n * 2).+1) (v == z)%:R = 1 :> R.
    by rewrite (bigD1 z) //= eqxx big1 ?addr0 // => v /negPf ->.
  by case: (j == a); [apply: one | case: (j == b); [apply: one | by case: (seen_is_law (holders w j))]].
have marked x y : \prod_j (if j == a then (c j == x)%:R else if j == b then (c j == y)%:R else seen_of (holders w j) (c j)) =
    (c a == x)%:R * ((c b == y)%:R * other c).
  rewrite (bigD1 a) //= (bigD1 b) /=; last by rewrite eq_sym.
  rewrite eqxx [b == a]eq_sym (negPf ab) eqxx; congr (_ * (_ * _)); by apply: eq_bigr => j /andP[/negPf -> /negPf ->].
under eq_bigr do under eq_bigr do rewrite marked.
rewrite (bigD1 (c a)) //= (bigD1 (c b)) //= !eqxx !mul1r big1 ?addr0 => [|y /negPf yb]; last by rewrite [c b == y]eq_sym yb mul0r !mulr0.
rewrite big1 ?addr0 => [|x /negPf xa]; last by apply: big1 => y _; rewrite [c a == x]eq_sym xa mul0r mulr0.
by rewrite (split_bins w) // (split_bins w') // mulrA -mulrBl [_ * other c]mulrC [RHS]mulrC positive_part_scale.
Qed.

Theorem histogram_pair n (w w' : n.+1.-tuple K) (i : 'I_n.+1) (E : R) :
    (forall j, j != i -> tnth w j = tnth w' j) -> tnth w i != tnth w' i ->
  hockey E (histogram_seen w) (histogram_seen w') =
  hockey E (fun k : 'I_n.+3 * 'I_n.+3 => shifted_binomial p n.+1 1 k.1 * shifted_binomial p n.+1 0 k.2)
           (fun k : 'I_n.+3 * 'I_n.+3 => shifted_binomial p n.+1 0 k.1 * shifted_binomial p n.+1 1 k.2).
Proof.
move=> others ab.
have few (v : n.+1.-tuple bool) k : tnth v k = false -> (\sum_(i < n.+1) tnth v i <= n)%N.
  move=> off; rewrite (bigD1 k) //= off add0n; apply: (@leq_trans (\sum_(k' < n.+1 | k' != k) 1)); first by apply: leq_sum => k' _; case: (tnth v k').
  by rewrite sum1_card cardC1 card_ord.
rewrite (@histogram_two_bins _ _ _ (tnth w i) (tnth w' i)) // => [|j ja jb]; last first.
  apply: eq_from_tnth => k; rewrite !tnth_mktuple; have [->|ki] := eqVneq k i; last by rewrite others.
  by rewrite ![_ == j]eq_sym (negPf ja) (negPf jb).
have up (v v' : n.+1.-tuple K) : (forall j, j != i -> tnth v j = tnth v' j) -> tnth v i != tnth v' i ->
    exists2 s, (s <= n)%N & (\sum_(k < n.+1) tnth (holders v (tnth v i)) k)%N = (s + 1)%N /\
                            (\sum_(k < n.+1) tnth (holders v' (tnth v i)) k)%N = (s + 0)%N.
  move=> same apart; exists (\sum_(k < n.+1) tnth (holders v' (tnth v i)) k)%N.
    by apply: (few _ i); rewrite tnth_mktuple eq_sym (negPf apart).
  split; last by rewrite addn0.
  rewrite (bigD1 i) //= [in RHS](bigD1 i) //= !tnth_mktuple eqxx [tnth v' i == _]eq_sym (negPf apart) [LHS]addnC add0n; congr addn.
  by apply: eq_bigr => k ki; rewrite !tnth_mktuple same.
have [s sn [s_is s'_is]] := up w w' others ab.
have [|t tn [t'_is t_is]] := up w' w (fun j ji => esym (others j ji)); first by rewrite eq_sym.
have room u : (u <= n)%N -> (u + n.+3 <= (n.+1 * 2).+1)%N by move=> un; rewrite muln2 -addnn !addnS !addSn !ltnS leq_add2r.
under eq_bigr do under eq_bigr do rewrite !zero_sum_seen_is s_is s'_is t_is t'_is.
pose F u v := \sum_(y < n.+3) Num.max (u * shifted_binomial p n.+1 0 y - E * (v * shifted_binomial p n.+1 1 y)) 0.
transitivity (\sum_(x < (n.+1 * 2).+1) F (shifted_binomial p n.+1 (s + 1) x) (shifted_binomial p n.+1 (s + 0) x)).
  apply: eq_bigr => x _; set u := shifted_binomial _ _ (s + 1) x; set v := shifted_binomial _ _ (s + 0) x.
  by apply: (@shifted_sum R p n.+1 t 0 1 _ (fun y y' => Num.max (u * y - E * (v * y')) 0)); rewrite ?mulr0 ?subrr ?maxxx // room.
rewrite (@shifted_sum R p n.+1 s 1 0 _ F) ?room // /F; last by rewrite big1 // => y _; rewrite !mul0r mulr0 subrr maxxx.
by rewrite /hockey pair_bigA.
Qed.

End Histogram.
