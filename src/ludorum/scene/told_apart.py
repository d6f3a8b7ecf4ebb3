"""Events of which each player is told in words of its own, and which all know so: ``won`` and ``lost``.

Where one condition tells every player something, and nothing else tells a player the same, each can find from
its own percept that the condition holds, and that all others can: it is public.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from ..rules.ruleset import Atom, Formula, Rule, Ruleset, format_formula, formula_variables, with_other_terms
from ..rules.terms import Substitution, Term, Variable, format_term, substitute, variables_of
from ..rules.unify import unify
from ..rules.wdl.rewriting import substituted
from .sees_instances import SeesInstance, instances_of, is_listed, may_be_same, variables_of_all

MOST_UNFOLDED = 20
"""Conditions of one rule that are replaced by what they mean."""
KEPT = {("true", 1), ("does", 2), ("role", 1)}


def told_of(player: Term, percept: Term) -> Term:
    """What spectators are told of a percept that one player has: ``(alice won)``."""
    return Term(format_term(player), (percept,))


def told_apart(rules: Ruleset, players: Sequence[Term]) -> tuple[SeesInstance, ...]:
    """What spectators are told of such events."""
    told: dict[Term, list[SeesInstance]] = {player: [] for player in players}
    for rule in rules.by_signature.get(("sees", 2), ()):
        for player in players:
            found = instances_of(rules, _unfolded(rules, rule), player)
            if found is None or not isinstance(rule.head.args[1], Term):
                return ()  # it is not known what else the player is told
            told[player] += found
    events: dict[str, dict[Term, list[SeesInstance]]] = defaultdict(lambda: defaultdict(list))
    for player, instances in told.items():
        for one in instances:
            events[_form(one.body)][player].append(one)
    found_events = [event for event in events.values() if _is_known_to_all(event, told)]
    return tuple(one for event in found_events for one in _as_spectators_hear(rules, event))


def _is_known_to_all(
    event: Mapping[Term, Sequence[SeesInstance]], told: Mapping[Term, Sequence[SeesInstance]]
) -> bool:
    """Whether each player is told something of an event that nothing else tells it."""
    return len(event) == len(told) and all(
        len(own) == 1
        and isinstance(own[0].what, Term)
        and own[0].what.is_ground
        and sum(may_be_same(own[0].what, one.what) for one in told[player]) == 1
        for player, own in event.items()
    )


def _as_spectators_hear(
    rules: Ruleset, event: Mapping[Term, Sequence[SeesInstance]]
) -> Iterator[SeesInstance]:
    words = {player: own[0].what for player, own in event.items()}
    if len(set(words.values())) == 1:
        yield next(iter(event.values()))[0]
        return
    percepts = [rule.head.args[1] for rule in rules.by_signature[("sees", 2)]]
    for player, what in words.items():
        assert isinstance(what, Term)
        heard = told_of(player, what)
        if not any(may_be_same(heard, percept) for percept in percepts):
            yield SeesInstance(heard, event[player][0].body)


def _unfolded(rules: Ruleset, rule: Rule) -> Rule:
    """A rule in which conditions that one rule defines are replaced by what they mean."""
    numbers = count(1)
    for _ in range(MOST_UNFOLDED):
        at = next((at for at, part in enumerate(rule.body) if _definition(rules, part) is not None), None)
        if at is None:
            break
        part = rule.body[at]
        definition = _definition(rules, part)
        assert isinstance(part, Atom)
        assert definition is not None
        meant = _renamed(definition, next(numbers))
        values = unify(part.term, meant.head)
        if values is None:
            break
        body = (*rule.body[:at], *meant.body, *rule.body[at + 1 :])
        rule = substituted(Rule(rule.head, body, rule.node), values)
    return rule


def _definition(rules: Ruleset, part: Formula) -> Rule | None:
    """The only rule of a condition, where it is not defined by itself."""
    if not isinstance(part, Atom) or part.term.signature in KEPT or is_listed(rules, part.term.signature):
        return None
    found = rules.by_signature.get(part.term.signature, ())
    if len(found) != 1 or not found[0].body:
        return None
    asked = {one.term.signature for one in found[0].body if isinstance(one, Atom)}
    return None if part.term.signature in asked else found[0]


def _renamed(rule: Rule, number: int) -> Rule:
    names: Substitution = {
        one: Variable(f"{one.name} {number}")
        for one in [*variables_of(rule.head), *variables_of_all(rule.body)]
    }
    return with_other_terms(rule, lambda pattern: substitute(pattern, names))


def _form(body: Iterable[Formula]) -> str:
    """Conditions as a text that is the same in any order, and whatever their variables are called."""
    blank: dict[Variable, Variable] = defaultdict(lambda: Variable(""))
    parts = sorted(
        body, key=lambda part: _written(part, {one: blank[one] for one in formula_variables(part)})
    )
    names: dict[Variable, Variable] = {}
    for one in variables_of_all(parts):
        names.setdefault(one, Variable(str(len(names) + 1)))
    return " ".join(sorted(_written(part, names) for part in parts))


def _written(part: Formula, names: Mapping[Variable, Variable]) -> str:
    rule = with_other_terms(Rule(Term("form"), (part,)), lambda pattern: substitute(pattern, dict(names)))
    return format_formula(rule.body[0])
