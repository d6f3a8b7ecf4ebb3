"""Random games on graphs of every kind, and their values worked out on the graph, without any engine.

A node belongs to a role, to nature, or to all players at once; edges lead to later nodes, or anywhere where
play may go round. All moves are seen. What ends are worth has a constant sum or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset

Values = tuple[Fraction, ...]

SHEET = """
(init (at 0))
(<= (legal ?p (go ?i)) (role ?p) (true (at ?n)) (moves ?n ?p ?i))
(<= (legal ?p noop) (role ?p) (true (at ?n)) (not (acts ?n ?p)))
(<= (acts ?n ?p) (moves ?n ?p ?i))
(<= (next (at ?m)) {conditions} (true (at ?n)) (leads ?n {moves} ?m))
(<= terminal (true (at ?n)) (end ?n))
(<= (goal ?p ?v) (true (at ?n)) (worth ?n ?p ?v))
(<= (sees ?r (did ?s ?m)) (role ?r) (does ?s ?m))
"""


@dataclass(frozen=True)
class Tree:
    """Nodes with the number of moves of each role, where each joint move leads, and what ends are worth."""

    roles: tuple[str, ...]
    moves: dict[int, tuple[int, ...]]
    after: dict[tuple[int, tuple[int, ...]], int]
    worth: dict[int, tuple[int, ...]]

    @property
    def players(self) -> list[int]:
        return [at for at, role in enumerate(self.roles) if role != "random"]

    def rules(self) -> Ruleset:
        parts = [f"(role {role})" for role in self.roles]
        names = [f"?m{at}" for at in range(len(self.roles))]
        conditions = [f"(does {role} {name})" for role, name in zip(self.roles, names, strict=True)]
        parts.append(SHEET.format(conditions=" ".join(conditions), moves=" ".join(names)))
        for node, counts in self.moves.items():
            parts += [
                f"(moves {node} {role} {number})"
                for role, count in zip(self.roles, counts, strict=True)
                for number in range(count)
                if count > 1
            ]
        for (node, joint), child in self.after.items():
            written = (
                f"(go {number})" if count > 1 else "noop"
                for number, count in zip(joint, self.moves[node], strict=True)
            )
            parts.append(f"(leads {node} {' '.join(written)} {child})")
        for node, values in self.worth.items():
            parts.append(f"(end {node})")
            parts += [
                f"(worth {node} {role} {value})" for role, value in zip(self.roles, values, strict=True)
            ]
        return parse_kif("\n".join(parts))

    def joints(self, node: int) -> list[tuple[int, ...]]:
        return list(product(*(range(count) for count in self.moves[node])))

    def equilibria(self) -> set[Values] | None:
        """All values that play of each for itself may have, with every choice among equals; None where
        players choose at once. Without circles only."""

        @cache
        def values(node: int) -> frozenset[Values] | None:
            if node in self.worth:
                return frozenset({tuple(Fraction(value) for value in self.worth[node])})
            choosers = [at for at, count in enumerate(self.moves[node]) if count > 1]
            if len(choosers) > 1:
                return None
            below = [values(self.after[node, joint]) for joint in self.joints(node)]
            if any(own is None for own in below):
                return None
            known = [own for own in below if own is not None]
            if not choosers:
                return known[0]
            found = set[Values]()
            for chosen in product(*known):
                if self.roles[choosers[0]] == "random":
                    found.add(
                        tuple(sum(column, Fraction(0)) / len(chosen) for column in zip(*chosen, strict=True))
                    )
                else:
                    best = max(own[choosers[0]] for own in chosen)
                    found |= {own for own in chosen if own[choosers[0]] == best}
            return frozenset(found)

        whole = values(0)
        return None if whole is None else set(whole)

    def forced(self, role: int) -> int:
        """What a role can force by fixed moves against all others, who know them; circles bring nothing."""
        best = 0
        for threshold in {values[role] for values in self.worth.values()}:
            won = {node for node, values in self.worth.items() if values[role] >= threshold}
            while more := {node for node in self.moves if node not in won and self._forces(node, role, won)}:
                won |= more
            if 0 in won:
                best = max(best, threshold)
        return best

    def _forces(self, node: int, role: int, won: set[int]) -> bool:
        return any(
            all(self.after[node, joint] in won for joint in self.joints(node) if joint[role] == own)
            for own in range(self.moves[node][role])
        )

    def mixed(self) -> Fraction:
        """The value of the first player where two are opposed, or of the only one; matrices of two by two."""

        @cache
        def value(node: int) -> Fraction:
            if node in self.worth:
                return Fraction(self.worth[node][self.players[0]])
            first, *rest = self.players
            counts = self.moves[node]
            columns = range(counts[rest[0]]) if rest else range(1)
            matrix = [
                [
                    _mean([
                        value(self.after[node, joint])
                        for joint in self.joints(node)
                        if joint[first] == row and (not rest or joint[rest[0]] == column)
                    ])
                    for column in columns
                ]
                for row in range(counts[first])
            ]  # fmt: skip
            return _matrix_value(matrix)

        return value(0)


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _matrix_value(matrix: list[list[Fraction]]) -> Fraction:
    low = max(min(row) for row in matrix)
    high = min(max(column) for column in zip(*matrix, strict=True))
    if low == high:
        return low
    (a, b), (c, d) = matrix  # no saddle point: both mix
    return (a * d - b * c) / (a + d - b - c)


def random_tree(seed: int) -> Tree:
    chance = Random(seed)
    roles = chance.choice(
        [("left",), ("left", "right"), ("left", "right"), ("left", "right", "third"), ("random", "left"),
         ("left", "random", "right")]
    )  # fmt: skip
    constant, at_once, circles = chance.random() < 0.5, chance.random() < 0.3, chance.random() < 0.2
    inner, ends = chance.randint(1, 7), chance.randint(2, 5)
    players = [role for role in roles if role != "random"]
    worth = {}
    for node in range(inner, inner + ends):
        own = {role: chance.choice((0, 30, 50, 100)) for role in players}
        if constant and len(players) == 2:
            own["right"] = 100 - own["left"]
        worth[node] = tuple(own.get(role, 0) for role in roles)
    moves, after = dict[int, tuple[int, ...]](), dict[tuple[int, tuple[int, ...]], int]()
    for node in range(inner):
        mover = chance.choice(roles)
        everybody = at_once and chance.random() < 0.5
        moves[node] = tuple(2 if everybody or role == mover else 1 for role in roles)
        for joint in product(*(range(count) for count in moves[node])):
            first = 0 if circles and chance.random() < 0.2 else node + 1
            after[node, joint] = chance.randrange(first, inner + ends)
    return Tree(roles, moves, after, worth)
