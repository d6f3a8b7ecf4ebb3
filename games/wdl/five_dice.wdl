; title: Five dice
; rules: In turn you roll three dice, then two more, and may roll any of the five again, twice. Then you write the roll
;   into a free box of your sheet. Three alike count 20, a pair and three alike 25, four in a row 30, five alike 50, and
;   the last box the sum of the dice. A roll that does not fit counts nothing. More points win when both sheets are full.
; players: 2
; length: 70

(include arith:successor)
(include arith:plus)
(include arith:greater)
(set range 0 155)

(role red)
(role blue)
(opponent red blue)
(opponent blue red)

(face 1) (face 2) (face 3) (face 4) (face 5) (face 6)
(<= (random first 1 ?n) (face ?n))
(<= (random second 1 ?n) (face ?n))
(<= (random third 1 ?n) (face ?n))

; (stage now then): every turn goes through these; the three dice of the left hand come first.
(stage (dice 1 left) (dice 1 right))
(stage (dice 1 right) (dice 2 left))
(stage (dice 2 left) (dice 2 right))
(stage (dice 2 right) (dice 3 left))
(stage (dice 3 left) (dice 3 right))
(stage (dice 3 right) write)
(stage write (dice 1 left))

(box three) (box house) (box run) (box five) (box sum)

(init (turn red))
(init (stage (dice 1 left)))
(<= (init (points ?p 0)) (role ?p))
(<= (init (free ?p ?box)) (role ?p) (box ?box))

; --- moves ----------------------------------------------------------------------------------------------

; A die that is not kept is rolled; the first time all are.
(<= (rolls ?p ?hand) (true (turn ?p)) (true (stage (dice ?_n ?hand))))
(<= (chooses ?p ?hand) (rolls ?p ?hand) (not (true (stage (dice 1 ?hand)))))
(<= (legal ?p (roll_three first second third)) (rolls ?p left))
(<= (legal ?p (roll_three first second keep)) (chooses ?p left))
(<= (legal ?p (roll_three first keep third)) (chooses ?p left))
(<= (legal ?p (roll_three first keep keep)) (chooses ?p left))
(<= (legal ?p (roll_three keep second third)) (chooses ?p left))
(<= (legal ?p (roll_three keep second keep)) (chooses ?p left))
(<= (legal ?p (roll_three keep keep third)) (chooses ?p left))
(<= (legal ?p (roll_three keep keep keep)) (chooses ?p left))
(<= (legal ?p (roll_two first second)) (rolls ?p right))
(<= (legal ?p (roll_two first keep)) (chooses ?p right))
(<= (legal ?p (roll_two keep second)) (chooses ?p right))
(<= (legal ?p (roll_two keep keep)) (chooses ?p right))
(<= (legal ?p (write ?box)) (true (turn ?p)) (true (stage write)) (true (free ?p ?box)))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))

; --- dice -----------------------------------------------------------------------------------------------

(<= (comes 1 ?a) (does ?_p (roll_three ?a ?_b ?_c)))
(<= (comes 2 ?b) (does ?_p (roll_three ?_a ?b ?_c)))
(<= (comes 3 ?c) (does ?_p (roll_three ?_a ?_b ?c)))
(<= (comes 4 ?a) (does ?_p (roll_two ?a ?_b)))
(<= (comes 5 ?b) (does ?_p (roll_two ?_a ?b)))
(<= (rolled ?i) (comes ?i ?n) (face ?n))
(<= (next (die ?i ?n)) (comes ?i ?n) (face ?n))
(<= (next (die ?i ?n)) (true (die ?i ?n)) (not (rolled ?i)) (not (true (stage write))))

(<= (next (stage ?then)) (true (stage ?now)) (stage ?now ?then))
(<= (next (turn ?q)) (true (turn ?p)) (true (stage write)) (opponent ?p ?q))
(<= (next (turn ?p)) (true (turn ?p)) (not (true (stage write))))

; --- what a roll counts ---------------------------------------------------------------------------------

(<= (two ?n) (true (die ?i ?n)) (true (die ?j ?n)) (arith:greater:greaterthan ?j ?i))
(<= (three ?n) (true (die ?i ?n)) (true (die ?j ?n)) (true (die ?k ?n)) (arith:greater:greaterthan ?j ?i)
    (arith:greater:greaterthan ?k ?j))
(<= (shows ?n) (true (die ?_i ?n)))
(<= (fits three) (three ?_n))
(<= (fits house) (three ?n) (two ?m) (distinct ?n ?m))
(<= (fits run) (shows ?a) (arith:successor:++ ?a ?b) (shows ?b) (arith:successor:++ ?b ?c) (shows ?c)
    (arith:successor:++ ?c ?d) (shows ?d))
(<= (fits five) (true (die 1 ?n)) (true (die 2 ?n)) (true (die 3 ?n)) (true (die 4 ?n)) (true (die 5 ?n)))
(prize three 20) (prize house 25) (prize run 30) (prize five 50)

(<= (sum_to 1 ?n) (true (die 1 ?n)))
(<= (sum_to ?i ?m) (sum_to ?h ?n) (arith:successor:++ ?h ?i) (true (die ?i ?k)) (arith:plus:plus ?n ?k ?m))

(<= (counts ?box ?k) (fits ?box) (prize ?box ?k))
(<= (counts ?box 0) (prize ?box ?_k) (not (fits ?box)))
(<= (counts sum ?n) (sum_to 5 ?n))

(<= (writes ?p) (does ?p (write ?_box)))
(<= (next (points ?p ?m)) (does ?p (write ?box)) (counts ?box ?k) (true (points ?p ?n)) (arith:plus:plus ?n ?k ?m))
(<= (next (points ?p ?n)) (true (points ?p ?n)) (not (writes ?p)))
(<= (next (free ?p ?box)) (true (free ?p ?box)) (not (does ?p (write ?box))))

; --- the end --------------------------------------------------------------------------------------------

(<= open (true (free ?_p ?_box)))
(<= terminal (not open))
(<= (ahead ?p) (opponent ?p ?q) (true (points ?p ?n)) (true (points ?q ?m)) (arith:greater:greaterthan ?n ?m))
(<= (goal ?p 100) (ahead ?p))
(<= (goal ?q 0) (ahead ?p) (opponent ?p ?q))
(<= (goal ?p 50) (role ?p) (true (points red ?n)) (true (points blue ?n)))
