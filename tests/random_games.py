"""Random small games: safe, stratified sheets with recursion, negation, functions and long bodies.

They are hardly fun to play, but every rule can matter, and every engine must give the same answers on them.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset

CONSTANTS = ("a", "b", "c", "1", "2")
VARIABLES = ("?x", "?y", "?z", "?u", "?v")
FLUENTS = {"on": 1, "at": 2, "flag": 0, "held": 1}
MOVES = {"put": 1, "swap": 2, "pass": 0}
STATIC = {"item": 1, "link": 2}
LEVELS = (("low", 1), ("path", 2), ("mid", 2), ("high", 1), ("top", 0))
"""Derived relations; a rule uses those before its own under ``not``, and its own only positively."""

LIVELY = (
    "(<= (legal ?r (put ?x)) (role ?r) (item ?x))",
    "(<= (legal red (swap ?x ?y)) (true (at ?x ?z)) (link ?z ?y))",
    "(<= (next (on ?x)) (does ?r (put ?x)))",
    "(<= (next (on ?x)) (true (on ?x)) (not (does red (put ?x))))",
    "(<= (next (at ?y ?x)) (true (at ?x ?y)) (does red (swap ?x ?u)))",
    "(<= (next (at ?x ?y)) (true (at ?x ?y)) (true (on ?z)) (distinct ?z ?x))",
    "(<= (next (held ?x)) (true (on ?x)) (true (held ?y)))",
)
"""Rules of which some are in every game, so that moves are found and facts do not die out."""


def random_game(chance: Random) -> str:
    """The text of a game with one or two roles."""
    return "\n".join(_Sheet(chance).lines())


def random_games() -> st.SearchStrategy[Ruleset]:
    """Hypothesis strategy of parsed random games."""
    return st.integers(0, 2**32).map(lambda seed: parse_kif(random_game(Random(seed))))


class _Sheet:
    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.roles = ("red", "blue")[: chance.randint(1, 2)]

    def lines(self) -> list[str]:
        chance = self.chance
        lines = [f"(role {role})" for role in self.roles]
        for name, arity in STATIC.items():
            lines += [call(name, self.constants(arity)) for _ in range(chance.randint(3, 9))]
        lines += [f"(init {call(name, self.constants(arity))})"
                  for name, arity in FLUENTS.items() for _ in range(chance.randint(1, 5))]  # fmt: skip
        for level, (name, arity) in enumerate(LEVELS):
            lines += [self.rule(name, arity, level, does=False) for _ in range(chance.randint(1, 3))]
        lines += chance.sample(LIVELY, chance.randint(3, len(LIVELY)))
        lines += ["(<= (legal ?r pass) (role ?r))"]
        lines += [self.keyword("legal", MOVES, does=False) for _ in range(chance.randint(1, 3))]
        lines += [self.keyword("next", FLUENTS, does=True) for _ in range(chance.randint(3, 6))]
        lines += [self.keyword("sees", MOVES, does=True) for _ in range(chance.randint(0, 2))]
        lines += [self.body_rule("terminal", self.body(len(LEVELS), False, chance.randint(2, 4)))]
        for value in (0, 50, 100):
            head = f"(goal {chance.choice(self.roles)} {value})"
            lines.append(self.body_rule(head, self.body(len(LEVELS), False, 2)))
        return lines

    def constants(self, count: int) -> list[str]:
        return [self.chance.choice(CONSTANTS) for _ in range(count)]

    def rule(self, name: str, arity: int, level: int, does: bool) -> str:
        body = self.body(level, does, self.chance.randint(1, 4))
        if self.chance.random() < 0.4:  # recursion
            body.insert(self.chance.randint(0, len(body)), call(name, self.terms(VARIABLES, arity)))
        return self.body_rule(call(name, self.terms(bound(body), arity)), body)

    def keyword(self, name: str, functions: dict[str, int], does: bool) -> str:
        body = self.body(len(LEVELS), does, self.chance.randint(1, 4))
        function = self.chance.choice(list(functions))
        term = call(function, self.terms(bound(body), functions[function]))
        role = self.chance.choice(self.roles)
        return self.body_rule(f"(next {term})" if name == "next" else f"({name} {role} {term})", body)

    def body_rule(self, head: str, body: list[str]) -> str:
        chance, names = self.chance, bound(body)
        for _ in range(chance.randint(0, 2)):
            if chance.random() < 0.5 and names:
                literal = f"(distinct {chance.choice(names)} {chance.choice([*names, *CONSTANTS])})"
            else:
                level = next(
                    (at for at, (name, _) in enumerate(LEVELS) if f"({name} " in head or head == name), None
                )
                literal = f"(not {self.atom(len(LEVELS) if level is None else level, False, names)})"
            body.insert(chance.randint(0, len(body)), literal)
        return f"(<= {head} {' '.join(body)})" if body else head

    def body(self, level: int, does: bool, count: int) -> list[str]:
        return [self.atom(level, does, VARIABLES) for _ in range(count)]

    def atom(self, level: int, does: bool, names: tuple[str, ...]) -> str:
        chance = self.chance
        kind = chance.choice(["static", "true", "true", "level", "does" if does else "true"])
        if kind == "level" and level:
            name, arity = LEVELS[chance.randrange(level)]
            return call(name, self.terms(names, arity))
        if kind == "does":
            name = chance.choice(list(MOVES))
            return f"(does {chance.choice(self.roles)} {call(name, self.terms(names, MOVES[name]))})"
        if kind == "static":
            name = chance.choice(list(STATIC))
            return call(name, self.terms(names, STATIC[name]))
        name = chance.choice(list(FLUENTS))
        return f"(true {call(name, self.terms(names, FLUENTS[name]))})"

    def terms(self, names: tuple[str, ...], count: int) -> list[str]:
        return [
            self.chance.choice(names if names and self.chance.random() < 0.85 else CONSTANTS)
            for _ in range(count)
        ]


def call(name: str, args: list[str]) -> str:
    return f"({name} {' '.join(args)})" if args else name


def bound(body: list[str]) -> tuple[str, ...]:
    """The variables some positive atom of a body binds."""
    return tuple(name for name in VARIABLES if any(name in literal for literal in body))
