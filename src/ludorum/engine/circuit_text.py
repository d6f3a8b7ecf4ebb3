"""Circuits as text, for tests and for people: a line a gate, ``#0 = a & ~does x (mark 1)``.

    roles x
    fluents a (cell 1 b)
    moves x (mark 1) noop
    init a
    #0 = a & ~(cell 1 b)
    #1 = #0 & does x noop
    legal x noop = #0
    terminal = ~a
    goal x 100 = a
    next a = #1
    sees x something = #1

What is not given is false; ``1`` and ``0`` are the constants. Gates are numbered in order from 0.
"""

from __future__ import annotations

import numpy as np

from ..rules.kif import parse_term
from ..rules.terms import Term, as_integer, format_term
from .circuit import Circuit, Literal, find_loops, pack_gates


def format_circuit(circuit: Circuit) -> str:
    """The text of a circuit; outputs that are never true are left out."""
    name = LiteralNames(circuit)
    lines = [f"roles {' '.join(map(format_term, circuit.roles))}"]
    if circuit.fluents:
        lines.append(f"fluents {' '.join(map(format_term, circuit.fluents))}")
    for role, own in zip(circuit.roles, circuit.role_moves, strict=True):
        if own:
            moves = " ".join(format_term(circuit.moves[at][1]) for at in own)
            lines.append(f"moves {format_term(role)} {moves}")
    if circuit.initial.any():
        start = (format_term(circuit.fluents[at]) for at in np.flatnonzero(circuit.initial))
        lines.append(f"init {' '.join(start)}")
    for gate, literals in enumerate(circuit.gate_lists()):
        lines.append(f"#{gate} = {' & '.join(map(name, literals)) or '1'}")
    false = circuit.true ^ 1
    lines += [f"{label} = {name(literal)}" for label, literal in output_names(circuit) if literal != false]
    return "\n".join(lines) + "\n"


def output_names(circuit: Circuit) -> list[tuple[str, Literal]]:
    """Every output with what it answers: ``legal x noop``, ``terminal``, ``goal x 100``, ``next a``."""
    roles = [format_term(role) for role in circuit.roles]
    found = [
        (f"legal {roles[role]} {format_term(move)}", literal)
        for (role, move), literal in zip(circuit.moves, circuit.legal.tolist(), strict=True)
    ]
    found.append(("terminal", circuit.terminal))
    found += [(f"goal {roles[role]} {value}", literal) for role, value, literal in circuit.goals]
    found += [
        (f"next {format_term(fluent)}", literal)
        for fluent, literal in zip(circuit.fluents, circuit.next.tolist(), strict=True)
    ]
    found += [
        (f"sees {roles[role]} {format_term(percept)}", literal) for role, percept, literal in circuit.sees
    ]
    return found


class LiteralNames:
    """Gives the text of a literal of one circuit."""

    def __init__(self, circuit: Circuit) -> None:
        self._nodes = [format_term(fluent) for fluent in circuit.fluents]
        self._nodes += [
            f"does {format_term(circuit.roles[role])} {format_term(move)}" for role, move in circuit.moves
        ]
        self._gate = len(self._nodes) + 1

    def __call__(self, literal: Literal) -> str:
        node = literal >> 1
        if node == self._gate - 1:
            return "0" if literal & 1 else "1"
        name = self._nodes[node] if node < self._gate else f"#{node - self._gate}"
        return f"~{name}" if literal & 1 else name


def parse_circuit(text: str) -> Circuit:
    """The circuit of a text; ValueError with the line that cannot be read."""
    reader = _Reader()
    for line in text.splitlines():
        if line.strip():
            try:
                reader.read(line.strip())
            except (ValueError, KeyError, IndexError) as error:
                raise ValueError(f"not a line of a circuit: {line.strip()!r} ({error})") from error
    return reader.circuit()


class _Reader:
    """Collects declarations, then gates and outputs."""

    def __init__(self) -> None:
        self.roles: list[Term] = []
        self.fluents: list[Term] = []
        self.moves: list[tuple[int, Term]] = []
        self.initial: list[Term] = []
        self.gates: list[list[str]] = []
        self.given: dict[str, str] = {}

    def read(self, line: str) -> None:
        left, equals, right = line.partition(" = ")
        if equals:
            if left.startswith("#"):
                if left != f"#{len(self.gates)}":
                    raise ValueError(f"gate #{len(self.gates)} comes next")
                self.gates.append(right.split(" & "))
            else:
                self.given[left] = right
            return
        word, _, rest = line.partition(" ")
        terms = list(_terms(rest))
        if word == "roles":
            self.roles += terms
        elif word == "fluents":
            self.fluents += terms
        elif word == "moves":
            role = self.roles.index(terms[0])
            self.moves += [(role, move) for move in terms[1:]]
        elif word == "init":
            self.initial += terms
        else:
            raise ValueError(f"what is {word!r}?")

    def circuit(self) -> Circuit:
        gates = [[self.literal(text) for text in gate] for gate in self.gates]
        offsets, literals = pack_gates(gates)
        false = "0"
        moves = [self._move(at) for at in range(len(self.moves))]
        legal = [self.literal(self.given.get(f"legal {move}", false)) for move in moves]
        following = [self.literal(self.given.get(f"next {format_term(one)}", false)) for one in self.fluents]
        goals: list[tuple[int, int | Term, Literal]] = []
        sees: list[tuple[int, Term, Literal]] = []
        for left, right in self.given.items():
            word, *terms = [Term(left.split()[0]), *_terms(left.partition(" ")[2])]
            if word.name == "goal":
                value = as_integer(terms[1])
                goals.append(
                    (self.roles.index(terms[0]), terms[1] if value is None else value, self.literal(right))
                )
            elif word.name == "sees":
                sees.append((self.roles.index(terms[0]), terms[1], self.literal(right)))
            elif word.name not in ("legal", "next", "terminal"):
                raise ValueError(f"what is {left!r}?")
        return Circuit(
            roles=tuple(self.roles),
            fluents=tuple(self.fluents),
            moves=tuple(self.moves),
            gate_offsets=offsets,
            gate_literals=literals,
            legal=np.array(legal, np.int32),
            terminal=self.literal(self.given.get("terminal", false)),
            goals=tuple(goals),
            next=np.array(following, np.int32),
            sees=tuple(sees),
            initial=np.array([fluent in self.initial for fluent in self.fluents], np.bool_),
            loops=find_loops(offsets, literals, len(self.fluents) + len(self.moves) + 1),
        )

    def _move(self, at: int) -> str:
        role, move = self.moves[at]
        return f"{format_term(self.roles[role])} {format_term(move)}"

    def literal(self, text: str) -> Literal:
        text = text.strip()
        if text.startswith("~"):
            return self.literal(text[1:]) ^ 1
        constant = len(self.fluents) + len(self.moves)
        if text in ("0", "1") and Term(text) not in self.fluents:
            return 2 * constant + (text == "0")
        if text.startswith("#"):
            if int(text[1:]) >= len(self.gates):
                raise ValueError(f"there is no gate {text}")
            return 2 * (constant + 1 + int(text[1:]))
        if text.startswith("does "):
            role, move = _terms(text[5:])
            return 2 * (len(self.fluents) + self.moves.index((self.roles.index(role), move)))
        return 2 * self.fluents.index(parse_term(text))


def _terms(text: str) -> list[Term]:
    """The ground terms a text writes one after another, in order and with repetitions."""
    from ..rules.build import build_term
    from ..rules.kif import read_nodes
    from ..rules.source import Source

    source = Source("<circuit>", text)
    nodes, faults = read_nodes(source)
    terms = [build_term(node, source, faults) for node in nodes]
    if faults:
        raise ValueError(faults[0].message)
    return [term for term in terms if isinstance(term, Term)]
