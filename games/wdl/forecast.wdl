; title: Forecast
; rules: Ann deals four cards to each, and all say at once how many of the four tricks they will take. Follow suit if
;   you can; the highest heart takes the trick, or else the highest card of the suit that was led. Who takes as many
;   tricks as said gets 100 points; one more or fewer is worth 50, two 20.
; players: 3
; length: 25

(include cards:carddeck)
(include arith:successor)
(include arith:plus)
(set range 0 13)

(role ann)
(role bob)
(role cid)
(after ann bob)
(after bob cid)
(after cid ann)

; --- twenty cards, from the ten up ----------------------------------------------------------------------

(used 10) (used cards:carddeck:jack) (used cards:carddeck:queen) (used cards:carddeck:king) (used cards:carddeck:ace)
(<= (card ?c ?suit ?rank) (cards:carddeck:card ?c ?suit ?rank) (used ?rank))
(trump cards:carddeck:hearts)
(<= (above ?m ?n) (cards:carddeck:succ ?n ?m) (used ?n))
(<= (above ?m ?n) (cards:carddeck:succ ?k ?m) (above ?k ?n))

; (stronger c d): c takes a trick that d would take without it.
(<= (stronger ?c ?d) (card ?c ?suit ?m) (card ?d ?suit ?n) (above ?m ?n))
(<= (stronger ?c ?d) (trump ?suit) (card ?c ?suit ?_m) (card ?d ?other ?_n) (distinct ?suit ?other))

; --- the order of things: twelve cards, forecasts, twelve cards again -----------------------------------

(init (deal 1))
(init (gets bob))
(init (leads bob))
(<= (init (tricks ?p 0)) (role ?p))

(<= dealing (true (deal ?_n)))
(<= playing (true (turn ?_p)))
(<= forecasting (true forecast))

(<= (random pack 1 ?c) (card ?c ?_suit ?_rank) (not (dealt ?c)))
(<= (dealt ?c) (true (hand ?_p ?c)))

(<= (legal ann (deal ?p (visible ?p pack))) (true (gets ?p)) dealing)
(<= (legal ?p wait) dealing (role ?p) (distinct ?p ann))
(<= (legal ?p (say ?n)) forecasting (role ?p) (number ?n))
(<= (legal ?p (play ?c)) (true (turn ?p)) (true (hand ?p ?c)) (card ?c ?suit ?_rank) (may_play ?p ?suit))
(<= (legal ?p wait) playing (role ?p) (not (true (turn ?p))))
(number 0) (number 1) (number 2) (number 3) (number 4)

(<= (may_play ?p ?suit) (true (leads ?p)) (card ?_c ?suit ?_rank))
(<= (may_play ?p ?suit) (led ?suit) (role ?p))
(<= (may_play ?p ?suit) (led ?other) (role ?p) (not (has_suit ?p ?other)) (card ?_c ?suit ?_rank))
(<= (led ?suit) (true (leads ?p)) (true (table ?p ?c)) (card ?c ?suit ?_rank))
(<= (has_suit ?p ?suit) (true (hand ?p ?c)) (card ?c ?suit ?_rank))

(<= (next (hand ?p ?c)) (does ann (deal ?p ?c)))
(<= (next (hand ?p ?c)) (true (hand ?p ?c)) (not (does ?p (play ?c))))
(<= (next (deal ?m)) (true (deal ?n)) (arith:successor:++ ?n ?m) (distinct ?m 13))
(<= (next (gets ?q)) (true (gets ?p)) (after ?p ?q) dealing)
(<= (next forecast) (true (deal 12)))
(<= (next (said ?p ?n)) (does ?p (say ?n)))
(<= (next (said ?p ?n)) (true (said ?p ?n)))

; --- a card is played -----------------------------------------------------------------------------------

(<= (next (turn bob)) forecasting)
(<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q) (not trick_over))
(<= (next (turn ?p)) (takes ?p) (not last_trick))
(<= (next (leads ?p)) (true (leads ?p)) (not trick_over))
(<= (next (leads ?p)) (takes ?p))

(<= trick_over (true (turn ?p)) (after ?p ?q) (true (leads ?q)))
(<= last_trick (true (turn ?p)) (true (hand ?p ?c)) (not (other_card ?p ?c)))
(<= (other_card ?p ?c) (true (hand ?p ?c)) (true (hand ?p ?d)) (distinct ?c ?d))
(<= (lies ?p ?c) (true (table ?p ?c)))
(<= (lies ?p ?c) (does ?p (play ?c)))
(<= (beaten ?p) (lies ?p ?c) (lies ?_q ?d) (stronger ?d ?c))
; A card of another suit than the one that was led beats nothing.
(<= (beaten ?p) (lies ?p ?c) (card ?c ?suit ?_m) (led ?other) (distinct ?suit ?other) (not (trump ?suit)))
(<= (takes ?p) trick_over (lies ?p ?_c) (not (beaten ?p)))

(<= (next (table ?p ?c)) (lies ?p ?c) (not trick_over))
(<= (next (tricks ?p ?m)) (takes ?p) (true (tricks ?p ?n)) (arith:successor:++ ?n ?m))
(<= (next (tricks ?p ?n)) (true (tricks ?p ?n)) (not (takes ?p)))

; --- the end --------------------------------------------------------------------------------------------

(<= terminal (not dealing) (not forecasting) (not playing))
(<= (off ?p ?k) (true (said ?p ?n)) (true (tricks ?p ?m)) (number ?k) (arith:plus:plus ?n ?k ?m))
(<= (off ?p ?k) (true (said ?p ?n)) (true (tricks ?p ?m)) (number ?k) (arith:plus:plus ?m ?k ?n))
(<= (goal ?p ?points) (off ?p ?k) (worth ?k ?points))
(worth 0 100) (worth 1 50) (worth 2 20) (worth 3 0) (worth 4 0)
