(* What is seen of the messages of a few users, as a program for the kernel: a histogram, the counts of all messages, a number of ones. What the
   definitions say of small cases is compared with what the executable specification computes (SeenExamples.v, written from it).

     seen_hockey_sound    the divergence of what is seen on two datasets, where the messages' laws are integers over one denominator;
     seen_event_sound     the probability of an event;
     seen_private_iff     (epsilon, delta)-DP over all neighbouring datasets, decided. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ssrZ ring.
From Shuffleproof Require Import Definitions Divergence Shuffling OneMessage PureRandomizers SeveralMessages BitSum Integers
  SmallCases.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Section Programs.
Local Open Scope Z_scope.
Variables (table : nat -> nat -> Z) (den : Z) (n k : nat).

(* The weight of the messages s of users whose data are d: table x y is the probability of message y on input x, times den. *)
Definition sent (d s : seq nat) : Z := foldr Z.mul 1 [seq table (nth O d i) (nth O s i) | i <- iota 0 n].

Definition seen_event (event : seq nat -> bool) (d : seq nat) : Z := total [seq sent d s | s <- outputs n k & event s].

Definition seen_hockey (seen : seq nat -> seq nat) (e f : Z) (d d' : seq nat) : Z :=
  total [seq Z.max (f * seen_event (fun s => seen s == o) d - e * seen_event (fun s => seen s == o) d') 0
        | o <- undup [seq seen s | s <- outputs n k]].

Definition seen_hockey_is seen (e f : Z) (d d' : seq nat) (numerator denominator : Z) : bool :=
  [&& 0 <? den, 0 <? f, 0 <? denominator & seen_hockey seen e f d d' * denominator =? numerator * (f * den ^ Z.of_nat n)].

Definition seen_event_is event (d : seq nat) (numerator denominator : Z) : bool :=
  [&& 0 <? den, 0 <? denominator & seen_event event d * denominator =? numerator * den ^ Z.of_nat n].

(* Over all data d in {0, ..., m - 1}^n, and all values x of one user i. *)
Definition seen_private (m : nat) seen (e f numerator denominator : Z) : bool :=
  all (fun d => all (fun i => all (fun x =>
    seen_hockey seen e f d (set_nth O d i x) * denominator <=? numerator * (f * den ^ Z.of_nat n)) (iota 0 m)) (iota 0 n)) (outputs n m).

End Programs.

(* Messages as numbers. *)
Definition coding (S : finType) (k : nat) (code : S -> nat) : Prop :=
  forall (R : realFieldType) (F : nat -> R), \sum_s F (code s) = \sum_(i <- iota 0 k) F i.

Lemma coding_ord k : coding k (@nat_of_ord k).
Proof. by move=> R F; rewrite (_ : iota 0 k = index_iota 0 k) ?big_mkord // /index_iota subn0. Qed.

Lemma coding_bool : coding 2 nat_of_bool.
Proof. by move=> R F; rewrite big_bool /= !big_cons big_nil addr0 addrC. Qed.

(* The number whose binary digits they are. *)
Fixpoint bits_code (v : seq bool) : nat := if v is b :: rest then (b + (bits_code rest).*2)%N else 0.

Lemma sum_halves (V : zmodType) (F : nat -> V) l i : \sum_(j <- iota i l) (F j.*2 + F j.*2.+1) = \sum_(j <- iota i.*2 l.*2) F j.
Proof. by elim: l i => [|l IH] i; rewrite ?big_nil // doubleS /= !big_cons IH addrA doubleS. Qed.

Lemma coding_bits k : coding (2 ^ k) (fun v : k.-tuple bool => bits_code v).
Proof.
move=> R; elim: k => [|k IH] F; first by rewrite (bigD1 [tuple]) //= big1 ?big_seq1 ?addr0 // => v; rewrite [v]tuple0 => /eqP.
rewrite sum_tuples big_bool /= addrC (IH (fun i => F (0 + i.*2)%N)) (IH (fun i => F (1 + i.*2)%N)) -big_split /= expnS mul2n.
exact: (sum_halves F).
Qed.

Section Seen.
Variables (R : realFieldType) (D : Type) (S : finType) (k : nat) (code : S -> nat) (of_data : D -> nat).
Variables (randomizer : D -> dist R S) (table : nat -> nat -> Z) (den : Z) (n : nat).
Hypotheses (coded : coding k code) (den_gt0 : (0 < den)%Z).
Hypothesis tabulated : forall x s, randomizer x s = of_Z R (table (of_data x) (code s)) / of_Z R den.
Local Notation inR := (of_Z R).
Local Notation codes := (map code).
Implicit Types (w : n.-tuple D) (m : n.-tuple S).

Lemma sum_codes l (F : seq nat -> R) : \sum_(m : l.-tuple S) F (codes m) = \sum_(s <- outputs l k) F s.
Proof.
elim: l F => [|l IH] F.
  by rewrite big_seq1 (bigD1 [tuple]) //= big1 ?addr0 // => s; rewrite [s]tuple0 => /eqP.
rewrite sum_tuples big_allpairs_dep /= -(coded (fun i => \sum_(s <- outputs l k) F (i :: s))).
by apply: eq_bigr => s _; rewrite -(IH (fun rest => F (code s :: rest))).
Qed.

Lemma outputs_codes l s : (s \in outputs l k) = [exists m : l.-tuple S, codes m == s].
Proof.
have := sum_codes l (fun x => (x == s)%:R); rewrite -!natr_sum => /eqP; rewrite eqr_nat => /eqP counts.
rewrite -has_pred1 has_count -sum1_count big_mkcond /= -counts; apply/idP/existsP => [|[m /eqP m_is]].
  by rewrite lt0n sum_nat_eq0 negb_forall => /existsP[m]; rewrite eqb0 negbK => ?; exists m.
by rewrite (bigD1 m) //= m_is eqxx.
Qed.

Lemma sent_sound w m : messages randomizer w m = inR (sent table n (map of_data w) (codes m)) / inR den ^+ n.
Proof.
rewrite /messages (eq_bigr (fun i => inR (table (of_data (tnth w i)) (code (tnth m i))) / inR den)) => [|i _]; last exact: tabulated.
rewrite big_split /= prodr_const card_ord exprVn; congr (_ / _); rewrite /sent -val_enum_ord -map_comp.
rewrite -(big_enum _ xpredT (fun i => inR (table (of_data (tnth w i)) (code (tnth m i))))) /=.
elim: (enum 'I_n) => [|i l IH] /=; first by rewrite big_nil of_Z1.
by rewrite big_cons of_ZM IH -!(tnth_nth O (map_tuple _ _)) !tnth_map.
Qed.

Theorem seen_event_sound (event : seq nat -> bool) w :
  \sum_(m : n.-tuple S | event (codes m)) messages randomizer w m = inR (seen_event table n k event (map of_data w)) / inR den ^+ n.
Proof.
rewrite (eq_bigr _ (fun m _ => sent_sound w m)) -mulr_suml; congr (_ / _).
rewrite big_mkcond (sum_codes n (fun s => if event s then inR (sent table n (map of_data w) s) else 0)) -big_mkcond -big_filter.
by rewrite /seen_event of_Z_total.
Qed.

Variables (B : finType) (f : n.-tuple S -> B) (name : B -> seq nat) (seen : seq nat -> seq nat).
Hypotheses (name_inj : injective name) (named : forall m, name (f m) = seen (codes m)).

Lemma seen_image w y :
  image_law f (messages randomizer w) y = inR (seen_event table n k (fun s => seen s == name y) (map of_data w)) / inR den ^+ n.
Proof. by rewrite -seen_event_sound; apply: eq_bigl => m; rewrite -named (inj_eq name_inj). Qed.

Lemma sum_seen (H : seq nat -> R) : (forall y, (forall m, f m != y) -> H (name y) = 0) ->
  \sum_y H (name y) = \sum_(o <- undup [seq seen s | s <- outputs n k]) H o.
Proof.
move=> nowhere; pose ys := undup [seq f m | m : n.-tuple S]; have uniq_ys : uniq ys by apply: undup_uniq.
rewrite (perm_big (map name ys)) /=; last first.
  apply: uniq_perm; rewrite ?undup_uniq ?map_inj_uniq // => o; rewrite mem_undup.
  apply/mapP/mapP => [[s]|[y]].
    rewrite outputs_codes => /existsP[m /eqP <-] ->; exists (f m); rewrite ?named //.
    by rewrite mem_undup; apply/mapP; exists m; rewrite ?mem_enum.
  rewrite mem_undup => /mapP[m _ ->] ->; exists (codes m); rewrite ?named //.
  by rewrite outputs_codes; apply/existsP; exists m.
rewrite big_map (big_uniq _ uniq_ys) [RHS]big_mkcond /=; apply: eq_bigr => y _.
case: ifP => // /negbT out; apply: nowhere => m; apply: contra out => /eqP <-.
by rewrite mem_undup; apply/mapP; exists m; rewrite ?mem_enum.
Qed.

Theorem seen_hockey_exact w w' (e g : Z) : (0 < g)%Z ->
  hockey (inR e / inR g) (image_law f (messages randomizer w)) (image_law f (messages randomizer w')) =
  inR (seen_hockey table n k seen e g (map of_data w) (map of_data w')) / (inR g * inR den ^+ n).
Proof.
move=> g_gt0; have g0 : 0 < inR g by apply: of_Z_gt0.
have common0 : 0 < inR den ^+ n by rewrite exprn_gt0 ?of_Z_gt0.
pose H o := inR (Z.max (g * seen_event table n k (fun s => seen s == o) (map of_data w) -
                        e * seen_event table n k (fun s => seen s == o) (map of_data w')) 0).
rewrite /seen_hockey of_Z_total -(sum_seen (H := H)) /hockey; last first.
  move=> y none; rewrite /H; have nothing (v : n.-tuple D) : inR (seen_event table n k (fun s => seen s == name y) (map of_data v)) = 0.
    have := seen_image v y; rewrite /image_law big1 => [|m]; last by rewrite (negPf (none m)).
    by move/esym/eqP; rewrite mulf_eq0 invr_eq0 (gt_eqF common0) orbF => /eqP.
  by rewrite of_Z_max of_Z0 of_ZB !of_ZM !nothing !mulr0 subrr maxxx.
rewrite mulr_suml; apply: eq_bigr => y _; rewrite /H of_Z_max of_Z0 of_ZB !of_ZM !seen_image.
move: (inR (seen_event _ _ _ _ (map of_data w))) (inR (seen_event _ _ _ _ (map of_data w'))) (inR den ^+ n) common0 => x x' z z0.
have gz0 : 0 <= (inR g * z)^-1 by rewrite invr_ge0 mulr_ge0 // ltW.
have -> : x / z - inR e / inR g * (x' / z) = (inR g * x - inR e * x') * (inR g * z)^-1 by field; rewrite !lt0r_neq0.
by rewrite -[X in Num.max _ X](mul0r (inR g * z)^-1) -maxr_pmull.
Qed.

Theorem seen_hockey_sound w w' (e g numerator denominator : Z) :
  seen_hockey_is table den n k seen e g (map of_data w) (map of_data w') numerator denominator ->
  hockey (inR e / inR g) (image_law f (messages randomizer w)) (image_law f (messages randomizer w')) = inR numerator / inR denominator.
Proof.
case/and4P => _ /Z.ltb_lt g0 /Z.ltb_lt denominator0 /Z.eqb_eq answer; rewrite seen_hockey_exact //.
have common0 : (0 < g * den ^ Z.of_nat n)%Z by apply: Z.mul_pos_pos => //; apply: Z.pow_pos_nonneg => //; apply: Zle_0_nat.
rewrite -of_Z_pow -of_ZM; apply/eqP; rewrite eqr_div ?lt0r_neq0 ?of_Z_gt0 // -!of_ZM answer //.
Qed.

Theorem seen_event_is_sound (event : seq nat -> bool) w (numerator denominator : Z) :
  seen_event_is table den n k event (map of_data w) numerator denominator ->
  \sum_(m : n.-tuple S | event (codes m)) messages randomizer w m = inR numerator / inR denominator.
Proof.
case/and3P => _ /Z.ltb_lt denominator0 /Z.eqb_eq answer; rewrite seen_event_sound -of_Z_pow; apply/eqP.
rewrite eqr_div ?lt0r_neq0 ?of_Z_gt0 // -?of_ZM ?answer //; apply: Z.pow_pos_nonneg => //; exact: Zle_0_nat.
Qed.

End Seen.

(* Privacy, over all neighbouring datasets. *)
Section Private.
Variables (R : realFieldType) (m : nat) (S : finType) (k : nat) (code : S -> nat) (randomizer : 'I_m -> dist R S) (table : nat -> nat -> Z).
Variables (den : Z) (n : nat) (B : finType) (f : n.-tuple S -> B) (name : B -> seq nat) (seen : seq nat -> seq nat).
Hypotheses (coded : coding k code) (den_gt0 : (0 < den)%Z).
Hypothesis tabulated : forall x s, randomizer x s = of_Z R (table (x : nat) (code s)) / of_Z R den.
Hypotheses (name_inj : injective name) (named : forall v : n.-tuple S, name (f v) = seen (map code v)).
Local Notation inR := (of_Z R).
Local Notation numbers := (map (@nat_of_ord m)).

Lemma of_Z_leE x y : (inR x <= inR y) = (x <=? y)%Z.
Proof.
case: Z.leb_spec0 => [/(of_Z_le R) -> //|/Z.lt_nge/Z.lt_0_sub/(of_Z_gt0 R)].
by rewrite of_ZB subr_gt0 ltNge => /negPf.
Qed.

Lemma with_value (w w' : n.-tuple 'I_m) (i : 'I_n) : (forall j, j != i -> tnth w j = tnth w' j) ->
  set_nth O (numbers w) i (tnth w' i) = numbers w'.
Proof.
move=> same; have sized : size (set_nth O (numbers w) i (tnth w' i)) = n.
  by rewrite size_set_nth size_map size_tuple; apply/maxn_idPr.
apply: (@eq_from_nth _ O) => [|j]; rewrite sized ?size_map ?size_tuple // => j_lt.
rewrite nth_set_nth /= -[j]/(nat_of_ord (Ordinal j_lt)) -!(tnth_nth O (map_tuple _ _)) !tnth_map.
by case: eqP => [/val_inj <- //|/eqP ji]; rewrite same // -val_eqE.
Qed.

Theorem seen_private_iff (e g numerator denominator : Z) : (0 < g)%Z -> (0 < denominator)%Z ->
  private (inR e / inR g) (inR numerator / inR denominator) (fun w : n.-tuple 'I_m => image_law f (messages randomizer w)) <->
  seen_private table den n k m seen e g numerator denominator.
Proof.
move=> g_gt0 denominator_gt0.
have g0 : 0 < inR g by apply: of_Z_gt0.
have denominator0 : 0 < inR denominator by apply: of_Z_gt0.
have common0 : 0 < inR den ^+ n by rewrite exprn_gt0 ?of_Z_gt0.
have pair (w w' : n.-tuple 'I_m) :
    dp (inR e / inR g) (inR numerator / inR denominator) (image_law f (messages randomizer w)) (image_law f (messages randomizer w')) <->
    (seen_hockey table n k seen e g (numbers w) (numbers w') * denominator <=? numerator * (g * den ^ Z.of_nat n))%Z.
  rewrite dp_iff_hockey (seen_hockey_exact coded den_gt0 tabulated name_inj named w w' e g_gt0).
  by rewrite ler_pdivr_mulr ?mulr_gt0 // mulrAC ler_pdivl_mulr // -of_Z_pow -!of_ZM of_Z_leE.
have data (w : n.-tuple 'I_m) : numbers w \in outputs n m.
  by rewrite (outputs_codes R (@coding_ord m)); apply/existsP; exists w.
split=> [is_private|/allP decided w w' [i same]]; last first.
  move/allP: (decided _ (data w)) => /(_ (i : nat)); rewrite mem_iota /= => /(_ (ltn_ord i))/allP/(_ (tnth w' i : nat)).
  by rewrite mem_iota /= (with_value same) => /(_ (ltn_ord _)) h; apply/pair.
apply/allP => d; rewrite (outputs_codes R (@coding_ord m)) => /existsP[w /eqP <-].
apply/allP => i; rewrite mem_iota /= => i_lt; apply/allP => x; rewrite mem_iota /= => x_lt.
pose w' : n.-tuple 'I_m := [tuple if j == Ordinal i_lt then Ordinal x_lt else tnth w j | j < n].
have same j : j != Ordinal i_lt -> tnth w j = tnth w' j by rewrite tnth_mktuple => /negPf ->.
have := with_value same; rewrite tnth_mktuple eqxx => /= ->.
apply: (pair w w').1; apply: is_private; exists (Ordinal i_lt); exact: same.
Qed.

End Private.

(* What is seen: how often each message was sent, of several messages a user too, and how many ones. *)

Definition seen_histogram (k : nat) (s : seq nat) : seq nat := [seq count_mem i s | i <- iota 0 k].
Definition histogram_name k l (h : {ffun 'I_k -> 'I_l}) : seq nat := [seq nat_of_ord (h y) | y : 'I_k].

Lemma histogram_name_inj k l : injective (@histogram_name k l).
Proof.
move=> h h' same; apply/ffunP => y; apply: val_inj.
have at_y (g : {ffun 'I_k -> 'I_l}) : nth O (histogram_name g) y = g y.
  by rewrite /histogram_name (nth_map y) ?size_enum_ord ?ltn_ord // nth_ord_enum.
by rewrite /= -!at_y same.
Qed.

Lemma histogram_named k n (m : n.-tuple 'I_k) : histogram_name (@histogram [finType of 'I_k] n m) = seen_histogram k (map (@nat_of_ord k) m).
Proof.
rewrite /seen_histogram -val_enum_ord -map_comp; apply: eq_map => y /=; rewrite ffunE inordK.
  by rewrite count_map; apply: eq_count => x /=; rewrite -val_eqE.
by rewrite ltnS -[X in (_ <= X)%N](size_tuple m) count_size.
Qed.

(* The number of ones among the k binary digits of c. *)
Fixpoint digit_ones (k c : nat) : nat := if k is k'.+1 then (odd c + digit_ones k' c./2)%N else 0.

Lemma digit_ones_code k (v : k.-tuple bool) : digit_ones k (bits_code v) = count id v.
Proof.
case: v => v /= /eqP <-; elim: v => [|b v IH] //=.
by rewrite half_bit_double oddD odd_double addbF oddb IH.
Qed.

Definition seen_bits (k : nat) (s : seq nat) : seq nat :=
  let ones := sumn [seq digit_ones k c | c <- s] in [:: ones; size s * k - ones]%N.
Definition bits_name l (y : {ffun bool -> 'I_l}) : seq nat := [:: nat_of_ord (y true); nat_of_ord (y false)].

Lemma bits_name_inj l : injective (@bits_name l).
Proof. by move=> y y' [on off]; apply/ffunP => -[]; apply: val_inj. Qed.

Lemma bits_named k n (m : n.-tuple (k.-tuple bool)) :
  bits_name (@all_counts _ k n m) = seen_bits k (map (fun v : k.-tuple bool => bits_code v) m).
Proof.
rewrite /bits_name !all_counts_val /seen_bits size_map size_tuple -map_comp.
have -> : sumn [seq digit_ones k (bits_code (v : k.-tuple bool)) | v <- m] = count_mem true (all_messages m).
  rewrite /all_messages count_flatten -map_comp; congr sumn; apply: eq_map => v /=.
  by rewrite digit_ones_code; apply: eq_count => -[].
congr [:: _; _]; rewrite -(size_all_messages m) -(count_predC (pred1 true)) addKn.
by apply: eq_count => -[].
Qed.

Definition seen_ones (s : seq nat) : seq nat := [:: sumn s].

Lemma ones_named n (m : n.-tuple bool) : [:: nat_of_ord (ones m)] = seen_ones (map nat_of_bool m).
Proof. by rewrite ones_val /seen_ones; congr [:: _]; elim: (tval m) => //= b s ->. Qed.

Lemma ones_name_inj n : injective (fun y : 'I_n => [:: nat_of_ord y]).
Proof. by move=> y y' [/val_inj]. Qed.

(* What does not see the order does not see the shuffler. *)
Lemma image_law_shuffle (R : realFieldType) (S B : finType) n (f : n.-tuple S -> B) (P : n.-tuple S -> R) :
  (forall s (sigma : 'S_n), f (permuted s sigma) = f s) -> image_law f (shuffle P) =1 image_law f P.
Proof.
move=> same y; rewrite /image_law; under [LHS]eq_bigr do rewrite shuffle_messages_sum.
rewrite -mulr_sumr exchange_big /= [X in _ * X](eq_bigr (fun=> \sum_(s : n.-tuple S | f s == y) P s)).
  by rewrite sumr_const card_Sn -[X in _ * X]mulr_natl mulKf ?factorial_neq0.
move=> sigma _; have injective_permuted : injective (fun m : n.-tuple S => permuted m sigma).
  by apply: (can_inj (g := fun m : n.-tuple S => permuted m sigma^-1%g)) => m; rewrite permuted_permuted mulVg permuted1.
by rewrite [RHS](reindex_inj injective_permuted) /=; apply: eq_bigl => s; rewrite same.
Qed.

(* The laws of single users' messages as integers: the point at x, 1 - x (whose digits are those of 2 - x); the zero sum's, p = a/b; the bit
   sum's, lambda = l/g. *)
Definition both_table (x c : nat) : Z := if c == (2 - x)%N then 1%Z else 0%Z.
Definition zero_sum_table (a b : Z) (x s : nat) : Z := (if s == x then b - a else if s == x.+1 then a else 0)%Z.
Definition bit_sum_table (n : nat) (l g : Z) (x s : nat) : Z := (l + Z.of_nat (s == x) * (2 * (Z.of_nat n * g - l)))%Z.

(* Whether a table of sixteen vectors has R^gap's supports. *)
Definition gap_table (table : nat -> nat -> Z) : bool :=
  all (fun x => all (fun c => (table x c == 0%Z) == (x == 1%N) && (digit_ones 4 c == 2%N)) (iota 0 16)) (iota 0 2).

Section Tables.
Variable R : realFieldType.
Local Notation inR := (of_Z R).

Lemma r_inf_tabulated x (v : 2.-tuple bool) : r_inf R x v = inR (both_table x (bits_code v)) / inR 1.
Proof.
rewrite divr1 /r_inf /= /both_table.
by case: v => -[|[] [|[] []]] // i; case: x; rewrite -?val_eqE.
Qed.

Lemma zero_sum_tabulated (a b : Z) (range : 0 <= inR a / inR b <= 1) x s : (0 < b)%Z ->
  zero_sum range x s = inR (zero_sum_table a b x s) / inR b.
Proof.
move=> /(of_Z_gt0 R)/lt0r_neq0 b0; rewrite /= /zero_sum_mass big_bool /= /zero_sum_table.
by case: x; case: s => -[|[|[]]] //= _; rewrite ?add0r ?addr0 ?of_Z0 ?mul0r // of_ZB mulrBl divff.
Qed.

Lemma bit_sum_tabulated n (n_gt0 : (0 < n)%N) (l g : Z) (range : 0 <= inR l / inR g <= n%:R) x s : (0 < g)%Z ->
  noisy_bit n_gt0 range x s = inR (bit_sum_table n l g x s) / inR (2 * (Z.of_nat n * g)).
Proof.
move=> /(of_Z_gt0 R)/lt0r_neq0 g0; have n0 : n%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
rewrite -[LHS]/(noisy_bit_mass n (inR l / inR g) x s) /noisy_bit_mass /bit_sum_table of_ZD !of_ZM of_ZB !of_ZM !of_Z_nat of_Z2.
by case: s; case: x; rewrite /= ?mulr1n ?mulr0n; field; rewrite n0 g0.
Qed.

Lemma gap_table_sound (r : bool -> dist R [finType of 4.-tuple bool]) table den : (0 < den)%Z ->
  (forall x v, r x v = inR (table (x : nat) (bits_code v)) / inR den) -> gap_table table -> r_gap_support r.
Proof.
move=> /(of_Z_gt0 R)/lt0r_neq0 den0 tabulated /allP table_ok x v; rewrite tabulated mulf_eq0 invr_eq0 (negPf den0) orbF number_of_ones_val.
have v_in : bits_code v \in iota 0 16.
  by case: v => -[|[] [|[] [|[] [|[] []]]]].
have x_in : (x : nat) \in iota 0 2 by case: x.
have /allP/(_ _ v_in)/eqP := table_ok _ x_in; rewrite digit_ones_code.
have -> : (x == 1%N :> nat) = x by case: (x).
have zero z : (inR z == 0) = (z == 0%Z).
  apply/eqP/eqP => [z0|-> //]; case: (Z.lt_trichotomy z 0) => [/Z.opp_pos_neg/(of_Z_gt0 R)|[//|/(of_Z_gt0 R)]].
    by rewrite of_ZN z0 oppr0 ltxx.
  by rewrite z0 ltxx.
by rewrite zero => ->.
Qed.

End Tables.

Lemma total_ones_named n (m : n.-tuple 'I_3) : total_ones m = sumn (map (@nat_of_ord 3) m).
Proof. by rewrite /total_ones sumnE big_map big_tuple. Qed.

(* Accuracy: how often the event `bad d s` may happen, d the data and s the messages. *)
Definition seen_accurate (table : nat -> nat -> Z) (den : Z) (n k m : nat) (bad : seq nat -> seq nat -> bool) (numerator denominator : Z) : bool :=
  all (fun d => seen_event table n k (bad d) d * denominator <=? numerator * den ^ Z.of_nat n)%Z (outputs n m).

(* The number of messages 1 is not within one of the number of data 1. *)
Definition off_by_two (d s : seq nat) : bool :=
  let x := count_mem 1%N d in let y := count_mem 1%N s in (x.+1 < y)%N || (y.+1 < x)%N.

Theorem seen_accurate_iff (R : realFieldType) (m k n : nat) (randomizer : 'I_m -> dist R [finType of 'I_k]) table den
    (bad : seq nat -> seq nat -> bool) numerator denominator : (0 < den)%Z -> (0 < denominator)%Z -> (forall x s, randomizer x s = of_Z R (table (x : nat) (s : nat)) / of_Z R den) ->
  accurate (fun w : n.-tuple 'I_m => messages randomizer w)
    (fun w s => (bad (map (@nat_of_ord m) w) (map (@nat_of_ord k) s))%:R) (of_Z R numerator / of_Z R denominator) <->
  seen_accurate table den n k m bad numerator denominator.
Proof.
move=> den_gt0 denominator_gt0 tabulated.
have fails (w : n.-tuple 'I_m) (d := map (@nat_of_ord m) w) :
    (failure (messages randomizer w) (fun s => (bad d (map (@nat_of_ord k) s))%:R) <= of_Z R numerator / of_Z R denominator) =
    (seen_event table n k (bad d) d * denominator <=? numerator * den ^ Z.of_nat n)%Z.
  have <- : (of_Z R (seen_event table n k (bad d) d) / of_Z R den ^+ n <= of_Z R numerator / of_Z R denominator) =
      (seen_event table n k (bad d) d * denominator <=? numerator * den ^ Z.of_nat n)%Z.
    by rewrite ler_pdivr_mulr ?exprn_gt0 ?of_Z_gt0 // mulrAC ler_pdivl_mulr ?of_Z_gt0 // -of_Z_pow -!of_ZM of_Z_leE.
  rewrite -(seen_event_sound (@coding_ord k) tabulated) /failure [X in _ = (X <= _)]big_mkcond; congr (_ <= _).
  by apply: eq_bigr => s _; case: (bad _ _); rewrite ?mulr1 ?mulr0.
split=> [is_accurate|/allP decided w]; last first.
  by rewrite fails; apply: decided; rewrite (outputs_codes R (@coding_ord m)); apply/existsP; exists w.
apply/allP => d; rewrite (outputs_codes R (@coding_ord m)) => /existsP[w /eqP <-].
rewrite -fails; exact: is_accurate.
Qed.
