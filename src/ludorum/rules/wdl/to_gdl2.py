"""WDL to GDL-II: chance becomes the moves of nature, and what players are told becomes ``sees``.

A player's move keeps its form, random names and ``visible`` included. Beside it nature moves: for each player
and each name that the player may use it has a role, which picks an event where the player may use the name
now. ``made`` joins both into the resolved move, ``did`` is that move as the rules read it, and every player
sees its own view of it.

    (legal ann (roll dice))  (random dice 2 six)   becomes   (legal (random ann dice) (draw ann dice six 2))

A move of nature tells its weight by its last argument (``MoveWeights``). Programs of other people know one
role ``random``, all of whose moves are as likely: for them (``plain``) it draws for all in one move, and an
event has as many copies as its weight says.

                                                   becomes   (legal random (draw ann dice six 1/2))
                                                             (legal random (draw ann dice six 2/2))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import count
from math import gcd

from ..ruleset import (
    HEAVIEST,
    RANDOM,
    Atom,
    Distinct,
    Formula,
    MoveWeights,
    Not,
    Rule,
    Ruleset,
    formula_variables,
)
from ..source import Diagnostic, RulesError, Severity
from ..syntax import Node
from ..terms import Pattern, Signature, Term, Variable, substitute, variables_of
from ..unify import resolve, unify
from ..unused_name import names_of_rules
from .draws import names_in, weight_of
from .pattern_views import views_of_pattern
from .rewriting import free_name, settled, substituted, with_other_relations, with_terms
from .sheet import RANDOM_FACT, WdlSheet
from .statements import private_parts
from .tick_rounds import MOST_TICKS, rounds_of_ticks
from .views import bare

ROLE = ("role", 1)
DOES = ("does", 2)
LEGAL = ("legal", 2)
OWN_NAMES = ("player", "draw", "draws", "none", "noop", "active", "drawn", "copy", "made", "did")
MOST_COPIES = 10_000
"""The most copies of moves; heavier weights are rounded in proportion: only programs of others notice."""
ZERO = Term("0")


@dataclass(frozen=True)
class WdlRuleset(Ruleset):
    """Rules in GDL-II that say the same as a sheet in WDL; both are at hand, since hosts speak either."""

    sheet: WdlSheet | None = field(default=None, compare=False, repr=False)
    did: str = "did"
    """Players perceive ``(did player view)``: what they are told of each move."""
    draw: str = "draw"
    """A move of nature is ``(draw player name event weight)``."""
    parts: frozenset[Signature] = frozenset()
    """Relations that say of moves less than ``did`` does."""
    ticks: int = MOST_TICKS
    """How many rounds a realtime game may last."""

    def with_rules(self, rules: Iterable[Rule]) -> WdlRuleset:
        return replace(self, rules=tuple(rules))

    @cached_property
    def as_sent(self) -> Ruleset:
        return self if self.sheet is None else plain_gdl2(self.sheet, self.ticks)


@dataclass(frozen=True)
class Translation:
    """A sheet in another language, and what was lost."""

    rules: Ruleset
    warnings: tuple[Diagnostic, ...]


def to_gdl2(sheet: WdlSheet, ticks: int = MOST_TICKS) -> Translation:
    """The same game in GDL-II; a sheet that is plain GDL stays as it is.

    A realtime game becomes one of rounds, which ends after so many signals of the clock, if not before.
    """
    warnings = tuple(sheet.texts.placed(one) for one in _losses(sheet))
    if not sheet.extends_gdl:
        return Translation(sheet.master, warnings)
    translator = _Translator(_in_rounds(sheet, ticks))
    rules = tuple(translator.rules())
    heavy = [weight for weight in translator.weights() if weight > HEAVIEST]
    if heavy:
        raise RulesError([translator.too_heavy(max(heavy))])
    own = translator.own
    made = WdlRuleset(
        rules,
        sheet.master.source,
        weights=MoveWeights((own["draw"], 4), 3),
        sheet=sheet,
        did=own["did"],
        draw=own["draw"],
        parts=frozenset((name, 1 + len(read)) for (_, read), name in translator.parts.items()),
        ticks=ticks,
    )
    return Translation(made, warnings)


def plain_gdl2(sheet: WdlSheet, ticks: int = MOST_TICKS) -> Ruleset:
    """The same game with one role ``random``, all of whose moves are as likely; large weights are rounded."""
    if not sheet.extends_gdl:
        return sheet.master
    return Ruleset(tuple(_OneRole(_in_rounds(sheet, ticks)).rules()), sheet.master.source)


def _in_rounds(sheet: WdlSheet, ticks: int) -> WdlSheet:
    return rounds_of_ticks(sheet, ticks) if sheet.settings.realtime else sheet


def _losses(sheet: WdlSheet) -> Iterator[Diagnostic]:
    def loss(code: str, node: Node, message: str, hint: str) -> Diagnostic:
        return Diagnostic(code, Severity.WARNING, node.span, message, hint, sheet.master.source)

    for one in sheet.statements:
        node = one.rule.node
        if one.owner is not None and one.rule.body:
            message = "a rule that one player alone is told becomes common knowledge"
            yield loss("T02", node, message, "GDL-II has no private rules")
        elif one.owner is not None:
            message = f"what {one.owner} alone is told at the start becomes common knowledge"
            yield loss(
                "T01", node, message, "draw it by a move with `visible`, so that all know what it may be"
            )
    if sheet.settings.realtime and sheet.statements:
        message = "a realtime game becomes one of rounds"
        first = next((one for one in sheet.statements if one.rule.signature == ROLE), sheet.statements[0])
        yield loss("T03", first.rule.node, message, "one round stands for a tick")


@dataclass(frozen=True)
class _Pair:
    """A player that may use a random name."""

    player: Term
    name: Term


class _Translator:
    def __init__(self, sheet: WdlSheet) -> None:
        self._sheet = sheet
        taken = names_of_rules(sheet.master)
        self.own: dict[str, str] = {name: free_name(taken, name) for name in OWN_NAMES}
        # The new role is none of the sheet's: `(role ?p)` goes on to mean its players.
        players = {ROLE: self.own["player"]}
        rules = [with_other_relations(rule, players) for rule in sheet.master.rules]
        self._rules = Ruleset(tuple(rules)).by_signature
        self._others = [rule for rule in rules if rule.signature not in (ROLE, LEGAL, RANDOM_FACT)]
        self._legal = [each for rule in self._rules_of(LEGAL) for each in self._for_each_role(rule)]
        self._pairs = self._pairs_in_order()
        self._hides = any(next(private_parts(rule.head.args[1]), None) for _, rule in self._legal)
        self._taken = taken | set(self.own.values())
        self.parts: dict[tuple[Signature, tuple[int, ...]], str] = {}
        """Relations for parts of moves, by the form of a move and the places that a rule asks for."""

    def rules(self) -> Iterator[Rule]:
        roles = self._sheet.roles
        yield from (_fact("role", role) for role in (*roles, *self._nature()))
        yield from (_fact(self.own["player"], role) for role in roles)
        yield from map(self._possible, self._rules_of(LEGAL))
        yield from map(self._scaled, self._rules_of(RANDOM_FACT))
        moves = {("does", 2): self.own["did"]}
        yield from (with_other_relations(self._asking_little(rule), moves) for rule in self._others)
        if self._pairs:
            yield from self._chance()
        yield from self._moves()
        yield from self._parts_of_moves()
        yield from self._percepts()

    def _rules_of(self, signature: Signature) -> tuple[Rule, ...]:
        return self._rules.get(signature, ())

    def _term(self, name: str, *args: Pattern) -> Term:
        """A relation or function of ours."""
        return Term(self.own[name], args)

    def _for_each_role(self, rule: Rule) -> Iterator[tuple[Term, Rule]]:
        """A rule of ``legal`` for each role that its head may mean."""
        for role in self._sheet.roles:
            values = unify(rule.head.args[0], role)
            found = None if values is None else settled(substituted(rule, values))
            if found is not None:
                yield role, found

    # -- chance -------------------------------------------------------------------------------------------

    def _pairs_in_order(self) -> list[_Pair]:
        found = {_Pair(role, name) for role, rule in self._legal for name in self._names(rule)}
        order = {role: at for at, role in enumerate(self._sheet.roles)}
        return sorted(found, key=lambda pair: (order[pair.player], str(pair.name)))

    def _names(self, rule: Rule) -> list[Term]:
        return names_in(rule.head.args[1], self._sheet.names)

    def _chance(self) -> Iterator[Rule]:
        """The moves of nature, which depend on who may use which name now."""
        for role, rule in self._legal:
            for name in self._names(rule):
                yield Rule(self._term("active", role, name), self._possible(rule).body, rule.node)
        yield from self._draws()

    def _nature(self) -> list[Term]:
        """The roles of nature: one for each pair."""
        return [self._role_of(pair) for pair in self._pairs]

    def _role_of(self, pair: _Pair) -> Term:
        return RANDOM if len(self._pairs) == 1 else Term(RANDOM.name, (pair.player, pair.name))

    def _draws(self) -> Iterator[Rule]:
        """An event for each pair that is active, ``noop`` for each that is not."""
        event, weight = Variable("event"), Variable("weight")
        for pair in self._pairs:
            active = self._term("active", pair.player, pair.name)
            entry = self._term("draw", pair.player, pair.name, event, weight)
            odds = Atom(Term("random", (pair.name, weight, event)))
            role = self._role_of(pair)
            yield Rule(Term("legal", (role, entry)), (Atom(active), odds, Distinct(weight, ZERO)))
            yield Rule(Term("legal", (role, self._term("noop"))), (Not(Atom(active)),))

    def weights(self) -> set[int]:
        """The weights that are written out, or, where some are computed, all numbers that could be one."""
        scaled = [self._scaled(rule).head.args[1] for rule in self._rules_of(RANDOM_FACT)]
        numbers = set(map(weight_of, scaled))
        if None in numbers:
            heads = (rule.head for rule in self._sheet.master.rules)
            numbers |= {weight_of(constant) for head in heads for constant in _constants(head)}
        return {number for number in numbers if number}

    def too_heavy(self, weight: int) -> Diagnostic:
        first = self._sheet.master.by_signature[RANDOM_FACT][0]
        message = f"the weight {weight} is too large to be drawn by"
        hint = f"divide the weights, so that none is more than {HEAVIEST}"
        whole = self._sheet.master.source
        fault = Diagnostic("T05", Severity.ERROR, first.head_node.span, message, hint, whole)
        return self._sheet.texts.placed(fault)

    def _scaled(self, rule: Rule) -> Rule:
        """A rule of ``random`` in which the weight is divided by what divides all weights of its name."""
        name, weight, event = rule.head.args
        divisor, number = self._divisor(name), weight_of(weight)
        if divisor <= 1 or number is None:
            return rule
        return Rule(Term("random", (name, Term(str(number // divisor)), event)), rule.body, rule.node)

    def _divisor(self, name: Pattern) -> int:
        heads = (rule.head.args for rule in self._rules_of(RANDOM_FACT))
        weights = [weight_of(weight) for one, weight, _ in heads if one is name]
        return 1 if None in weights else reduce(gcd, (weight or 0 for weight in weights), 0)

    def _possible(self, rule: Rule) -> Rule:
        """A rule of ``legal`` that holds only where each of its names has an event of some weight."""
        taken = {variable.name for variable in _variables(rule)}
        conditions: list[Formula] = []
        for name in self._names(rule):
            weight, event = _fresh("weight", taken), _fresh("event", taken)
            conditions += [Atom(Term("random", (name, weight, event))), Distinct(weight, ZERO)]
        return Rule(rule.head, (*rule.body, *conditions), rule.node) if conditions else rule

    # -- moves --------------------------------------------------------------------------------------------

    def _moves(self) -> Iterator[Rule]:
        """``made``: the resolved move, its private parts still marked; ``did``: the same without marks."""
        for role, rule in self._legal:
            resolved, drawn = self._resolved(role, rule)
            does = Atom(Term("does", (role, rule.head.args[1])))
            head = self._made(role, resolved) if self._hides else self._term("did", role, resolved)
            yield Rule(head, (does, *rule.body, *drawn), rule.node)
        if self._hides:
            for role, move in self._resolved_forms:
                yield _rule(self._term("did", role, bare(move)), self._made(role, move))

    def _made(self, role: Term, move: Pattern) -> Term:
        """That a resolved move of this form was made. Its number: a form may be any move, marks included."""
        number = self._resolved_forms.index((role, _renamed(move))) + 1
        return self._term("made", role, Term(str(number)), move)

    def _resolved(self, role: Term, rule: Rule) -> tuple[Pattern, list[Formula]]:
        """The move of a rule with events for its names, and the condition that ``random`` drew them."""
        names = self._names(rule)
        if not names:
            return rule.head.args[1], []
        taken = {variable.name for variable in _variables(rule)}
        events: dict[Pattern, Pattern] = {name: _fresh("event", taken) for name in names}
        return with_terms(rule.head.args[1], events), self._did_draw(role, events, taken)

    def _did_draw(self, role: Term, events: Mapping[Pattern, Pattern], taken: set[str]) -> list[Formula]:
        """That nature drew these events for a player."""
        return [
            Atom(Term("does", (self._role_of(pair), self._entry(pair, events, taken))))
            for pair in self._pairs
            if pair.player is role and pair.name in events
        ]

    def _entry(self, pair: _Pair, events: Mapping[Pattern, Pattern], taken: set[str]) -> Term:
        return self._term("draw", pair.player, pair.name, events[pair.name], _fresh("number", taken))

    @cached_property
    def _resolved_forms(self) -> list[tuple[Term, Pattern]]:
        """The forms of resolved moves of each role, each once."""
        moves = ((role, _renamed(self._resolved(role, rule)[0])) for role, rule in self._legal)
        return list(dict.fromkeys(moves))

    def _asking_little(self, rule: Rule) -> Rule:
        """A rule that asks of moves with draws only the parts that it needs: five dice have 7776 outcomes."""
        uses = Counter(_variables(rule))
        body = tuple(self._part_asked(part, uses) for part in rule.body)
        return Rule(rule.head, body, rule.node)

    def _part_asked(self, part: Formula, uses: Counter[Variable]) -> Formula:
        if not isinstance(part, Atom) or part.term.signature != DOES:
            return part
        role, move = part.term.args
        if not isinstance(move, Term):
            return part
        read = tuple(at for at, arg in enumerate(move.args) if not isinstance(arg, Variable) or uses[arg] > 1)
        if not self._draws_beside(move.signature, read):
            return part
        key = move.signature, read
        if key not in self.parts:
            stem = "_".join([self.own["did"], move.name, *map(str, read)])
            self.parts[key] = free_name(self._taken, stem)
            self._taken.add(self.parts[key])
        return Atom(Term(self.parts[key], (role, *(move.args[at] for at in read))), part.node)

    def _draws_beside(self, form: Signature, read: tuple[int, ...]) -> bool:
        """Whether moves of a form draw something at other places as well."""
        moves = (rule.head.args[1] for _, rule in self._legal)
        return any(
            isinstance(move, Term)
            and move.signature == form
            and any(
                names_in(Term("", (arg,)), self._sheet.names)
                for at, arg in enumerate(move.args)
                if at not in read
            )
            for move in moves
        )

    def _parts_of_moves(self) -> Iterator[Rule]:
        """The relations for parts of moves, from what was drawn for these parts alone."""
        for (form, read), name in self.parts.items():
            for role, rule in self._legal:
                values = unify(
                    rule.head.args[1], Term(form[0], tuple(Variable(f"part{at}") for at in range(form[1])))
                )
                found = None if values is None else settled(substituted(rule, values))
                if found is None:
                    continue
                move = found.head.args[1]
                assert isinstance(move, Term)
                asked = Term("", tuple(move.args[at] for at in read))
                taken = {variable.name for variable in _variables(found)}
                events: dict[Pattern, Pattern] = {
                    one: _fresh("event", taken) for one in names_in(asked, self._sheet.names)
                }
                parts = bare(with_terms(asked, events))
                assert isinstance(parts, Term)
                does = Atom(Term("does", (role, move)))
                drawn = self._did_draw(role, events, taken) if events else []
                yield Rule(Term(name, (role, *parts.args)), (does, *found.body, *drawn), found.node)

    # -- what players see ---------------------------------------------------------------------------------

    def _percepts(self) -> Iterator[Rule]:
        if not self._hides:
            viewer = Variable("viewer")
            told = self._term("did", Variable("player"), Variable("move"))
            yield _rule(Term("sees", (viewer, told)), self._term("player", viewer), told)
            return
        for role, move in self._resolved_forms:
            for seer in self._sheet.roles:
                for case in views_of_pattern(move, seer):
                    made = resolve(self._made(role, move), case.values)
                    assert isinstance(made, Term)
                    told = self._term("did", role, case.view)
                    yield Rule(Term("sees", (seer, told)), (Atom(made), *case.apart))


class _OneRole(_Translator):
    """The translation for programs that know one role ``random``, all of whose moves are as likely."""

    def _nature(self) -> list[Term]:
        return [RANDOM] if self._pairs else []

    def _draws(self) -> Iterator[Rule]:
        """A tuple with an entry for each pair: a copy of an event, or ``none`` where it is not active."""
        event, weight, number = Variable("event"), Variable("weight"), Variable("number")
        for pair in self._pairs:
            active = self._term("active", pair.player, pair.name)
            entry = self._term("draw", pair.player, pair.name, event, number)
            yield _rule(
                self._term("drawn", pair.player, pair.name, entry),
                active,
                Term("random", (pair.name, weight, event)),
                self._term("copy", weight, number),
            )
            nothing = self._term("drawn", pair.player, pair.name, self._term("none"))
            yield Rule(nothing, (Not(Atom(active)),))
        yield from self._copies()
        entries = [Variable(f"draw{at}") for at in range(1, len(self._pairs) + 1)]
        drawn = [
            self._term("drawn", pair.player, pair.name, entry)
            for pair, entry in zip(self._pairs, entries, strict=True)
        ]
        yield _rule(Term("legal", (RANDOM, self._random_move(entries))), *drawn)

    def _random_move(self, entries: Iterable[Pattern]) -> Pattern:
        first, *others = entries
        return self._term("draws", first, *others) if others else first

    def _copies(self) -> Iterator[Rule]:
        """``(copy 3 1/3) (copy 3 2/3) (copy 3 3/3)`` for every number that may be a weight."""
        weights = self.weights()
        scale = max(1, -(-sum(weights) // MOST_COPIES))
        for weight in sorted(weights):
            copies = max(1, round(weight / scale))
            for copy in range(1, copies + 1):
                number = "1" if copies == 1 else f"{copy}/{copies}"
                yield _fact(self.own["copy"], Term(str(weight)), Term(number))

    def _did_draw(self, role: Term, events: Mapping[Pattern, Pattern], taken: set[str]) -> list[Formula]:
        entries = [
            self._entry(pair, events, taken)
            if pair.player is role and pair.name in events
            else _fresh("other", taken)
            for pair in self._pairs
        ]
        return [Atom(Term("does", (RANDOM, self._random_move(entries))))]


def _renamed(pattern: Pattern) -> Pattern:
    """A pattern whose variables are called by their order: the same for patterns of one form."""
    names: dict[Variable, Pattern] = {}
    for variable in variables_of(pattern):
        if variable not in names:
            names[variable] = Variable(f"x{len(names) + 1}")
    # Not `resolve`: a new name may be that of another variable.
    return substitute(pattern, names)


def _variables(rule: Rule) -> Iterator[Variable]:
    yield from variables_of(rule.head)
    for formula in rule.body:
        yield from formula_variables(formula)


def _constants(pattern: Pattern) -> Iterator[Term]:
    """Every constant of a head: a weight that a rule computes was written somewhere as a fact."""
    if isinstance(pattern, Term):
        if not pattern.args:
            yield pattern
        for arg in pattern.args:
            yield from _constants(arg)


def _fresh(stem: str, taken: set[str]) -> Variable:
    name = next(name for at in count(1) if (name := f"{stem}{at}") not in taken)
    taken.add(name)
    return Variable(name)


def _rule(head: Term, *conditions: Term) -> Rule:
    return Rule(head, tuple(map(Atom, conditions)))


def _fact(name: str, *args: Term) -> Rule:
    return Rule(Term(name, args))
