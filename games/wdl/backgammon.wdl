; title: Backgammon
; rules: Fifteen men each race around the board by two dice and off it. A single man that is hit begins again from
;   the bar. Both dice must be used where that is possible. A gammon counts twice, a backgammon three times.
; players: 2

; Each player counts the points towards the own end: 24 is farthest, 1 to 6 are home, 0 is off, and 25 is the bar.
; Point n of one player is point 25 - n of the other.

(include boardgames:dicing)

(role black)
(role white)
(opponent black white)
(opponent white black)

; --- the start -------------------------------------------------------------------------------------------

(start 24 2) (start 13 5) (start 8 3) (start 6 5)
(<= (starts ?n) (start ?n ?_k))
(<= (init (men ?p ?n ?k)) (role ?p) (start ?n ?k))
(<= (init (men ?p ?n 0)) (role ?p) (place ?n) (not (starts ?n)))
(init opening)

; --- rolling ---------------------------------------------------------------------------------------------

(<= (legal ?p (roll boardgames:dicing:dice)) (role ?p) (true opening))
(<= (legal ?p (roll boardgames:dicing:dice)) (true (phase first ?p)))
(<= (legal ?p (roll boardgames:dicing:dice)) (true (phase second ?p)))
(<= (legal ?p wait) (role ?p) (not (acts ?p)))
(<= (acts ?p) (role ?p) (true opening))
(<= (acts ?p) (true (phase ?_stage ?p)))

; In the opening each rolls one die. The higher begins with both; equal dice are rolled again.
(<= (opened ?p ?high ?low) (true opening) (does ?p (roll ?high)) (does ?q (roll ?low)) (opponent ?p ?q)
    (higher ?high ?low))
(<= begun (opened ?_p ?_high ?_low))
(<= (next opening) (true opening) (not begun))
(<= (next (phase move ?p)) (opened ?p ?_high ?_low))
(<= (next (left ?n 1)) (opened ?_p ?n ?_low))
(<= (next (left ?n 1)) (opened ?_p ?_high ?n))

; Then each rolls one die after the other. Equal dice count four times.
(<= (next (phase second ?p)) (true (phase first ?p)))
(<= (next (rolled ?n)) (true (phase first ?p)) (does ?p (roll ?n)))
(<= (next (phase move ?p)) (true (phase second ?p)))
(<= (next (left ?n 4)) (true (phase second ?p)) (true (rolled ?n)) (does ?p (roll ?n)))
(<= (next (left ?n 1)) (true (phase second ?p)) (true (rolled ?n)) (does ?p (roll ?m)) (distinct ?m ?n))
(<= (next (left ?m 1)) (true (phase second ?p)) (true (rolled ?n)) (does ?p (roll ?m)) (distinct ?m ?n))

; --- one man by one die ----------------------------------------------------------------------------------

(<= (has ?p ?n) (true (men ?p ?n ?k)) (distinct ?k 0))
(<= (several ?p ?n) (true (men ?p ?n ?k)) (distinct ?k 0) (distinct ?k 1))
(<= (closed ?p ?n) (opponent ?p ?q) (across ?n ?m) (several ?q ?m))
(<= (open_at ?p ?n) (role ?p) (point ?n) (not (closed ?p ?n)))
(<= (behind ?p ?n) (has ?p ?m) (place ?n) (higher ?m ?n))

; (can p n d): a man on point n of p can go d points.
(<= (can ?p ?n ?d) (has ?p ?n) (may_leave ?p ?n) (less ?n ?d ?m) (open_at ?p ?m))
(<= (can ?p ?n ?d) (has ?p ?n) (home ?n) (less ?n ?d 0) (not (behind ?p 6)) (off ?p ?n ?d))
(<= (may_leave ?p 25) (role ?p))
(<= (may_leave ?p ?n) (role ?p) (point ?n) (not (has ?p 25)))
; By a die that is too large a man goes off only where none is behind it.
(<= (off ?p ?n ?n) (role ?p) (home ?n))
(<= (off ?p ?n ?d) (role ?p) (home ?n) (die ?d) (higher ?d ?n) (not (behind ?p ?n)))

; --- both dice, where that is possible -------------------------------------------------------------------

(<= two_dice (true (left ?d 1)) (true (left ?e 1)) (distinct ?d ?e))

; (then p n d e): after a man has gone from n by d, some man can go by e.
(<= (then ?p ?n ?d ?e) (first_of_two ?p ?n ?d ?e) (leaves_after ?p ?n ?d ?g) (may_leave_after ?p ?n ?g)
    (less ?g ?e ?m) (open_at ?p ?m))
(<= (then ?p ?n ?d ?e) (first_of_two ?p ?n ?d ?e) (leaves_after ?p ?n ?d ?g) (home ?g) (less ?g ?e 0)
    (all_home_after ?p ?n ?d) (off_after ?p ?n ?d ?g ?e))

(<= (first_of_two ?p ?n ?d ?e) (true (phase move ?p)) two_dice (true (left ?d 1)) (true (left ?e 1))
    (distinct ?d ?e) (can ?p ?n ?d))

; Where there is a man after the first move.
(<= (leaves_after ?p ?n ?d ?g) (can ?p ?n ?d) (has ?p ?g) (distinct ?g ?n))
(<= (leaves_after ?p ?n ?d ?n) (can ?p ?n ?d) (several ?p ?n))
(<= (leaves_after ?p ?n ?d ?g) (can ?p ?n ?d) (less ?n ?d ?g) (point ?g))

(<= (may_leave_after ?p ?n 25) (role ?p) (place ?n))
(<= (may_leave_after ?p ?n ?g) (role ?p) (place ?n) (point ?g) (not (has ?p 25)))
(<= (may_leave_after ?p 25 ?g) (point ?g) (true (men ?p 25 1)))

(<= (all_home_after ?p ?n ?d) (can ?p ?n ?d) (not (behind ?p 6)))
(<= (all_home_after ?p ?n ?d) (can ?p ?n ?d) (higher ?n 6) (less ?n ?d ?m) (home ?m) (true (men ?p ?n 1))
    (not (another_outside ?p ?n)))
(<= (another_outside ?p ?n) (has ?p ?m) (higher ?m 6) (place ?n) (distinct ?m ?n))

(<= (off_after ?p ?n ?d ?g ?g) (can ?p ?n ?d) (home ?g))
(<= (off_after ?p ?n ?d ?g ?e) (can ?p ?n ?d) (home ?g) (die ?e) (higher ?e ?g)
    (not (behind_after ?p ?n ?d ?g)))
(<= (behind_after ?p ?n ?d ?g) (leaves_after ?p ?n ?d ?h) (home ?g) (higher ?h ?g))

(<= (both_possible ?p) (then ?p ?_n ?_d ?_e))

; --- moves -----------------------------------------------------------------------------------------------

(<= (legal ?p (move ?n ?d)) (true (phase move ?p)) (true (left ?d ?_k)) (can ?p ?n ?d) (not two_dice))
(<= (legal ?p (move ?n ?d)) (then ?p ?n ?d ?_e))
(<= (legal ?p (move ?n ?d)) (true (phase move ?p)) two_dice (true (left ?d 1)) (can ?p ?n ?d)
    (not (both_possible ?p)) (not (larger_possible ?p ?d)))
(<= (larger_possible ?p ?d) (true (phase move ?p)) (die ?d) (true (left ?e 1)) (higher ?e ?d) (can ?p ?_n ?e))
(<= (legal ?p pass) (true (phase move ?p)) (not (any_move ?p)))
(<= (any_move ?p) (true (phase move ?p)) (true (left ?d ?_k)) (can ?p ?_n ?d))

; --- what follows ----------------------------------------------------------------------------------------

(<= (went ?p ?n ?m) (does ?p (move ?n ?d)) (less ?n ?d ?m))
(<= (hit ?q ?m) (went ?p ?_n ?h) (opponent ?p ?q) (across ?h ?m) (true (men ?q ?m 1)))

(<= (fewer ?p ?n) (went ?p ?n ?_m))
(<= (fewer ?q ?m) (hit ?q ?m))
(<= (more ?p ?m) (went ?p ?_n ?m))
(<= (more ?q 25) (hit ?q ?_m))
(<= (next (men ?p ?n ?j)) (fewer ?p ?n) (true (men ?p ?n ?k)) (succ ?j ?k))
(<= (next (men ?p ?n ?j)) (more ?p ?n) (true (men ?p ?n ?k)) (succ ?k ?j))
(<= (next (men ?p ?n ?k)) (true (men ?p ?n ?k)) (not (fewer ?p ?n)) (not (more ?p ?n)))

(<= (next (left ?d ?j)) (true (left ?d ?k)) (does ?_p (move ?_n ?d)) (succ ?j ?k) (distinct ?j 0))
(<= (next (left ?d ?k)) (true (left ?d ?k)) (does ?_p (move ?_n ?e)) (distinct ?d ?e))

(<= (stays ?p) (does ?p (move ?_n ?d)) (true (left ?d ?k)) (distinct ?k 1))
(<= (stays ?p) (does ?p (move ?_n ?d)) (true (left ?e ?_k)) (distinct ?d ?e))
(<= (next (phase move ?p)) (true (phase move ?p)) (stays ?p))
(<= (next (phase first ?q)) (true (phase move ?p)) (not (stays ?p)) (opponent ?p ?q))

; --- the end ---------------------------------------------------------------------------------------------

(<= (won ?p) (true (men ?p 0 15)))
(<= terminal (won ?_p))
(<= (goal ?p 100) (won ?p) (backgammon ?p))
(<= (goal ?p 66) (won ?p) (gammon ?p) (not (backgammon ?p)))
(<= (goal ?p 33) (won ?p) (not (gammon ?p)))
(<= (goal ?p 0) (role ?p) (not (won ?p)))
(<= (gammon ?p) (opponent ?p ?q) (true (men ?q 0 0)))
(<= (backgammon ?p) (gammon ?p) (opponent ?p ?q) (behind ?q 18))

; --- numbers ---------------------------------------------------------------------------------------------

(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
(succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16)
(succ 16 17) (succ 17 18) (succ 18 19) (succ 19 20) (succ 20 21) (succ 21 22) (succ 22 23) (succ 23 24)
(succ 24 25)
(die 1) (die 2) (die 3) (die 4) (die 5) (die 6)
(home 1) (home 2) (home 3) (home 4) (home 5) (home 6)
(<= (point ?n) (across ?n ?_m))
(place 0) (place 25)
(<= (place ?n) (point ?n))
(<= (higher ?m ?n) (succ ?n ?m))
(<= (higher ?m ?n) (succ ?k ?m) (higher ?k ?n))
(across 1 24) (across 2 23) (across 3 22) (across 4 21) (across 5 20) (across 6 19) (across 7 18) (across 8 17)
(across 9 16) (across 10 15) (across 11 14) (across 12 13) (across 13 12) (across 14 11) (across 15 10) (across 16 9)
(across 17 8) (across 18 7) (across 19 6) (across 20 5) (across 21 4) (across 22 3) (across 23 2) (across 24 1)

; (less n d m): d points on from n is m, which is nothing less than 0.
(<= (less ?n 1 ?m) (succ ?m ?n))
(<= (less ?n ?e ?j) (less ?n ?d ?m) (succ ?d ?e) (die ?e) (succ ?j ?m))
(<= (less ?n ?e 0) (less ?n ?d 0) (succ ?d ?e) (die ?e))
