"""Random small games: safe, stratified sheets with everything GDL-II has.

Recursion, negation, ``distinct``, ``or``, nested functions, long bodies, up to three roles that move at once,
nature among them, percepts, several goals or none, roles without moves. They are hardly fun to play, but
every rule can matter, and every engine must give the same answers on them.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset

CONSTANTS = ("a", "b", "c", "1", "2")
VARIABLES = ("?x", "?y", "?z", "?u", "?v")
NESTED_VARIABLES = ("?n", "?m")
"""They stand for pairs and wraps, never inside one: terms cannot grow, and every sheet can be ground."""

# Arguments: "f" is a constant, "n" a pair or a wrap of constants.
FLUENTS = {"on": "f", "at": "ff", "flag": "", "held": "f", "box": "n"}
MOVES = {"put": "f", "swap": "ff", "pass": "", "open": "n"}
PERCEPTS = {"saw": "f", "heard": "", "touched": "n"}
STATIC = {"item": "f", "link": "ff"}
LEVELS = (("low", "f"), ("path", "ff"), ("seal", "n"), ("mid", "ff"), ("high", "f"), ("top", ""))
"""Derived relations; a rule uses those before its own under ``not``, and its own only positively."""
LATE = (("acted", "f"), ("chain", "ff"), ("stirred", ""))
"""Derived relations that may depend on what is done; only ``next`` and ``sees`` use them."""
ROLES = ("red", "blue", "random")

LIVELY = (
    "(<= (legal ?r (put ?x)) (role ?r) (item ?x))",
    "(<= (legal red (swap ?x ?y)) (true (at ?x ?z)) (link ?z ?y))",
    "(<= (legal red (open ?n)) (true (box ?n)))",
    "(<= (next (on ?x)) (does ?r (put ?x)))",
    "(<= (next (on ?x)) (true (on ?x)) (not (does red (put ?x))))",
    "(<= (next (at ?y ?x)) (true (at ?x ?y)) (does red (swap ?x ?u)))",
    "(<= (next (at ?x ?y)) (true (at ?x ?y)) (true (on ?z)) (distinct ?z ?x))",
    "(<= (next (held ?x)) (true (on ?x)) (true (held ?y)))",
    "(<= (next (box (pair ?y ?x))) (does red (open (pair ?x ?y))))",
    "(<= (next (box ?n)) (true (box ?n)) (not (does red (open ?n))))",
    "(<= (sees ?r (did ?s ?m)) (role ?r) (does ?s ?m) (distinct ?r ?s))",
)
"""Rules of which some are in every game, so that moves are found and facts do not die out."""


def random_game(chance: Random) -> str:
    """The text of a game with one to three roles."""
    return "\n".join(_Sheet(chance).lines())


def random_games() -> st.SearchStrategy[Ruleset]:
    """Hypothesis strategy of parsed random games."""
    return st.integers(0, 2**32).map(lambda seed: parse_kif(random_game(Random(seed))))


class _Sheet:
    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.roles = ROLES[: chance.choice([1, 2, 2, 3])]

    def lines(self) -> list[str]:
        chance = self.chance
        lines = [f"(role {role})" for role in self.roles]
        for name, types in STATIC.items():
            lines += [call(name, self.terms((), types)) for _ in range(chance.randint(3, 9))]
        lines += [f"(init {call(name, self.terms((), types))})"
                  for name, types in FLUENTS.items() for _ in range(chance.randint(1, 5))]  # fmt: skip
        for level, (name, types) in enumerate(LEVELS + LATE):
            lines += [self.rule(name, types, level) for _ in range(chance.randint(1, 3))]
        lines += chance.sample(LIVELY, chance.randint(3, len(LIVELY)))
        lines += self.passes()
        lines += [self.keyword("legal", MOVES, does=False) for _ in range(chance.randint(1, 3))]
        lines += [self.keyword("next", FLUENTS, does=True) for _ in range(chance.randint(3, 6))]
        lines += [self.keyword("sees", PERCEPTS, does=True) for _ in range(chance.randint(0, 3))]
        lines += [self.body_rule("terminal", self.body(len(LEVELS), False, chance.randint(2, 4)))]
        for value in (0, 50, 100):
            head = f"(goal {chance.choice(self.roles)} {value})"
            lines.append(self.body_rule(head, self.body(len(LEVELS), False, 2)))
        return lines

    def passes(self) -> list[str]:
        """Nearly always everybody may pass; else somebody may have no move in a state that is not the end."""
        if self.chance.random() < 0.9:
            return ["(<= (legal ?r pass) (role ?r))"]
        return [f"(<= (legal {role} pass) (true flag))" for role in self.roles]

    def rule(self, name: str, types: str, level: int) -> str:
        body = self.body(level, level >= len(LEVELS), self.chance.randint(1, 4))
        if self.chance.random() < 0.4:  # recursion
            body.insert(self.chance.randint(0, len(body)), call(name, self.terms(ALL, types)))
        return self.body_rule(call(name, self.terms(bound(body), types)), body, level)

    def keyword(self, name: str, functions: dict[str, str], does: bool) -> str:
        level = len(LEVELS + LATE) if does else len(LEVELS)
        body = self.body(level, does, self.chance.randint(1, 4))
        function = self.chance.choice(list(functions))
        term = call(function, self.terms(bound(body), functions[function]))
        role = self.chance.choice(self.roles)
        return self.body_rule(f"(next {term})" if name == "next" else f"({name} {role} {term})", body, level)

    def body_rule(self, head: str, body: list[str], level: int = len(LEVELS)) -> str:
        names = bound(body)
        for _ in range(self.chance.randint(0, 2)):
            body.insert(self.chance.randint(0, len(body)), self.condition(level, names))
        return f"(<= {head} {' '.join(body)})" if body else head

    def condition(self, level: int, names: tuple[str, ...], depth: int = 0) -> str:
        """A literal that binds nothing: all its variables are bound elsewhere."""
        chance = self.chance
        kind = chance.choice(["distinct", "distinct", "not", "not", "or"] if depth < 2 else ["not"])
        flat = tuple(name for name in names if name in VARIABLES)
        if kind == "distinct" and flat:
            return f"(distinct {chance.choice(flat)} {chance.choice([*flat, *CONSTANTS])})"
        if kind == "or":
            parts = [
                self.condition(level, names, depth + 1)
                if chance.random() < 0.5
                else self.atom(level, level > len(LEVELS), names)
                for _ in range(chance.randint(2, 3))
            ]
            return f"(or {' '.join(parts)})"
        return f"(not {self.atom(level, level > len(LEVELS), names)})"

    def body(self, level: int, does: bool, count: int) -> list[str]:
        return [self.atom(level, does, ALL) for _ in range(count)]

    def atom(self, level: int, does: bool, names: tuple[str, ...]) -> str:
        chance = self.chance
        kind = chance.choice(["static", "true", "true", "level", "does" if does else "true"])
        if kind == "level" and level:
            name, types = (LEVELS + LATE)[chance.randrange(level)]
            return call(name, self.terms(names, types))
        if kind == "does":
            name = chance.choice(list(MOVES))
            return f"(does {chance.choice(self.roles)} {call(name, self.terms(names, MOVES[name]))})"
        if kind == "static":
            name = chance.choice(list(STATIC))
            return call(name, self.terms(names, STATIC[name]))
        name = chance.choice(list(FLUENTS))
        return f"(true {call(name, self.terms(names, FLUENTS[name]))})"

    def terms(self, names: tuple[str, ...], types: str) -> list[str]:
        return [self.flat(names) if one == "f" else self.nested(names) for one in types]

    def flat(self, names: tuple[str, ...]) -> str:
        own = [name for name in names if name in VARIABLES]
        return self.chance.choice(own if own and self.chance.random() < 0.85 else CONSTANTS)

    def nested(self, names: tuple[str, ...]) -> str:
        own = [name for name in names if name in NESTED_VARIABLES]
        if own and self.chance.random() < 0.5:
            return self.chance.choice(own)
        if self.chance.random() < 0.3:
            return f"(wrap {self.flat(names)})"
        return f"(pair {self.flat(names)} {self.flat(names)})"


ALL = VARIABLES + NESTED_VARIABLES


def call(name: str, args: list[str]) -> str:
    return f"({name} {' '.join(args)})" if args else name


def bound(body: list[str]) -> tuple[str, ...]:
    """The variables some positive atom of a body binds."""
    return tuple(name for name in ALL if any(name in literal for literal in body))
