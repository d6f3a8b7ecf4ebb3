"""From rule text to the program of 2009: one entry for each form of statement, the first that fits.

Time points are 1 to ``time``; the initial state is at 1 (asp-player, sections 6.1 and 6.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod

from .bodies import move_bodies, plain_body
from .domains import VariableDomains
from .reading import asp_text, parts, statements
from .turn_bound import turn_bound

FIXED = (
    ("time(1..{time})", ""),
    ("occurs(A,T,R)", "not goal(T,R), not not_occurs(A,T,R)"),
    ("not_occurs(A,T,R)", "occurs(AA,T,R), A != AA"),
    ("", "occurs(A,T,R), not executable(R,A,T)"),
    ("not_goal(T,R)", "finally(F,R), not holds(F,T)"),
    ("goal(T,R)", "not not_goal(T,R)"),
    ("", "not goal({time},R)"),
    ("holds(objReached,T)", "goal(T,R)"),
    ("holds(F,T+1)", "holds(F,T), holds(objReached,T)"),
    ("holds(F,T+1)", "executable(R,A,T), occurs(A,T,R), causes(F,R,A,T)"),
)
"""The part that is the same for every game but for the number of time points.

That number was a constant ``time`` of the grounder, which took a sheet's ``time`` for it. ``objReached`` was
written in small letters, as names of sheets are. Both are out of their reach now; what else clashes (B12) is
what comparisons are about.
"""

FIXED_DOMAINS = {"T": "time", "A": "action", "AA": "action", "F": "fluent", "R": "role"}
"""Variables of the fixed part. A rule's own ``?t`` or ``?a`` becomes one of them (B12)."""

_VARIABLE = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class LegacyRule:
    """A rule before its variables are bound; without a head it is a constraint."""

    head: str
    body: str = ""

    @property
    def variables(self) -> list[str]:
        return list(dict.fromkeys(_VARIABLE.findall(f"{self.head} {self.body}")))


@dataclass
class LegacyProgram:
    """What the translation made of a description, for one role."""

    role: str
    time: int
    """Time points: one more than the bound on turns."""
    domains: VariableDomains
    roles: list[str] = field(default_factory=list)
    rules: list[LegacyRule] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    """Statements of which nothing is left. The original did not say."""
    misread: list[str] = field(default_factory=list)
    """Goals and effects that are facts: read as facts about nothing (B20). Nor did it say that."""

    @property
    def text(self) -> str:
        """The program with the domain atoms of its variables in every rule."""
        lines = [self._bound(rule) for rule in (*self._fixed(), *self.rules)]
        return "\n".join([*lines, *(f"{fact}." for fact in self.domains.facts), "#show occurs/3."]) + "\n"

    def add(self, head: str, bodies: Iterable[str] = ("",)) -> None:
        self.rules += [LegacyRule(head, body) for body in bodies]

    def count_instances(self) -> int:
        """Instances of all rules by the domains of their variables: what a grounder of 2009 went through."""
        return sum(self._instances(rule) for rule in (*self._fixed(), *self.rules))

    def _instances(self, rule: LegacyRule) -> int:
        return prod(self._count(variable) for variable in rule.variables)

    def _fixed(self) -> list[LegacyRule]:
        return [LegacyRule(head.format(time=self.time), body.format(time=self.time)) for head, body in FIXED]

    def _count(self, variable: str) -> int:
        if variable == "T":
            return self.time
        if variable == "R":
            return len(self.roles)
        if variable in FIXED_DOMAINS:
            return self._terms(FIXED_DOMAINS[variable])
        return len(self.domains.values(variable) or ())

    def _terms(self, relation: str) -> int:
        """Terms of ``action`` or ``fluent``; those that differ in names of variables only are one."""
        shapes: dict[str, int] = {}
        for rule in self.rules:
            if rule.head.startswith(f"{relation}("):
                shape = _VARIABLE.sub("_", rule.head)
                shapes[shape] = max(shapes.get(shape, 0), self._instances(rule))
        return sum(shapes.values())

    def _bound(self, rule: LegacyRule) -> str:
        atoms: list[str] = []
        for variable in rule.variables:
            if variable in FIXED_DOMAINS:
                atoms.append(f"{FIXED_DOMAINS[variable]}({variable})")
            atoms += self.domains.atoms(variable)
        body = ", ".join(([rule.body] if rule.body else []) + atoms)
        return f"{rule.head} :- {body}." if body else f"{rule.head}."


def legacy_program(text: str, role: str) -> LegacyProgram:
    """The program that plans for a role; whatever is wrong with it shows when it is grounded."""
    found = statements(text)
    program = LegacyProgram(role.lower(), turn_bound(found) + 1, VariableDomains(found))
    for statement in found:
        if not _translate(program, statement):
            program.dropped.append(statement)
    return program


def _translate(program: LegacyProgram, statement: str) -> bool:
    """Add the rules of a statement; whether there were any."""
    if statement.startswith("(<= "):
        _, head, *literals = parts(statement)
        return _translate_rule(program, head, literals)
    if statement.startswith("(role "):
        program.roles.append(parts(statement)[1])
        program.add(f"role({program.roles[-1]})")
    elif statement.startswith("(init "):
        program.add(f"holds({asp_text(parts(statement)[1])},1)")
    elif statement.startswith("(legal "):
        _add_legal(program, statement, [])
    else:
        if statement.startswith(("(goal ", "(next ")):
            program.misread.append(statement)
        program.add(f"holds({asp_text(statement)},T)")
    return True


def _translate_rule(program: LegacyProgram, head: str, literals: list[str]) -> bool:
    does = [literal for literal in literals if literal.startswith("(does ")]
    if head.startswith("(legal "):
        _add_legal(program, head, literals)
    elif head.startswith("(next ") and does:
        _add_effect(program, asp_text(parts(head)[1]), does, literals)
    elif head == f"(goal {program.role} 100)":
        for literal in literals:
            condition = asp_text(parts(literal)[1] if literal.startswith("(true ") else literal)
            program.add(f"fluent({condition})")
            program.add(f"finally({condition},R)")
    elif head.startswith("(goal "):
        return False
    elif head.startswith("(next "):
        # With nothing but a negated `does` the rule says of now what it should say of the next state (B2).
        now = "T" if any("(does " in literal for literal in literals) else "T+1"
        program.add(f"holds({asp_text(parts(head)[1])},{now})", [plain_body(literals)])
    elif head == "terminal" or not re.match(r"\(?[a-z]+($|[ )])", head):
        return False  # names with anything but letters among them (B9)
    else:
        program.add(f"holds({asp_text(head)},T)", [plain_body(literals)])
    return True


def _add_legal(program: LegacyProgram, head: str, literals: list[str]) -> None:
    _, role, move, *_ = [*parts(head), ""]
    program.add(f"action({asp_text(move)})")
    program.add(f"executable({asp_text(role)},{asp_text(move)},T)", move_bodies(literals))


def _add_effect(program: LegacyProgram, fluent: str, does: list[str], literals: list[str]) -> None:
    """Each ``does`` brings its two arguments: with two of them nothing ever asks for the atom (B1)."""
    actors = ",".join(asp_text(part) for literal in does for part in parts(literal)[1:])
    rest = [literal for literal in literals if literal not in does]
    program.add(f"fluent({fluent})")
    program.add(f"causes({fluent},{actors},T)", move_bodies(rest))
