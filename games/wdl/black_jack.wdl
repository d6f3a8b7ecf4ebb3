; title: Black Jack
; rules: Come as near to 21 points as you can and not beyond. Aces count eleven, pictures ten. The bank wins ties.
; players: 2
; length: 28
; An ordinary player is the bank: it may take cards or stop as it likes, after the player has stopped.

(include cards:carddeck)

(role bank)
(role player)

; --- cards -----------------------------------------------------------------------------------------------

(<= (random getcard 1 ?card) (cards:carddeck:card ?card ?_suit ?_rank) (not (dealt ?card)))
(<= (dealt ?card) (true (hascard ?_who ?card)))

(<= (worth ?card ?n) (cards:carddeck:card ?card ?_suit ?rank) (counts ?rank ?n))
(counts 2 2) (counts 3 3) (counts 4 4) (counts 5 5) (counts 6 6) (counts 7 7) (counts 8 8) (counts 9 9)
(counts 10 10) (counts cards:carddeck:jack 10) (counts cards:carddeck:queen 10)
(counts cards:carddeck:king 10) (counts cards:carddeck:ace 11)

; --- the order of things ---------------------------------------------------------------------------------

(init (phase (deal 1 bank)))
(after (deal 1 bank) (deal 1 player))
(after (deal 1 player) (deal 2 bank))
(after (deal 2 bank) (deal 2 player))
(after (deal 2 player) (play player))
(after (play player) (play bank))
(after (play bank) finished)
(after finished done)

(<= (turn ?who) (true (phase (deal ?_round ?who))))
(<= (turn ?who) (true (phase (play ?who))))

; --- moves -----------------------------------------------------------------------------------------------

(<= (legal ?who (get (visible ?who getcard))) (true (phase (deal ?_round ?who))))
(<= (legal ?who (get (visible ?who getcard))) (true (phase (play ?who))) (may_take ?who))
(<= (legal ?who finish) (true (phase (play ?who))))
(<= (legal ?who (send ?n)) (true (phase finished)) (true (points ?who ?n)))
(<= (legal ?who wait) (role ?who) (not (turn ?who)) (not (true (phase finished))))

(<= (may_take ?who) (true (points ?who ?n)) (above 21 ?n))

; --- what follows ----------------------------------------------------------------------------------------

(<= (next (hascard ?who ?card)) (does ?who (get ?card)))
(<= (next (hascard ?who ?card)) (true (hascard ?who ?card)))

(init (points bank 0))
(init (points player 0))
(<= (next (points ?who ?m)) (true (points ?who ?n)) (does ?who (get ?card)) (worth ?card ?k) (sum ?n ?k ?m))
(<= (next (points ?who ?n)) (true (points ?who ?n)) (not (takes ?who)) (not (true (phase finished))))
(<= (next (points ?who ?n)) (does ?who (send ?n)))
(<= (takes ?who) (does ?who (get ?_card)))
; What the other is told of it:
(<= (takes ?who) (does ?who get))

(<= (next (phase ?later)) (true (phase ?now)) (after ?now ?later) (not (playing ?now)))
(<= (next (phase ?later)) (true (phase (play ?who))) (after (play ?who) ?later) (does ?who finish))
(<= (next (phase (play ?who))) (true (phase (play ?who))) (takes ?who))
(playing (play bank))
(playing (play player))

; --- the end ---------------------------------------------------------------------------------------------

(<= terminal (true (phase done)))

(<= (goal ?who 100) (role ?who) (wins ?who))
(<= (goal ?who 0) (role ?who) (not (wins ?who)))

(<= (wins bank) (true (points bank ?n)) (not_over ?n) (true (points player ?m)) (not (better ?m ?n)))
(<= (wins player) (true (points player ?m)) (not_over ?m) (true (points bank ?n)) (better ?m ?n))
(<= (wins player) (true (points player ?m)) (not_over ?m) (true (points bank ?n)) (not (not_over ?n)))

(<= (better ?m ?n) (not_over ?m) (not_over ?n) (above ?m ?n))
; --- numbers ---------------------------------------------------------------------------------------------

; Nobody takes a card from 21 on, so 20 and an ace, 31, are the most that anybody can have.
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
(succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16)
(succ 16 17) (succ 17 18) (succ 18 19) (succ 19 20) (succ 20 21) (succ 21 22) (succ 22 23) (succ 23 24)
(succ 24 25) (succ 25 26) (succ 26 27) (succ 27 28) (succ 28 29) (succ 29 30) (succ 30 31)
(<= (number ?n) (succ ?n ?_m))
(<= (number ?m) (succ ?_n ?m))

(<= (sum ?n 0 ?n) (number ?n))
(<= (sum ?n ?k ?m) (succ ?j ?k) (sum ?n ?j ?i) (succ ?i ?m))

(<= (above ?m ?n) (succ ?n ?m))
(<= (above ?m ?n) (succ ?k ?m) (above ?k ?n))

(<= (not_over ?n) (number ?n) (not (above ?n 21)))
