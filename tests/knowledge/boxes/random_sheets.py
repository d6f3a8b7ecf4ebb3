"""Small sheets with hidden information, drawn at random."""

from __future__ import annotations

import random

from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset

BEGIN = """
(role me) (role you) (dom 0) (dom 1) (dom 2) (after 0 1) (after 1 2) (after 2 0)
(legal me noop) (legal you noop)
(<= (legal me (do ?x)) (dom ?x))
"""
OF_STATE = ("(true (p ?x))", "(true q)", "(true (r ?x ?y))", "(true (p 1))")
OF_MOVES = ("(does you (go ?x))", "(does me (do ?x))", "(does ?who (do ?x))", "(does you noop)")


def random_sheet(seed: int) -> Ruleset:
    """A stratified sheet of two roles, in which ``me`` sees something of the moves of ``you``."""
    chance = random.Random(seed)
    lines = [BEGIN]
    lines += [
        f"(init {fact})" for fact in ("(p 0)", "(p 2)", "q", "(r 0 1)", "(r 2 0)") if chance.random() < 0.5
    ]
    lines += ["(init (step 0))", "(<= (next (step ?y)) (true (step ?x)) (after ?x ?y))"]
    state, moves = list(OF_STATE), list(OF_MOVES)
    for name in ("s", "t"):
        lines += _rules(chance, f"({name} ?x)", state, 2)
        state.append(f"({name} ?x)")
    lines += _rules(chance, "(legal you (go ?x))", state, 2)
    moves += state
    for name in ("h", "i"):
        lines += _rules(chance, f"({name} ?x)", moves, 2)
        moves.append(f"({name} ?x)")
    for head in ("(sees me (saw ?x))", "(sees me ping)", "(next (p ?x))", "(next q)", "(next (r ?x ?y))"):
        lines += _rules(chance, head, moves, 2)
    if chance.random() < 0.3:
        lines.append("(<= (next ?f) (true ?f) (does you noop))")
    if chance.random() < 0.3:
        lines.append("(<= (sees me ?m) (does you ?m))")
    for head in ("terminal", "(goal me 100)", "(goal me 0)"):
        lines += _rules(chance, head, state, 1)
    return parse_kif("\n".join(lines))


def _rules(chance: random.Random, head: str, pool: list[str], most: int) -> list[str]:
    return [_rule(chance, head, pool) for _ in range(chance.randint(1, most))]


def _rule(chance: random.Random, head: str, pool: list[str]) -> str:
    body = ["(dom ?x)", "(after ?x ?y)" if chance.random() < 0.5 else "(dom ?y)"]
    for _ in range(chance.randint(1, 3)):
        literal = chance.choice(pool)
        if chance.random() < 0.3:
            literal = literal.replace("?y", "?z").replace("?x", "?y").replace("?z", "?x")
        # A variable that stands under `not` only would need a meaning of its own.
        bare = chance.random() < 0.7 or "?who" in literal
        body.append(literal if bare else f"(not {literal})")
    return f"(<= {head} {' '.join(body)})"
