"""Symmetric roles: a renaming of symbols that exchanges two roles and leaves the rules as they are.

Colour refinement over rules, literals and variables tells symbols apart, once with the two roles marked one
way and once the other; symbols of one colour are mapped onto each other, and where there are several, one
choice after the other is tried. A renaming counts only if the renamed rules are the rules, up to the names of
variables and the order of bodies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..rules.dependencies import Dependencies
from ..rules.normalise import literal_bodies
from ..rules.normalise.expand_connectives import Literal
from ..rules.ruleset import Atom, Distinct, Not, Ruleset
from ..rules.terms import Pattern, Term, Variable, as_integer

ROOTS = (("role", 1), ("init", 1), ("legal", 2), ("next", 1), ("terminal", 0), ("goal", 2), ("sees", 2))
KEYWORDS = frozenset({relation for relation, _ in ROOTS} | {"true", "does", "random"})
MOST_CHOICES = 300
"""Choices among symbols of one colour before giving up."""
MOST_LITERALS = 20_000

Colours = dict[str, int]
Tree = tuple[str, tuple["Tree | Variable", ...]]


@dataclass(frozen=True)
class Clause:
    """A rule without connectives; literals carry a sign in front: ``+``, ``-``, ``!=`` or ``=``."""

    head: Tree
    body: tuple[Tree, ...]


@dataclass(frozen=True)
class Symmetry:
    """Two roles that are exchanged by a renaming."""

    roles: tuple[Term, Term]
    renaming: Mapping[str, str]
    """Only the symbols that change."""
    apart_from_init: bool
    """Whether the initial state is another one after the renaming: mostly, which role begins."""


def find_symmetry(
    rules: Ruleset, one: Term, other: Term, *, is_up: Callable[[], bool] = lambda: False
) -> Symmetry | None:
    """A renaming that exchanges two roles; None where none is found before ``is_up`` says stop."""
    clauses = _clauses(rules)
    if sum(len(clause.body) + 1 for clause in clauses) > MOST_LITERALS:
        return None
    for apart_from_init in (False, True):
        kept = [clause for clause in clauses if not (apart_from_init and clause.head[0] == "init")]
        found = _Search(kept, one.name, other.name, is_up).run()
        if found is not None:
            changed = {old: new for old, new in found.items() if old != new}
            return Symmetry((one, other), changed, apart_from_init)
    return None


class _Search:
    def __init__(self, clauses: Sequence[Clause], one: str, other: str, is_up: Callable[[], bool]) -> None:
        self.is_up = is_up
        self.clauses = clauses
        self.symbols = sorted({name for clause in clauses for name in _names(clause)})
        self.fixed = {name: name for name in _fixed(clauses, self.symbols)}
        self.swap = {one: other, other: one}
        self.choices = 0
        self.by_shape = Counter(map(_shape, clauses))

    def run(self) -> dict[str, str] | None:
        pairs = {**self.fixed, **self.swap}
        return self._try(pairs)

    def _try(self, pairs: dict[str, str]) -> dict[str, str] | None:
        """Extends the pairs chosen so far to all symbols."""
        marks = {old: number + 1 for number, old in enumerate(sorted(pairs))}
        left = refine(self.clauses, self.symbols, marks)
        right = refine(self.clauses, self.symbols, {pairs[old]: mark for old, mark in marks.items()})
        groups, images = _grouped(left), _grouped(right)
        if {colour: len(group) for colour, group in groups.items()} != {
            colour: len(group) for colour, group in images.items()
        }:
            return None
        open_ones = [colour for colour, group in groups.items() if len(group) > 1]
        if not open_ones:
            found = {group[0]: images[colour][0] for colour, group in groups.items()}
            return found if self._holds(found) else None
        colour = min(open_ones, key=lambda each: len(groups[each]))
        first = groups[colour][0]
        # The symbol itself is tried first: most symbols keep their names.
        for image in sorted(images[colour], key=lambda name: name != first):
            self.choices += 1
            if self.choices > MOST_CHOICES or self.is_up():
                return None
            found_below = self._try({**pairs, first: image})
            if found_below is not None:
                return found_below
        return None

    def _holds(self, renaming: Mapping[str, str]) -> bool:
        """Whether the renamed clauses are the clauses."""
        waiting: dict[object, list[Clause]] = {}
        for clause in self.clauses:
            waiting.setdefault(_shape(clause), []).append(clause)
        for clause in self.clauses:
            renamed = _renamed_clause(clause, renaming)
            candidates = waiting.get(_shape(renamed), [])
            match = next((each for each in candidates if _same(renamed, each)), None)
            if match is None:
                return False
            candidates.remove(match)
        return True


def refine(clauses: Sequence[Clause], symbols: Sequence[str], marks: Mapping[str, int]) -> Colours:
    """A colour for each symbol: equal only where refinement cannot tell their occurrences apart."""
    colours = {name: hash(("mark", marks.get(name, 0))) for name in symbols}
    kinds = len(set(colours.values()))
    while True:
        seen: dict[str, list[int]] = {name: [] for name in symbols}
        for clause in clauses:
            _look(clause, colours, seen)
        colours = {name: hash((colours[name], tuple(sorted(seen[name])))) for name in symbols}
        now = len(set(colours.values()))
        if now == kinds:
            return colours
        kinds = now


def _look(clause: Clause, colours: Colours, seen: dict[str, list[int]]) -> None:
    """Adds to each symbol of a clause a mark of its place."""
    literals = (clause.head, *clause.body)
    variables: dict[Variable, list[int]] = {}
    for at, literal in enumerate(literals):
        look = _hash(literal, colours, {})
        for path, variable in _variables(literal, ()):
            variables.setdefault(variable, []).append(hash((at == 0, look, path)))
    named = {variable: hash(tuple(sorted(places))) for variable, places in variables.items()}
    looks = [_hash(literal, colours, named) for literal in literals]
    whole = hash((looks[0], tuple(sorted(looks[1:]))))
    for at, literal in enumerate(literals):
        for path, name in _symbols(literal, ()):
            seen[name].append(hash((whole, at == 0, looks[at], path)))


def _hash(tree: Tree, colours: Colours, variables: Mapping[Variable, int]) -> int:
    name, args = tree
    below = tuple(
        variables.get(arg, 7) if isinstance(arg, Variable) else _hash(arg, colours, variables) for arg in args
    )
    return hash((colours.get(name, name), below))


def _clauses(rules: Ruleset) -> list[Clause]:
    found = []
    for rule in Dependencies(rules).slice(ROOTS):
        for body in literal_bodies(rule, rules.source):
            found.append(Clause(_tree(rule.head), tuple(_literal_tree(literal) for literal in body)))
    return list(dict.fromkeys(found))


def _tree(pattern: Pattern) -> Tree:
    assert isinstance(pattern, Term)
    return pattern.name, tuple(arg if isinstance(arg, Variable) else _tree(arg) for arg in pattern.args)


def _literal_tree(literal: Literal) -> Tree:
    match literal:
        case Atom(term):
            return "+", (_tree(term),)
        case Not(Atom(term)):
            return "-", (_tree(term),)
        case Distinct(left, right):
            return "!=", tuple(each if isinstance(each, Variable) else _tree(each) for each in (left, right))
        case Not(Distinct(left, right)):
            return "=", tuple(each if isinstance(each, Variable) else _tree(each) for each in (left, right))
    raise TypeError(f"not a plain literal: {literal}")


def _symbols(tree: Tree, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], str]]:
    name, args = tree
    if name not in ("+", "-", "!=", "="):
        yield path, name
    for at, arg in enumerate(args):
        if not isinstance(arg, Variable):
            yield from _symbols(arg, (*path, at))


def _variables(tree: Tree, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Variable]]:
    for at, arg in enumerate(tree[1]):
        if isinstance(arg, Variable):
            yield (*path, at), arg
        else:
            yield from _variables(arg, (*path, at))


def _names(clause: Clause) -> Iterator[str]:
    for literal in (clause.head, *clause.body):
        for _, name in _symbols(literal, ()):
            yield name


def _fixed(clauses: Sequence[Clause], symbols: Sequence[str]) -> set[str]:
    """The symbols that keep their names: keywords and goal values; all numbers where goals are computed."""
    fixed = {name for name in symbols if name in KEYWORDS}
    for clause in clauses:
        if clause.head[0] == "goal" and len(clause.head[1]) == 2:
            value = clause.head[1][1]
            if isinstance(value, Variable):
                return fixed | {name for name in symbols if as_integer(Term(name)) is not None}
            fixed.add(value[0])
    return fixed


def _grouped(colours: Colours) -> dict[int, list[str]]:
    groups: dict[int, list[str]] = {}
    for name, colour in colours.items():
        groups.setdefault(colour, []).append(name)
    return groups


def _shape(clause: Clause) -> object:
    """A key that is equal for clauses that are the same up to variables and order."""
    return _bare(clause.head), tuple(sorted(map(str, map(_bare, clause.body))))


def _bare(tree: Tree) -> object:
    return tree[0], tuple("?" if isinstance(arg, Variable) else _bare(arg) for arg in tree[1])


def _renamed_clause(clause: Clause, renaming: Mapping[str, str]) -> Clause:
    return Clause(
        _renamed(clause.head, renaming), tuple(_renamed(literal, renaming) for literal in clause.body)
    )


def _renamed(tree: Tree, renaming: Mapping[str, str]) -> Tree:
    name, args = tree
    below = tuple(arg if isinstance(arg, Variable) else _renamed(arg, renaming) for arg in args)
    return renaming.get(name, name), below


def _same(one: Clause, other: Clause) -> bool:
    """Whether two clauses differ in the names of variables and the order of their bodies only."""
    bound = _matched(one.head, other.head, {})
    return bound is not None and _bodies_match(list(one.body), list(other.body), bound)


def _bodies_match(one: list[Tree], other: list[Tree], bound: dict[Variable, Variable]) -> bool:
    if not one:
        return True
    first, rest = one[0], one[1:]
    for at, literal in enumerate(other):
        further = _matched(first, literal, bound)
        if further is not None and _bodies_match(rest, other[:at] + other[at + 1 :], further):
            return True
    return False


def _matched(one: Tree, other: Tree, bound: dict[Variable, Variable]) -> dict[Variable, Variable] | None:
    """The variables of one as those of the other, one to one; None where the trees differ."""
    if one[0] != other[0] or len(one[1]) != len(other[1]):
        return None
    for left, right in zip(one[1], other[1], strict=True):
        if isinstance(left, Variable) and isinstance(right, Variable):
            if bound.get(left, right) is not right or (left not in bound and right in bound.values()):
                return None
            bound = {**bound, left: right}
        elif isinstance(left, Variable) or isinstance(right, Variable):
            return None
        else:
            further = _matched(left, right, bound)
            if further is None:
                return None
            bound = further
    return bound
