; title: Fox and hare
; rules: The fox hunts the hare over a field with hedges, and is a little faster. There are two halves of at most ten
;   seconds each. Red is the fox in the first one and blue in the second. Who catches the other sooner wins; it is a
;   draw if both need as long, or neither does it.
; players: 2

(set realtime)
; Twenty ticks a second.
(set tick 5)
(set range 0 200)

(include arith:successor)
(include boardgames:grid)

(role red)
(role blue)
(opponent red blue)
(opponent blue red)

; (piece role animal name)
(piece red fox red_fox)
(piece red hare red_hare)
(piece blue fox blue_fox)
(piece blue hare blue_hare)

; (plays half role animal)
(plays first red fox)
(plays first blue hare)
(plays second red hare)
(plays second blue fox)

; (wait animal n): so many ticks go by after a step before the next one.
(wait fox 4)
(wait hare 5)

; --- the field: hedges where both numbers are even ------------------------------------------------------

(even 2) (even 4) (even 6)
(<= (field ?x ?y) (number ?x) (number ?y) (not (hedge ?x ?y)))
(<= (hedge ?x ?y) (even ?x) (even ?y))
(number 1) (number 2) (number 3) (number 4) (number 5) (number 6) (number 7)
(<= (beside ?x1 ?y1 ?x2 ?y2) (boardgames:grid:beside ?x1 ?y1 ?x2 ?y2) (field ?x1 ?y1) (field ?x2 ?y2))

(den fox 1 1)
(den hare 7 7)
; (at_home half x y name): how a half begins.
(<= (at_home ?half ?x ?y ?name) (plays ?half ?p ?animal) (den ?animal ?x ?y) (piece ?p ?animal ?name))
(<= (at_home ?half ?x ?y hedge) (plays ?half red ?_animal) (hedge ?x ?y))
(<= (at_home ?half ?x ?y b) (plays ?half red ?_animal) (field ?x ?y) (not (taken ?x ?y)))
(<= (taken ?x ?y) (den ?_animal ?x ?y))

(init (half first))
(init (gone 0))
(<= (init (cell ?x ?y ?thing)) (at_home first ?x ?y ?thing))
(<= (init (rests ?p 20)) (role ?p))

; --- steps ----------------------------------------------------------------------------------------------

(<= (animal ?p ?animal) (true (half ?half)) (plays ?half ?p ?animal))
(<= (stands ?p ?x ?y ?name) (true (cell ?x ?y ?name)) (piece ?p ?_animal ?name))

(<= (legal ?p (step ?x ?y)) (true (rests ?p 0)) (stands ?p ?x1 ?y1 ?_name) (beside ?x1 ?y1 ?x ?y)
    (true (cell ?x ?y b)))
; The fox may step where the hare is.
(<= (legal ?p (step ?x ?y)) (true (rests ?p 0)) (animal ?p fox) (stands ?p ?x1 ?y1 ?_name)
    (beside ?x1 ?y1 ?x ?y) (opponent ?p ?q) (stands ?q ?x ?y ?_hare))

(<= moved (does ?_p (step ?_x ?_y)))
(<= (leaves ?x ?y) (does ?p (step ?_x ?_y)) (stands ?p ?x ?y ?_name))
(<= (enters ?x ?y) (does ?_p (step ?x ?y)))
(<= catches (does ?_p (step ?x ?y)) (not (true (cell ?x ?y b))))

(<= (next (cell ?x ?y ?name)) (does ?p (step ?x ?y)) (stands ?p ?_x ?_y ?name) (not new_half))
(<= (next (cell ?x ?y b)) (leaves ?x ?y) (not new_half))
(<= (next (cell ?x ?y ?thing)) (true (cell ?x ?y ?thing)) (not (leaves ?x ?y)) (not (enters ?x ?y)) (not new_half))

(<= (next (rests ?p ?n)) (does ?p (step ?_x ?_y)) (animal ?p ?animal) (wait ?animal ?n) (not new_half))
(<= (next (rests ?q ?n)) (does ?p (step ?_x ?_y)) (opponent ?p ?q) (true (rests ?q ?n)) (not new_half))

(<= (next (caught ?q)) catches (does ?p (step ?_x ?_y)) (opponent ?p ?q))
(<= (next (caught ?q)) (true (caught ?q)))

; --- ticks ----------------------------------------------------------------------------------------------

(<= (next (rests ?p ?m)) (true (rests ?p ?n)) (not moved) (arith:successor:++ ?m ?n) (not new_half))
(<= (next (rests ?p 0)) (true (rests ?p 0)) (not moved) (not new_half))

; The first half counts how long it has gone on, the second how long it will.
(<= (next (gone ?m)) (true (gone ?n)) (not moved) (arith:successor:++ ?n ?m) (not new_half))
(<= (next (gone ?n)) (true (gone ?n)) moved (not new_half))
(<= (next (left ?m)) (true (left ?n)) (not moved) (arith:successor:++ ?m ?n))
(<= (next (left ?n)) (true (left ?n)) moved)

; --- from the first half to the second ------------------------------------------------------------------

(<= new_half (true (half first)) catches)
(<= new_half (true (gone 199)) (not moved))
(<= (next (half second)) new_half)
(<= (next (half ?half)) (true (half ?half)) (not new_half))
(<= (next (cell ?x ?y ?thing)) new_half (at_home second ?x ?y ?thing))
(<= (next (rests ?p 20)) new_half (role ?p))
; One tick more than red has needed: who needs as long gets a draw.
(<= (next (left ?m)) new_half catches (true (gone ?n)) (arith:successor:++ ?n ?m))
(<= (next (left 200)) new_half (not catches))

; --- the end --------------------------------------------------------------------------------------------

(<= terminal (true (caught red)))
(<= terminal (true (left 0)))

(<= (wins red) (true (caught blue)) (not (true (caught red))))
(<= (wins blue) (true (caught red)) (not (true (caught blue))))
(<= (wins blue) (true (caught red)) (true (caught blue)) (not (true (left 1))))
(<= decided (wins ?_p))
(<= (goal ?p 100) (wins ?p))
(<= (goal ?q 0) (wins ?p) (opponent ?p ?q))
(<= (goal ?p 50) (role ?p) (not decided))
