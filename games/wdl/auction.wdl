; title: Auction for three
; rules: Five lots are sold, and what a lot is worth to you, one to six coins, only you know. All bid at once, and all
;   pay what they bid. The highest bidder gets the worth of the lot in coins, or nobody does where two bid highest.
;   You see the bids, but not what lots are worth to others. The one with most coins at the end wins.
; players: 3
; length: 10

(include boardgames:dicing)
(include arith:successor)
(include arith:plus)
(include arith:greater)
; Twelve coins, and six at most for each of five lots.
(set range 0 42)

(role ann)
(role bob)
(role cid)

(init (lot 1))
(init (phase look))
(<= (init (coins ?p 12)) (role ?p))

; --- moves ----------------------------------------------------------------------------------------------

; Each looks at the lot and sees what it is worth to the own house.
(<= (legal ?p (look (visible ?p boardgames:dicing:dice))) (role ?p) (true (phase look)))
(<= (legal ?p (bid ?n)) (true (phase bid)) (true (coins ?p ?m)) (bid ?n) (not (arith:greater:greaterthan ?n ?m)))

(bid 0) (bid 1) (bid 2) (bid 3) (bid 4) (bid 5) (bid 6)

; --- a sale ---------------------------------------------------------------------------------------------

(<= (topped ?p) (does ?p (bid ?n)) (does ?q (bid ?m)) (distinct ?p ?q) (not (arith:greater:greaterthan ?n ?m)))
(<= (buys ?p) (does ?p (bid ?_n)) (not (topped ?p)))

(<= (next (worth ?p ?n)) (does ?p (look ?n)))
(<= (next (coins ?p ?n)) (true (phase look)) (true (coins ?p ?n)))
(<= (next (coins ?p ?m)) (does ?p (bid ?k)) (not (buys ?p)) (true (coins ?p ?n)) (arith:plus:minus ?n ?k ?m))
(<= (next (coins ?p ?l)) (does ?p (bid ?k)) (buys ?p) (true (coins ?p ?n)) (arith:plus:minus ?n ?k ?m)
    (true (worth ?p ?w)) (arith:plus:plus ?m ?w ?l))

; What the last sale was like; everybody has seen it.
(<= (next (paid ?p ?n)) (does ?p (bid ?n)))
(<= (next (paid ?p ?n)) (true (phase look)) (true (paid ?p ?n)))
(<= (next (bought ?p)) (buys ?p))
(<= (next (bought ?p)) (true (phase look)) (true (bought ?p)))

(<= (next (phase bid)) (true (phase look)))
(<= (next (phase look)) (true (phase bid)))
(<= (next (lot ?n)) (true (phase look)) (true (lot ?n)))
(<= (next (lot ?m)) (true (phase bid)) (true (lot ?n)) (arith:successor:++ ?n ?m))

; --- the end --------------------------------------------------------------------------------------------

(<= terminal (true (lot 6)))

(<= (poorer ?p) (true (coins ?p ?n)) (true (coins ?_q ?m)) (arith:greater:greaterthan ?m ?n))
(<= (first ?p) (role ?p) (not (poorer ?p)))
(<= (beside ?p ?q) (first ?p) (first ?q) (distinct ?p ?q))
(<= (shares ?p) (beside ?p ?_q))
(<= (shares_with_both ?p) (beside ?p ?q) (beside ?p ?r) (distinct ?q ?r))
(<= (goal ?p 0) (role ?p) (poorer ?p))
(<= (goal ?p 100) (first ?p) (not (shares ?p)))
(<= (goal ?p 50) (shares ?p) (not (shares_with_both ?p)))
(<= (goal ?p 33) (shares_with_both ?p))
