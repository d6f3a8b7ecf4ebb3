"""Tiny games in which both choose at once, and the exact oracle: what a best answer to a policy gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, State
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term

Policy = Callable[[State, Term], Mapping[Term, float]]
"""How likely a role makes its moves in a state; moves that are left out are not made."""


def matrix_game(
    first: Sequence[Sequence[int]], second: Sequence[Sequence[int]] | None = None
) -> CompiledGame:
    """One choice each; the second player gets what the first leaves of 100, unless its goals are given."""
    rows = range(len(first))
    columns = range(len(first[0]))
    other = second or [[100 - goal for goal in row] for row in first]
    lines = ["(role row) (role column) (init open) (base open)"]
    for role, count in (("row", len(rows)), ("column", len(columns))):
        lines += [f"(input {role} m{at}) (base (chose {role} m{at}))" for at in range(count)]
        lines += [f"(<= (legal {role} m{at}) (true open))" for at in range(count)]
    lines += ["(<= (next (chose ?r ?m)) (does ?r ?m))", "(<= terminal (not (true open)))"]
    for row in rows:
        for column in columns:
            end = f"(true (chose row m{row})) (true (chose column m{column}))"
            lines += [f"(<= (goal row {first[row][column]}) {end})"]
            lines += [f"(<= (goal column {other[row][column]}) {end})"]
    return CompiledGame(parse_kif("\n".join(lines)), "matrix")


PURSUIT = """
; On three times three fields a hunter wants to be where the hare is; both step at once, six times at most.
(role hunter) (role hare)
(init (at hunter 1 1)) (init (at hare 3 3)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(coordinate 1) (coordinate 2) (coordinate 3)
(<= (near ?x ?u) (coordinate ?x) (coordinate ?u) (succ ?x ?u))
(<= (near ?x ?u) (coordinate ?x) (coordinate ?u) (succ ?u ?x))
(<= (legal ?r (go ?u ?y)) (true (at ?r ?x ?y)) (near ?x ?u))
(<= (legal ?r (go ?x ?v)) (true (at ?r ?x ?y)) (near ?y ?v))
(<= (next (at ?r ?x ?y)) (does ?r (go ?x ?y)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= caught (true (at hunter ?x ?y)) (true (at hare ?x ?y)))
(<= terminal caught)
(<= terminal (true (step 6)))
(<= (goal hunter 100) caught)
(<= (goal hunter 0) (not caught))
(<= (goal hare 100) (not caught))
(<= (goal hare 0) caught)
(<= (base (at ?r ?x ?y)) (role ?r) (coordinate ?x) (coordinate ?y))
(base (step 0))
(<= (base (step ?n)) (succ ?m ?n))
(<= (input ?r (go ?x ?y)) (role ?r) (coordinate ?x) (coordinate ?y))
"""


def pursuit() -> CompiledGame:
    return CompiledGame(parse_kif(PURSUIT), "pursuit")


PENNIES = [[100, 0], [0, 100]]
UNEVEN = [[100, 20], [0, 50]]
"""Worth 38.46 to the first, who plays its first move with probability 5/13; the second plays it with 3/13."""
BLUNT_SCISSORS = [[50, 0, 100], [100, 50, 40], [0, 60, 50]]
DILEMMA = [[60, 0], [100, 20]]
STAG_HUNT = [[100, 0], [60, 60]]


def transposed(matrix: Sequence[Sequence[int]]) -> list[list[int]]:
    """The goals of the second player in a symmetric game."""
    return [list(row) for row in zip(*matrix, strict=True)]


def most_against(game: Game, policy: Policy, answering: Term) -> float:
    """The goal that a role of a game of two can expect at most against the policy of the other."""
    return _value(game, policy, answering, lambda values, _: max(values))


def least_against(game: Game, policy: Policy, role: Term) -> float:
    """The goal that a role can be sure of with its policy, whatever the other does: goals are opposed."""
    other = next(one for one in game.roles if one is not role)
    return 100.0 - most_against(game, policy, other)


def exploitability(game: Game, policy: Policy) -> float:
    """What best answers to both roles gain together over the value of the game, halved; goals are opposed."""
    return (sum(most_against(game, policy, role) for role in game.roles) - 100.0) / 2


def worth(game: Game, policy: Policy, role: Term) -> float:
    """What a role expects if both play by the policy."""

    def mean(values: list[float], chances: list[float]) -> float:
        return sum(value * chance for value, chance in zip(values, chances, strict=True))

    return _value(game, policy, role, mean)


def _value(
    game: Game, policy: Policy, role: Term, choose: Callable[[list[float], list[float]], float]
) -> float:
    known: dict[State, float] = {}
    seat = game.roles.index(role)
    other = game.roles[1 - seat]

    def value(state: State) -> float:
        if state not in known:
            known[state] = float(state.goal(role) or 0) if state.is_terminal else after(state)
        return known[state]

    def after(state: State) -> float:
        replies = {move: chance for move, chance in policy(state, other).items() if chance > 0}
        own = policy(state, role)
        values = [
            sum(
                chance * value(state.play((move, reply) if seat == 0 else (reply, move)))
                for reply, chance in replies.items()
            )
            for move in state.legal(role)
        ]
        return choose(values, [own.get(move, 0.0) for move in state.legal(role)])

    return value(game.initial())


def even_policy(state: State, role: Term) -> Mapping[Term, float]:
    """How ``random`` plays."""
    legal = state.legal(role)
    return dict.fromkeys(legal, 1 / len(legal))
