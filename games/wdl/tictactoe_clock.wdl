; title: Tic-Tac-Toe by the clock
; rules: Mark cells in turn; three of your marks in a line win, and a full board is a draw. Each side has two seconds
;   for all its moves, and its clock runs while it is on turn. Who thinks longer loses.
; players: 2

(set realtime)
(set range 0 201)

(include arith:successor)

(role xplayer)
(role oplayer)
(sign xplayer x)
(sign oplayer o)
(opponent xplayer oplayer)
(opponent oplayer xplayer)
(index 1) (index 2) (index 3)

(<= (init (cell ?m ?n b)) (index ?m) (index ?n))
(init (control xplayer))
(<= (init (chessclock ?p 0)) (role ?p))

; Whoever is not on turn has no move.
(<= (legal ?p (mark ?m ?n)) (true (control ?p)) (true (cell ?m ?n b)))

; --- a mark: no time passes -----------------------------------------------------------------------------

(<= moved (does ?_p ?_move))
(<= (next (cell ?m ?n ?c)) (does ?p (mark ?m ?n)) (sign ?p ?c))
(<= (next (cell ?m ?n ?c)) (true (cell ?m ?n ?c)) (not (marked ?m ?n)))
(<= (marked ?m ?n) (does ?_p (mark ?m ?n)))
(<= (next (control ?q)) (true (control ?p)) moved (opponent ?p ?q))
(<= (next (chessclock ?p ?t)) (true (chessclock ?p ?t)) moved)

; --- a tick: one more hundredth of a second for whoever is on turn --------------------------------------

(<= (next (control ?p)) (true (control ?p)) (not moved))
(<= (next (chessclock ?p ?u)) (true (chessclock ?p ?t)) (not moved) (true (control ?p)) (arith:successor:++ ?t ?u))
(<= (next (chessclock ?p ?t)) (true (chessclock ?p ?t)) (not moved) (not (true (control ?p))))

; --- the end --------------------------------------------------------------------------------------------

(<= (three ?c) (index ?m) (true (cell ?m 1 ?c)) (true (cell ?m 2 ?c)) (true (cell ?m 3 ?c)))
(<= (three ?c) (index ?n) (true (cell 1 ?n ?c)) (true (cell 2 ?n ?c)) (true (cell 3 ?n ?c)))
(<= (three ?c) (true (cell 1 1 ?c)) (true (cell 2 2 ?c)) (true (cell 3 3 ?c)))
(<= (three ?c) (true (cell 1 3 ?c)) (true (cell 2 2 ?c)) (true (cell 3 1 ?c)))
(<= (wins ?p) (sign ?p ?c) (three ?c))
(<= (wins ?q) (opponent ?p ?q) (true (chessclock ?p 201)))
(<= decided (wins ?_p))
(<= open (true (cell ?_m ?_n b)))

(<= terminal decided)
(<= terminal (not open))
(<= (goal ?p 100) (wins ?p))
(<= (goal ?q 0) (wins ?p) (opponent ?p ?q))
(<= (goal ?p 50) (role ?p) (not decided))
