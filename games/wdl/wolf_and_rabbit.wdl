; title: Wolf and rabbit
; rules: Both step at the same time on a meadow of six by six. The wolf may also spring to a corner of its cell, and one
;   spring of three fails. While the rabbit steps or sits, clover sprouts somewhere at times. The rabbit wins when it
;   has eaten five clovers, and the wolf when it catches the rabbit. After thirty steps it is a draw.
; players: 2
; length: 30

(include arith:successor)
(include boardgames:grid)
(set range 0 31)

(role wolf)
(role rabbit)

; --- the meadow -----------------------------------------------------------------------------------------

(number 1) (number 2) (number 3) (number 4) (number 5) (number 6)
(<= (field ?x ?y) (number ?x) (number ?y))
(<= (beside ?x1 ?y1 ?x2 ?y2) (boardgames:grid:beside ?x1 ?y1 ?x2 ?y2) (field ?x1 ?y1) (field ?x2 ?y2))
(<= (corner ?x1 ?y1 ?x2 ?y2) (boardgames:grid:corner ?x1 ?y1 ?x2 ?y2) (field ?x1 ?y1) (field ?x2 ?y2))

(start 1 1 wolf) (start 5 5 rabbit) (start 2 5 clover) (start 5 2 clover)
(<= (init (cell ?x ?y ?thing)) (start ?x ?y ?thing))
(<= (init (cell ?x ?y b)) (field ?x ?y) (not (covered ?x ?y)))
(<= (covered ?x ?y) (start ?x ?y ?_thing))
(init (eaten 0))
(init (step 1))

; --- moves ----------------------------------------------------------------------------------------------

(random luck 2 far)
(random luck 1 short)
(random sprout 40 nowhere)
(<= (random sprout 1 (at ?x ?y)) (true (cell ?x ?y b)))

(legal wolf stay)
(<= (legal wolf (go ?x ?y)) (true (cell ?x1 ?y1 wolf)) (beside ?x1 ?y1 ?x ?y))
(<= (legal wolf (spring ?x ?y luck)) (true (cell ?x1 ?y1 wolf)) (corner ?x1 ?y1 ?x ?y))
(legal rabbit (sit sprout))
(<= (legal rabbit (hop ?x ?y sprout)) (true (cell ?x1 ?y1 rabbit)) (beside ?x1 ?y1 ?x ?y))

; --- where they land ------------------------------------------------------------------------------------

(<= (lands wolf ?x ?y) (does wolf (go ?x ?y)))
(<= (lands wolf ?x ?y) (does wolf (spring ?x ?y far)))
(<= (lands wolf ?x ?y) (does wolf (spring ?_x ?_y short)) (true (cell ?x ?y wolf)))
(<= (lands wolf ?x ?y) (does wolf stay) (true (cell ?x ?y wolf)))
(<= (lands rabbit ?x ?y) (does rabbit (hop ?x ?y ?_sprout)))
(<= (lands rabbit ?x ?y) (does rabbit (sit ?_sprout)) (true (cell ?x ?y rabbit)))
(<= (landed ?x ?y) (lands ?_animal ?x ?y))

(<= (sprouts ?x ?y) (does rabbit (hop ?_x ?_y (at ?x ?y))))
(<= (sprouts ?x ?y) (does rabbit (sit (at ?x ?y))))

; Caught where both land, or where they change places.
(<= catches (lands wolf ?x ?y) (lands rabbit ?x ?y))
(<= catches (lands wolf ?x ?y) (true (cell ?x ?y rabbit)) (lands rabbit ?x1 ?y1) (true (cell ?x1 ?y1 wolf)))
(<= (next caught) catches)

(<= (next (cell ?x ?y wolf)) (lands wolf ?x ?y))
(<= (next (cell ?x ?y rabbit)) (lands rabbit ?x ?y) (not catches))
(<= (next (cell ?x ?y b)) (lands rabbit ?x ?y) catches (not (lands wolf ?x ?y)))
(<= (next (cell ?x ?y clover)) (true (cell ?x ?y clover)) (not (landed ?x ?y)))
(<= (next (cell ?x ?y clover)) (sprouts ?x ?y) (not (landed ?x ?y)))
(<= (next (cell ?x ?y b)) (field ?x ?y) (not (landed ?x ?y)) (not (sprouts ?x ?y)) (not (true (cell ?x ?y clover))))

(<= eats (lands rabbit ?x ?y) (true (cell ?x ?y clover)) (not catches))
(<= (next (eaten ?m)) eats (true (eaten ?n)) (arith:successor:++ ?n ?m))
(<= (next (eaten ?n)) (not eats) (true (eaten ?n)))
(<= (next (step ?m)) (true (step ?n)) (arith:successor:++ ?n ?m))

; --- the end --------------------------------------------------------------------------------------------

(<= (wins wolf) (true caught))
(<= (wins rabbit) (true (eaten 5)))
(<= decided (wins ?_animal))
(<= terminal decided)
(<= terminal (true (step 31)))
(<= (goal ?p 100) (wins ?p))
(<= (goal ?p 0) (wins ?q) (role ?p) (distinct ?p ?q))
(<= (goal ?p 50) (role ?p) (not decided))
