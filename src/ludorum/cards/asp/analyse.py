"""The same analysis by logic programs and multi-shot solving: an oracle for the other one.

It knows the words of the first description of the language, two players, and loops in the simple form; the
programs are ``loops.lp``, ``values.lp``, ``initial.lp`` and ``final.lp``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files

import clingo

from ..analysis.names import ChartNames
from ..language.faults import CardsError
from ..language.rules import ChoiceNode, EndTerminal, Rules, StartTerminal, Statement, successors
from ..language.terms import Term, as_integer, format_term, is_string, subterms
from .names import asp_text, term_of, with_arguments

MOST_STEPS = 400
_SILENT = frozenset({"publish", "Shuffle", "Deal"})
_BUILT_IN = frozenset({"score", "cardsRemaining", "middle", "passed"})
_WORDS = _BUILT_IN | {
    "operation", "equal", "lessThan", "greaterThan", "neg", "player", "playerNumber", "card", "union",
    "suit", "rank", "rankValue", "random", "playerHas",
}  # fmt: skip


@dataclass(frozen=True)
class AspAnalysis:
    """The findings of the logic programs, as texts."""

    containers: frozenset[str]
    headers: frozenset[int]
    unsupported: frozenset[int]
    main_loop: tuple[int, frozenset[int]]
    paths: frozenset[str] = frozenset()
    properties: frozenset[tuple[str, str]] = frozenset()
    heuristics: frozenset[tuple[int, frozenset[str]]] = field(default_factory=frozenset)


def analyse_by_asp(rules: Rules) -> AspAnalysis:
    """Loops, main loop, ways, properties and pseudo-heuristics; CardsError for words it does not know."""
    if rules.players != 2:
        raise CardsError("the logic programs are for two players")
    return _Run(rules).result()


class _Run:
    """One control object for all four programs, step after step."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.names, self.told = rules, ChartNames(rules), 0
        self.control = clingo.Control(["--warn=none"], message_limit=0)
        for name in ("loops", "values", "initial", "final"):
            text = (files(__package__) / f"{name}.lp").read_text(encoding="utf-8")
            # Each program has parts of its own: base and step are distinguished by its name.
            for part in ("base", "step"):
                text = text.replace(f"#program {part}", f"#program {name}_{part}")
            self.control.add("base", [], text)
        self.control.add("base", [], "\n".join(self._facts()))

    def result(self) -> AspAnalysis:
        self._ground("base")
        self._split()
        self._ground("main")
        found = list(self._atoms("main", 3))
        if len(found) != 1:
            raise CardsError("no main loop is found")
        header, entry, after = (symbol.number for symbol in found[0])
        self._begin(header, entry, after)
        self._walk()
        self._ground("initial")
        self._ground("final")
        inside = frozenset(node.number for loop, node in self._atoms("inside", 2) if loop.number == header)
        return AspAnalysis(
            containers=frozenset(str(one) for one in self._symbols("loopContainer", 4)),
            headers=frozenset(symbol[0].number for symbol in self._atoms("loop", 3)),
            unsupported=frozenset(symbol[1].number for symbol in self._atoms("unsupported", 2)),
            main_loop=(header, inside),
            paths=frozenset(_letters(symbol[0]) for symbol in self._atoms("path", 1) if _is_main(symbol[0])),
            properties=frozenset(self._properties()),
            heuristics=frozenset(self._heuristics()),
        )

    def _split(self) -> None:
        """The loop finder, depth by depth."""
        starts = [at for at, node in self.rules.nodes.items() if isinstance(node, StartTerminal)]
        parts = [f"program({starts[0]},{self._end})"]
        for depth in range(1, MOST_STEPS):
            if not parts:
                return
            self._tell("".join(f"part({part},{depth})." for part in parts))
            self._ground("loops_step", depth)
            parts = [str(part) for at, part in self._atoms("next", 2) if at.number == depth]

    def _walk(self) -> None:
        """The value finder, step by step; each step is given what the last one has left."""
        self._ground("values_base")
        left = {
            "was": [list(one) for one in self._atoms("start", 2)],
            "had": [list(one) for one in self._atoms("startVal", 3)],
            "gave": [list(one) for one in self._atoms("given", 3)],
            "held": [],
        }
        for step in range(1, MOST_STEPS):
            if not left["was"]:
                return
            for name, rows in left.items():
                self._tell("".join(f"{name}({step},{','.join(map(str, row))})." for row in rows))
            self._ground("values_step", step)
            names = {"was": ("at", 3), "had": ("val", 4), "held": ("holds", 3)}
            left = {
                name: [row[1:] for row in self._atoms(*atom) if row[0].number == step]
                for name, atom in names.items()
            }
            states = {str(row[0]) for row in left["was"]}
            left["gave"] = [row for row in self._atoms("given", 3) if str(row[0]) in states]
        raise CardsError("not strictly finite: the ways do not end")

    @property
    def _end(self) -> int:
        return next(node for node, what in self.rules.nodes.items() if isinstance(what, EndTerminal))

    def _tell(self, facts: str) -> None:
        self.told += 1
        self.control.add(f"told{self.told}", [], facts)
        self.control.ground([(f"told{self.told}", [])])

    def _ground(self, part: str, *step: int) -> None:
        self.control.ground([(part, [clingo.Number(one) for one in step])], context=_Helpers())

    def _begin(self, header: int, entry: int, after: int) -> None:
        lines = [f"begin(main,{entry}). stop(main,{header})."]
        lines.append(f"begin(after,{after}). stop(after,{self._end}).")
        lines += [f"header({symbol[0]})." for symbol in self._atoms("loop", 3)]
        lines += [f"role(main,{asp_text(name)})." for name in self._roles(header, entry)]
        self._tell("".join(lines))

    def _roles(self, header: int, entry: int) -> list[Term]:
        """Variables inside ``player(...)`` that are read before they are written in the body."""
        used = {
            inner
            for term in self._terms()
            for one in subterms(term)
            if one.name == "player"
            for inner in subterms(one)[1:]
            if self.names.is_variable(inner)
        }
        return sorted(name for name in used if self._is_read_first(name, header, entry))

    def _is_read_first(self, name: Term, header: int, entry: int) -> bool:
        waiting, seen = [entry], {header}
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            node = self.rules.nodes[at]
            term = (
                node.action
                if isinstance(node, Statement)
                else node.condition
                if isinstance(node, ChoiceNode)
                else None
            )
            if isinstance(node, Statement) and node.action.name == "assign":
                value = node.action.args[1]
                assert isinstance(value, Term)
                if name in subterms(value) or name in subterms(node.action.args[0])[1:]:
                    return True
                if node.action.args[0] is name:
                    continue
            elif term is not None and name in subterms(term):
                return True
            waiting += successors(node)
        return False

    # Facts.

    def _terms(self) -> Iterator[Term]:
        for node in self.rules.nodes.values():
            if isinstance(node, Statement) and node.action.name not in _SILENT:
                yield node.action
            elif isinstance(node, ChoiceNode):
                yield node.condition

    def _facts(self) -> Iterator[str]:
        yield f"players({self.rules.players})."
        for at, node in self.rules.nodes.items():
            yield f"node({at})."
            yield from (f"edge({at},{to})." for to in successors(node))
            if isinstance(node, StartTerminal):
                yield f"stmt({at},{node.next},nothing)."
            elif isinstance(node, ChoiceNode):
                yield f"choice({at},{node.yes},{node.no},{asp_text(node.condition)})."
            elif isinstance(node, Statement):
                yield f"stmt({at},{node.next},{self._action(node.action, at)})."
                if node.action.name.startswith("playCard"):
                    yield f"asks({at})."
        yield from self._words()

    def _action(self, action: Term, node: int) -> str:
        match action.name:
            case "assign" | "pickUp":
                return with_arguments(action.name, action)
            case "playCard" | "playCardOrPass":
                kind = "must" if action.name == "playCard" else "orPass"
                return f"play({kind},{asp_text(action.args[0])},{asp_text(action.args[1])})"
            case "Stack.empty":
                return "stackEmpty"
        if action.name in _SILENT:
            return "nothing"
        raise CardsError(f"the logic programs do not know {action.name}", node)

    def _words(self) -> Iterator[str]:
        """All terms of the chart with their arguments, and what their atoms are."""
        roots = [arg for term in self._terms() for arg in ((term,) if term.name in _WORDS else term.args)]
        every = {one for root in roots for one in subterms(root)}
        unknown = {one.name for one in every if one.args} - _WORDS
        if unknown:
            raise CardsError(f"the logic programs do not know {', '.join(sorted(unknown))}")
        for one in sorted(every):
            text = asp_text(one)
            if as_integer(one) is not None:
                yield f"integer({text})."
            elif not one.args and self.names.is_variable(one):
                yield f"variable({text})."
            elif not one.args and not is_string(one):
                yield f"constant({text})."
            elif one.args and one.name in _WORDS:
                yield f"term({text})."
                args = one.args[1:] if one.name == "operation" else one.args
                yield from (f"arg({text},{asp_text(arg)})." for arg in args)
        yield "constant(true). constant(false). constant(empty)."

    # Answers.

    def _symbols(self, name: str, arity: int) -> Iterator[clingo.Symbol]:
        return (atom.symbol for atom in self.control.symbolic_atoms.by_signature(name, arity) if atom.is_fact)

    def _atoms(self, name: str, arity: int) -> Iterator[list[clingo.Symbol]]:
        return (symbol.arguments for symbol in self._symbols(name, arity))

    def _properties(self) -> Iterator[tuple[str, str]]:
        for me, direction, term in self._atoms("finalImportantProperty", 3):
            yield str(direction), format_term(term_of(_seen(me.number, term)))

    def _heuristics(self) -> Iterator[tuple[int, frozenset[str]]]:
        conditions: dict[tuple[str, str], set[str]] = {}
        for state, me, condition in self._atoms("heuristicConjunct", 3):
            conditions.setdefault((str(state), str(me)), set()).add(format_term(term_of(condition)))
        for state, me, weight in self._atoms("valueOfPath", 3):
            yield weight.number, frozenset(conditions[str(state), str(me)])


class _Helpers:
    """The functions that the programs call while they are grounded."""

    def rest(self, value: clingo.Symbol) -> clingo.Symbol:
        """A value without its number: 0 of a number."""
        if value.type is clingo.SymbolType.Number:
            return clingo.Number(0)
        return value.arguments[0] if _is_sum(value) else value

    def shift(self, value: clingo.Symbol) -> clingo.Symbol:
        """The number of a value."""
        if value.type is clingo.SymbolType.Number:
            return value
        return value.arguments[1] if _is_sum(value) else clingo.Number(0)

    def seen(self, me: clingo.Symbol, term: clingo.Symbol) -> clingo.Symbol:
        return _seen(me.number, term)


def _seen(me: int, term: clingo.Symbol) -> clingo.Symbol:
    """``player(0)`` and ``card(0,1)``, the first card of player 0, by the names they have for one player."""
    if term.type is not clingo.SymbolType.Function or not term.arguments:
        return term
    first = term.arguments[0]
    is_number = first.type is clingo.SymbolType.Number
    if term.name == "player" and is_number:
        return clingo.Function("me" if first.number == me else "otherPlayer")
    if term.name == "card" and is_number and term.arguments[1] == clingo.Number(1):
        return clingo.Function("myCard" if first.number == me else "otherCard")
    return clingo.Function(term.name, [_seen(me, one) for one in term.arguments])


def _is_sum(value: clingo.Symbol) -> bool:
    return value.type is clingo.SymbolType.Function and value.name == "plus" and len(value.arguments) == 2


def _is_main(state: clingo.Symbol) -> bool:
    return state.arguments[0].name == "main"


def _letters(state: clingo.Symbol) -> str:
    """The name of a path: its letters, first to last; plays and passes have none of their own."""
    letters = ""
    way = state.arguments[2]
    while way.name == "l":
        letters = (way.arguments[0].name if way.arguments[0].name in "ab" else "") + letters
        way = way.arguments[1]
    return letters
