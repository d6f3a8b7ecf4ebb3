; title: Pig
; rules: Roll as often as you like: what you roll is yours when you hold. A one loses it and ends your turn. The
;   first with 30 points wins.
; players: 2

(include boardgames:dicing)

(role red)
(role blue)
(next_player red blue)
(next_player blue red)

(init (turn red))
(init (heap 0))
(init (score red 0))
(init (score blue 0))

(<= (legal ?p (roll boardgames:dicing:dice)) (true (turn ?p)))
(<= (legal ?p hold) (true (turn ?p)) (not (true (heap 0))))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))

; --- rolling: a one ends the turn, anything else goes onto the heap --------------------------------------

(<= lost (does ?_p (roll 1)))
(<= held (does ?_p hold))
(<= (next (turn ?q)) (true (turn ?p)) lost (next_player ?p ?q))
(<= (next (turn ?q)) (true (turn ?p)) held (next_player ?p ?q))
(<= (next (turn ?p)) (true (turn ?p)) (not lost) (not held))
(<= (next (heap 0)) lost)
(<= (next (heap 0)) held)
(<= (next (heap ?m)) (true (heap ?n)) (does ?_p (roll ?k)) (distinct ?k 1) (sum ?n ?k ?m))

; --- holding: the heap goes to the score, which stops at 30 ----------------------------------------------

(<= (next (score ?p ?m)) (true (score ?p ?n)) (does ?p hold) (true (heap ?k)) (sum ?n ?k ?m))
(<= (next (score ?p ?n)) (true (score ?p ?n)) (not (holds ?p)))
(<= (holds ?p) (does ?p hold))

(<= terminal (true (score ?_p 30)))
(<= (goal ?p 100) (true (score ?p 30)))
(<= (goal ?p 0) (role ?p) (not (true (score ?p 30))))

; --- numbers: a sum above 30 is 30 -----------------------------------------------------------------------

(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16) (succ 16 17) (succ 17 18)
(succ 18 19) (succ 19 20) (succ 20 21) (succ 21 22) (succ 22 23) (succ 23 24) (succ 24 25) (succ 25 26)
(succ 26 27) (succ 27 28) (succ 28 29) (succ 29 30)
(up 30 30)
(<= (up ?n ?m) (succ ?n ?m))
(<= (number ?n) (up ?n ?_m))
(<= (sum ?n 0 ?n) (number ?n))
(<= (sum ?n ?k ?m) (succ ?j ?k) (sum ?n ?j ?i) (up ?i ?m))
