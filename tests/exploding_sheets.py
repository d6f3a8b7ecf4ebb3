"""Rules that no machine can work through, each in a way of its own."""

from __future__ import annotations

NUMBERS = "".join(f"(num {number})" for number in range(12))
VARIABLES = " ".join(f"?x{number}" for number in range(7))

HUGE_GROUNDING = f"""
(role a) {NUMBERS} (init (s {"0 " * 7}))
(<= (legal a (go {VARIABLES})) {" ".join(f"(num ?x{number})" for number in range(7))})
(<= (next (s {VARIABLES})) (does a (go {VARIABLES})))
(<= terminal (true (s {"1 " * 7})))
(goal a 50)
"""
"""Twelve to the seventh moves."""

GROWING_TERMS = """
(role a) (init (s z)) (legal a go)
(<= (next (s (f ?x))) (true (s ?x)))
(<= terminal (true (s done)))
(goal a 50)
"""


def many_joint_moves(roles: int = 10, moves: int = 100) -> str:
    """As many joint moves as no integer of 64 bits counts."""
    named = "".join(f"(role r{role})" for role in range(roles))
    return f"""
{named} {"".join(f"(num {number})" for number in range(moves))} (init (s 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r (pick ?x)) (role ?r) (num ?x))
(<= (next (s ?y)) (true (s ?x)) (succ ?x ?y))
(<= (next (last ?r ?x)) (does ?r (pick ?x)))
(<= terminal (true (s 3)))
(<= (goal ?r 100) (role ?r) (true (last ?r 1)))
(<= (goal ?r 0) (role ?r) (not (true (last ?r 1))))
"""


def many_moves(moves: int = 1000) -> str:
    """Whether a move is legal depends on every other one."""
    numbers = "".join(f"(num {number})" for number in range(moves))
    follow = "".join(f"(succ {number} {number + 1})" for number in range(moves))
    return f"""
(role a) (role b) {numbers} {follow} (init (pile 0))
(<= (legal ?r (to ?x)) (role ?r) (num ?x) (not (passed ?x)))
(<= (passed ?x) (true (at ?r ?y)) (above ?y ?x))
(<= (above ?x ?y) (succ ?y ?x))
(<= (above ?x ?z) (succ ?y ?x) (above ?y ?z))
(<= (next (at ?r ?x)) (does ?r (to ?x)))
(<= (next (at ?r ?x)) (true (at ?r ?x)))
(<= terminal (true (at ?r {moves - 1})))
(<= (goal ?r 100) (true (at ?r {moves - 1})))
(<= (goal ?r 0) (role ?r) (not (true (at ?r {moves - 1}))))
"""


def long_chain(links: int = 50_000) -> str:
    """A recursion as deep as the chain is long."""
    follow = "".join(f"(succ {number} {number + 1})" for number in range(links))
    return f"""
(role a) {follow} (init (s 0)) (legal a go) (reach 0)
(<= (reach ?y) (reach ?x) (succ ?x ?y))
(<= (next (s ?y)) (true (s ?x)) (succ ?x ?y))
(<= terminal (true (s {links})) (reach {links}))
(goal a 100)
"""
