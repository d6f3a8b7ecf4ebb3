; title: Bazaar of whispers
; rules: Three traders have two each of silk, spice and salt. Which of them they want only they know. Six times all
;   may whisper to one other what they like, true or not, and then one of them offers another a swap of one for one.
;   Six of the wanted goods are worth 100 points, three are worth 50. All may do well.
; players: 3
; length: 19

(include arith:successor)
(set range 0 7)

(role ann)
(role bob)
(role cid)
(after ann bob)
(after bob cid)
(after cid ann)

(goods silk)
(goods spice)
(goods salt)
(random fancy 1 silk)
(random fancy 1 spice)
(random fancy 1 salt)

(init (phase dream))
(init (turn ann))
(init (round 1))
(<= (init (has ?p ?g 2)) (role ?p) (goods ?g))

; --- moves ----------------------------------------------------------------------------------------------

(<= (legal ?p (dream (visible ?p fancy))) (role ?p) (true (phase dream)))

; All see who whispers to whom, but only the one who is spoken to hears what.
(<= (legal ?p (tell ?q (visible ?q (likes ?g)))) (true (phase talk)) (role ?p) (role ?q) (distinct ?p ?q)
    (goods ?g))
(<= (legal ?p silence) (role ?p) (true (phase talk)))

(<= (legal ?p (offer ?q ?mine ?yours)) (true (phase offer)) (true (turn ?p)) (role ?q) (distinct ?p ?q)
    (holds ?p ?mine) (goods ?yours) (distinct ?mine ?yours))
(<= (legal ?p pass) (true (phase offer)) (true (turn ?p)))
(<= (legal ?q accept) (true (offered ?_p ?q ?_mine ?yours)) (holds ?q ?yours))
(<= (legal ?q refuse) (true (offered ?_p ?q ?_mine ?_yours)))
(<= (legal ?p wait) (role ?p) (true (phase offer)) (not (true (turn ?p))))
(<= (legal ?p wait) (role ?p) (true (phase answer)) (not (asked ?p)))
(<= (asked ?q) (true (offered ?_p ?q ?_mine ?_yours)))
(<= (holds ?p ?g) (true (has ?p ?g ?n)) (distinct ?n 0))

; --- what follows ---------------------------------------------------------------------------------------

(<= (next (wants ?p ?g)) (does ?p (dream ?g)))
(<= (next (wants ?p ?g)) (true (wants ?p ?g)))
(<= (next (heard ?q ?p ?g)) (does ?p (tell ?q (likes ?g))))
(<= (next (heard ?q ?p ?g)) (true (heard ?q ?p ?g)) (not (true (phase talk))))
(<= (next (offered ?p ?q ?mine ?yours)) (does ?p (offer ?q ?mine ?yours)))

(<= (swap ?p ?mine ?yours) (true (offered ?p ?q ?mine ?yours)) (does ?q accept))
(<= (swap ?q ?yours ?mine) (true (offered ?p ?q ?mine ?yours)) (does ?q accept))
(<= (next (has ?p ?g ?m)) (swap ?p ?g ?_other) (true (has ?p ?g ?n)) (arith:successor:++ ?m ?n))
(<= (next (has ?p ?g ?m)) (swap ?p ?_other ?g) (true (has ?p ?g ?n)) (arith:successor:++ ?n ?m))
(<= (next (has ?p ?g ?n)) (true (has ?p ?g ?n)) (not (swaps ?p ?g)))
(<= (swaps ?p ?g) (swap ?p ?g ?_other))
(<= (swaps ?p ?g) (swap ?p ?_other ?g))

(<= (next (phase talk)) (true (phase dream)))
(<= (next (phase offer)) (true (phase talk)))
(<= (next (phase answer)) (does ?_p (offer ?_q ?_mine ?_yours)))
(<= (next (phase talk)) deal_done)
(<= deal_done (does ?_p pass))
(<= deal_done (true (phase answer)))
(<= (next (turn ?q)) deal_done (true (turn ?p)) (after ?p ?q))
(<= (next (turn ?p)) (true (turn ?p)) (not deal_done))
(<= (next (round ?m)) deal_done (true (round ?n)) (arith:successor:++ ?n ?m))
(<= (next (round ?n)) (true (round ?n)) (not deal_done))

; --- the end --------------------------------------------------------------------------------------------

(<= terminal (true (round 7)))
(<= (goal ?p ?points) (true (wants ?p ?g)) (true (has ?p ?g ?n)) (points ?n ?points))
(<= (goal ?p 0) (role ?p) (true (phase dream)))
(points 0 0) (points 1 15) (points 2 30) (points 3 50) (points 4 70) (points 5 85) (points 6 100)
