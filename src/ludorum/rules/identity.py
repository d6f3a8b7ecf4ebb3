"""Hashes of rules that do not depend on how they are written down, to recognise a game.

``rules_id`` stays the same whatever the layout, the comments, the order of rules and of conditions, and the
names of variables. ``shape_id`` stays the same under other names for everything but the keywords, too: it
knows a scrambled game again (asp-player, section 15.6).

Rules become a graph: symbols, variables, terms, conditions and rules are its nodes. Colours are refined until
they are stable, and the hash is that of all colours of rules. Rules that differ can have the same
hash only where refinement cannot tell them apart, which takes a symmetry that no known game has.
"""

from __future__ import annotations

from hashlib import blake2b

from .keywords import KEYWORDS
from .ruleset import And, Atom, Distinct, Formula, Not, Or, Rule, Ruleset
from .terms import Pattern, Term, Variable

MOST_ROUNDS = 40


def rules_id(rules: Ruleset) -> str:
    """A hash of what the rules say, whatever their layout, order and variables."""
    return _Graph(named=True).hash_of(rules)


def shape_id(rules: Ruleset) -> str:
    """A hash of what the rules say, whatever anything but the keywords is called."""
    return _Graph(named=False).hash_of(rules)


def symbol_shapes(rules: Ruleset) -> dict[tuple[str, int], str]:
    """The colour of each name, by its number of arguments, in the shape of the rules.

    The names of a scrambled sheet have the colours of those they replaced, so what is learned about one holds
    for the other. Names that a symmetry of the rules exchanges have the same colour.
    """
    graph = _Graph(named=False)
    graph.hash_of(rules)
    return {name: graph.colours[node] for name, node in graph.symbols.items()}


def _digest(*parts: object) -> str:
    return blake2b(repr(parts).encode(), digest_size=16).hexdigest()


class _Graph:
    """The nodes of a sheet with their first colours, and the edges: which node is where in which other."""

    def __init__(self, named: bool) -> None:
        self.named = named
        self.colours: list[str] = []
        self.edges: list[list[tuple[str, int]]] = []
        self.symbols: dict[tuple[str, int], int] = {}

    def hash_of(self, rules: Ruleset) -> str:
        tops = [self.rule(rule) for rule in dict.fromkeys(rules.rules)]
        self.refine()
        return _digest(sorted({self.colours[top] for top in tops}), len({*rules.rules}))

    def refine(self) -> None:
        classes = len(set(self.colours))
        for _ in range(MOST_ROUNDS):
            old = self.colours
            self.colours = [
                _digest(colour, sorted((label, old[other]) for label, other in edges))
                for colour, edges in zip(old, self.edges, strict=True)
            ]
            finer = len(set(self.colours))
            if finer == classes:
                return
            classes = finer

    def node(self, colour: str) -> int:
        self.colours.append(colour)
        self.edges.append([])
        return len(self.colours) - 1

    def join(self, whole: int, part: int, label: str) -> None:
        self.edges[whole].append((f"has {label}", part))
        self.edges[part].append((f"in {label}", whole))

    def rule(self, rule: Rule) -> int:
        top = self.node("rule")
        variables: dict[Variable, int] = {}
        self.join(top, self.term(rule.head, variables, relation=True), "head")
        for part in rule.body:
            self.join(top, self.formula(part, variables), "body")
        return top

    def formula(self, formula: Formula, variables: dict[Variable, int]) -> int:
        match formula:
            case Atom(term):
                return self.term(term, variables, relation=True)
            case Distinct(left, right):
                found = self.node("distinct")  # either way round
                self.join(found, self.term(left, variables), "side")
                self.join(found, self.term(right, variables), "side")
                return found
            case Not(body):
                found = self.node("not")
                self.join(found, self.formula(body, variables), "part")
                return found
            case And(parts) | Or(parts):
                found = self.node("and" if isinstance(formula, And) else "or")
                for part in parts:
                    self.join(found, self.formula(part, variables), "part")
                return found

    def term(self, term: Pattern, variables: dict[Variable, int], relation: bool = False) -> int:
        if isinstance(term, Variable):
            if term not in variables:
                variables[term] = self.node("variable")
            return variables[term]
        found = self.node(f"relation {self.kept(term)}" if relation else "term")
        self.join(found, self.symbol(term), "name")
        for place, arg in enumerate(term.args):
            inner = self.term(arg, variables)
            self.join(found, inner, str(place))
            if relation and term.name == "goal" and place == 1 and isinstance(arg, Term):
                self.colours[inner] = f"value {arg.name}"  # a win stays a win under any name
        return found

    def symbol(self, term: Term) -> int:
        key = (term.name, len(term.args))
        if key not in self.symbols:
            self.symbols[key] = self.node(
                f"symbol {term.name}" if self.named else f"symbol {self.kept(term)}"
            )
        return self.symbols[key]

    def kept(self, term: Term) -> str:
        """The name where it is a keyword, since renaming may not change those."""
        return term.name if term.name in KEYWORDS else ""
