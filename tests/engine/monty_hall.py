"""Monty Hall for two, in both dresses: the running example of the paper on filtering, errata mended."""

MONTY_HALL_KIF = """
; Monty hides a car behind one of three doors while the candidate chooses one. Monty opens another door
; without the car; the candidate may then switch.
(role monty) (role candidate)
(init (closed 1)) (init (closed 2)) (init (closed 3)) (init (step 1))

(<= (legal monty (hide_car ?d)) (true (step 1)) (true (closed ?d)))
(<= (legal monty (open_door ?d))
    (true (step 2)) (true (closed ?d)) (not (true (car ?d))) (not (true (chosen ?d))))
(<= (legal monty noop) (true (step 3)))
(<= (legal candidate (choose ?d)) (true (step 1)) (true (closed ?d)))
(<= (legal candidate noop) (true (step 2)))
(<= (legal candidate noop) (true (step 3)))
(<= (legal candidate switch) (true (step 3)))

(<= (next (car ?d)) (does monty (hide_car ?d)))
(<= (next (car ?d)) (true (car ?d)))
(<= (next (closed ?d)) (true (closed ?d)) (not (does monty (open_door ?d))))
(<= (next (chosen ?d)) (does candidate (choose ?d)))
(<= (next (chosen ?d)) (true (chosen ?d)) (not (does candidate switch)))
(<= (next (chosen ?d)) (does candidate switch) (true (closed ?d)) (not (true (chosen ?d))))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)))
(<= (next (step 4)) (true (step 3)))

(<= (sees candidate ?d) (does monty (open_door ?d)))
(<= (sees candidate ?d) (true (step 3)) (true (car ?d)))
(<= (sees monty (move ?r ?m)) (does ?r ?m))

(<= terminal (true (step 4)))
(<= (goal candidate 100) (true (chosen ?d)) (true (car ?d)))
(<= (goal candidate 0) (true (chosen ?d)) (not (true (car ?d))))
(<= (goal monty 100) (true (chosen ?d)) (not (true (car ?d))))
(<= (goal monty 0) (true (chosen ?d)) (true (car ?d)))
"""

MONTY_HALL_PROLOG = r"""
% The same in Prolog dress, with every liberty it takes.
role(monty). role(candidate).
init(closed(1)). init(closed(2)). init(closed(3)). init(step(1)).

legal(monty, hide_car(D)) :- true(step(1)), true(closed(D)).
legal(monty, open_door(D)) :-
    true(step(2)), true(closed(D)), not true(car(D)), \+ true(chosen(D)).
legal(monty, noop) :- true(step(3)).
legal(candidate, choose(D)) :- true(step(1)), true(closed(D)).
legal(candidate, noop) :- true(step(2)).
legal(candidate, noop()) :- true(step(3)).
legal(candidate, switch) :- true(step(3)).

next(car(D)) :- does(monty, hide_car(D)).
next(car(D)) :- true(car(D)).
next(closed(D)) :- true(closed(D)), not(does(monty, open_door(D))).
next(chosen(D)) :- does(candidate, choose(D)).
next(chosen(D)) :- true(chosen(D)), not does(candidate, switch).
next(chosen(D)) :- does(candidate, switch), true(closed(D)), not true(chosen(D)).
next(step(2)) :- true(step(1)).
next(step(3)) :- true(step(2)).
next(step(4)) :- true(step(3)).

sees(candidate, D) :- does(monty, open_door(D)).      /* the number of the door only */
sees(candidate, D) :- true(step(3)), true(car(D)).
sees(monty, move(R, M)) :- does(R, M).

terminal() :- true(step(4)).
goal(candidate, 100) :- true(chosen(D)), true(car(D)).
goal(candidate, 0) :- true(chosen(D)), not true(car(D)).
goal(monty, 100) :- true(chosen(D)), not true(car(D)).
goal(monty, 0) :- true(chosen(D)), true(car(D)).
"""
