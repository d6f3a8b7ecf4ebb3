"""Tiny games written for tests: small enough to work out by hand."""

from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif

DOOR = """
; Two people push a door; it opens when both push at once, and the game lasts at most two steps.
(role left) (role right)
(init (step 0)) (init closed)
(<= (legal ?r push) (role ?r))
(<= (legal ?r wait) (role ?r))
(succ 0 1) (succ 1 2)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= pushed (does left push) (does right push))
(<= (next open) pushed)
(<= (next closed) (true closed) (not pushed))
(<= terminal (true open))
(<= terminal (true (step 2)))
(<= (goal ?r 100) (role ?r) (true open))
(<= (goal ?r 0) (role ?r) (true closed))
"""

COIN = """
; Nature tosses a coin; the guesser, who does not see it, calls it.
(role random) (role guesser)
(init (phase toss))
(side heads) (side tails)
(<= (legal random (toss ?s)) (side ?s) (true (phase toss)))
(<= (legal random noop) (true (phase call)))
(<= (legal guesser noop) (true (phase toss)))
(<= (legal guesser (call ?s)) (side ?s) (true (phase call)))
(<= (next (phase call)) (true (phase toss)))
(<= (next (coin ?s)) (does random (toss ?s)))
(<= (next won) (does guesser (call ?s)) (true (coin ?s)))
(<= (next (phase over)) (true (phase call)))
(<= (sees guesser (it_was ?s)) (true (phase call)) (true (coin ?s)))
(<= (sees guesser tossed) (does random (toss ?s)))
(<= terminal (true (phase over)))
(<= (goal guesser 100) (true won))
(<= (goal guesser 0) (not (true won)))
(<= (goal random 50))
"""

CIRCLE = """
; A walker goes round a triangle for ever.
(role walker)
(init (at a))
(edge a b) (edge b c) (edge c a)
(<= (legal walker go) (true (at ?x)))
(<= (next (at ?y)) (true (at ?x)) (edge ?x ?y) (does walker go))
(<= terminal (true (at nowhere)))
(goal walker 0)
"""


def door() -> ReferenceGame:
    return ReferenceGame(parse_kif(DOOR), "door")


def coin() -> ReferenceGame:
    return ReferenceGame(parse_kif(COIN), "coin")


def circle() -> ReferenceGame:
    return ReferenceGame(parse_kif(CIRCLE), "circle")
