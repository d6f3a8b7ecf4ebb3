"""Small ground programs for tests: written as text, or drawn at random."""

from __future__ import annotations

import random
from collections.abc import Iterable

from ludorum.knowledge.boxes.normal_program import Body, NormalProgram
from ludorum.knowledge.boxes.open_program import OpenProgram

Rule = tuple[int, Body]


class Named:
    """A program whose atoms have names: ``p :- a, not b.``"""

    def __init__(self, text: str, known: str = "", maybe: str = "") -> None:
        self.numbers: dict[str, int] = {}
        rules: list[Rule] = []
        for line in filter(str.strip, text.replace("\n", " ").split(".")):
            head, _, body = line.partition(":-")
            literals = [each.strip() for each in body.split(",") if each.strip()]
            positive = tuple(self.atom(each) for each in literals if not each.startswith("not "))
            negative = tuple(self.atom(each[4:]) for each in literals if each.startswith("not "))
            rules.append((self.atom(head), (positive, negative)))
        facts, choices = ([self.atom(each) for each in names.split()] for names in (known, maybe))
        program = NormalProgram(len(self.numbers), rules)
        self.open = OpenProgram(program, frozenset(facts), frozenset(choices))

    def atom(self, name: str) -> int:
        return self.numbers.setdefault(name.strip(), len(self.numbers))

    def literal(self, text: str) -> int:
        return 2 * self.atom(text[4:]) + 1 if text.startswith("not ") else 2 * self.atom(text)

    def named(self, literals: Iterable[int]) -> frozenset[str]:
        names = {number: name for name, number in self.numbers.items()}
        return frozenset(("not " if each & 1 else "") + names[each >> 1] for each in literals)


def random_program(seed: int) -> tuple[OpenProgram, list[int]]:
    """A stratified program as in section 11 of the specification, and its atoms that have rules."""
    chance = random.Random(seed)
    base = list(range(chance.randint(2, 6)))
    below, rules = list(base), []
    count = len(base)
    for _ in range(chance.randint(1, 3)):
        stratum = list(range(count, count + chance.randint(1, 3)))
        count += len(stratum)
        for head in stratum:
            for _ in range(chance.randint(0, 3)):
                rules.append((head, _random_body(chance, stratum, below)))
        below += stratum
    known = frozenset(atom for atom in base if chance.random() < 0.2)
    maybe = frozenset(atom for atom in base if atom not in known and chance.random() < 0.8)
    return OpenProgram(NormalProgram(count, rules), known, maybe), list(range(len(base), count))


def _random_body(chance: random.Random, stratum: list[int], below: list[int]) -> Body:
    parts: tuple[list[int], list[int]] = ([], [])
    for _ in range(chance.randint(1, 3)):
        if chance.random() < 0.25:
            parts[0].append(chance.choice(stratum))
        else:
            parts[chance.random() < 0.4].append(chance.choice(below))
    return tuple(parts[0]), tuple(parts[1])
