; title: Steps on a grid
; rules: Cells have two numbers from 1 to 8. (beside x1 y1 x2 y2) is a step to a cell that shares a side, (corner x1 y1
;   x2 y2) one to a cell that shares a corner, (around x1 y1 x2 y2) either. A smaller board asks for cells of its own.

(follows 1 2) (follows 2 3) (follows 3 4) (follows 4 5) (follows 5 6) (follows 6 7) (follows 7 8)
(<= (number ?m) (follows ?m ?_n))
(number 8)

(<= (next_to ?m ?n) (follows ?m ?n))
(<= (next_to ?n ?m) (follows ?m ?n))

(<= (beside ?x1 ?y ?x2 ?y) (next_to ?x1 ?x2) (number ?y))
(<= (beside ?x ?y1 ?x ?y2) (next_to ?y1 ?y2) (number ?x))
(<= (corner ?x1 ?y1 ?x2 ?y2) (next_to ?x1 ?x2) (next_to ?y1 ?y2))
(<= (around ?x1 ?y1 ?x2 ?y2) (beside ?x1 ?y1 ?x2 ?y2))
(<= (around ?x1 ?y1 ?x2 ?y2) (corner ?x1 ?y1 ?x2 ?y2))
