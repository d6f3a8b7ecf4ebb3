"""A compiled chart as facts and rules for ``control.lp``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...rules.terms import Pattern
from ..language.config import MachineConfig
from ..language.deck import RANKS, SUITS, point_value, rank_value, sorted_cards
from ..language.language import FUNCTIONS
from ..language.melds import low_value
from ..language.rules import ChoiceNode, Node, Rules, StartTerminal, Statement
from ..language.terms import Term, as_integer, is_string, subterms
from .names import asp_name, asp_text, with_arguments

STATEMENTS = {
    "assign": "assign",
    "publish": "publish",
    "Shuffle": "shuffle",
    "Deal": "deal",
    "Stack.empty": "stackEmpty",
    "playCard": "playCard",
    "playCardOrPass": "playCardOrPass",
    "pickUp": "pickUp",
    "choose": "choose",
    "Pack.use": "packUse",
    "Pack.add": "packAdd",
    "Pack.remove": "packRemove",
    "Pile.open": "pileOpen",
    "Pile.closed": "pileClosed",
    "Pile.private": "pilePrivate",
}
"""Statements that the program calls by other names: they begin with a small letter there."""

_FUNCTIONS = frozenset(FUNCTIONS) - {"score", "cardsRemaining", "middle", "passed"}
"""Names that are no variables."""


def missing_words(rules: Rules) -> list[str]:
    """The words of a chart that the program has no rules for."""
    return sorted(
        {
            "several cards from the pack to a place that may become the pack"
            for node in rules.nodes.values()
            if isinstance(node, Statement) and _moves_into_the_next_pack(node.action)
        }
    )


def _moves_into_the_next_pack(action: Term) -> bool:
    """Whether the first of the cards could be recycled to draw the others."""
    if action.name != "move":
        return False
    source, target, count = map(str, action.args)
    return source == "pack" and target in ("stack", "discard") and count != "1"


def chart_facts(rules: Rules, config: MachineConfig) -> str:
    """The facts that do not change during a game."""
    lines = [f"state({index},{_node_text(node)})." for index, node in rules.nodes.items()]
    lines += sorted({line for node in rules.nodes.values() for line in _pieces(node)})
    lines += [f"players({rules.players})."]
    lines += [f"isPlayer(player({index}))." for index in range(rules.players)]
    own = rules.decision_limit
    limit = config.most_decisions if own is None else own
    lines += [f"recycleUsual({str(config.recycle).lower()}).", f"mostDecisions({limit})."]
    lines += ["playedPlace(stack).", "playedPlace(discard)."]
    return "\n".join(lines) + "\n"


def card_facts(cards: Iterable[Term]) -> str:
    """The cards of a game, their order and their worth."""
    in_order = sorted_cards(cards)
    ranks = dict.fromkeys((*RANKS, Term("joker"), *(one.args[0] for one in in_order)))
    lines = [f"usualSuit({suit})." for suit in SUITS]
    lines += [f"usualRank({rank})." for rank in RANKS]
    for at, card in enumerate(in_order):
        text = asp_text(card)
        lines += [f"card({text}).", f"cardOrder({text},{at}).", f"lowValue({text},{low_value(card)})."]
    for rank in ranks:
        assert isinstance(rank, Term)
        lines.append(f"pips({asp_text(rank)},{point_value(rank)}).")
        if rank_value(rank) is not None:
            lines.append(f"rankOrder({asp_text(rank)},{rank_value(rank)}).")
    return "\n".join(lines) + "\n"


def variable_rules(rules: Rules) -> str:
    """How variables with arguments are read and named; one pair of rules for each name of the chart."""
    kinds = {
        (one.name, len(one.args))
        for node in rules.nodes.values()
        for root in (*_expressions(node), *_names(node))
        for one in subterms(root)
        if one.args and one.name not in _FUNCTIONS - {"team", "rankValue", "pointValue"}
    }
    lines = ["#program step(t)."]
    for own, arity in sorted(kinds):
        name = asp_name(own)
        wanted = ",".join(f"A{at}" for at in range(arity))
        values = ",".join(f"X{at}" for at in range(arity))
        body = ", ".join(f"eval(t,A{at},X{at})" for at in range(arity))
        lines.append(
            f"evalVarName(t,{name}({wanted}),{name}({values})) :- evalVarName(t,{name}({wanted})), {body}."
        )
        if own not in _FUNCTIONS:
            fact = f"stepFact(t-1,variable({name}({values}),V))"
            lines.append(f"eval(t,{name}({wanted}),V) :- eval(t,{name}({wanted})), {body}, {fact}.")
    return "\n".join(lines) + "\n"


def needed_sections(program: str, rules: Rules) -> str:
    """A program without the sections (``%% words``) of words that a chart does not use."""
    words = {
        one.name
        for node in rules.nodes.values()
        for root in (*_expressions(node), *_names(node))
        for one in subterms(root)
    }
    words |= {node.action.name for node in rules.nodes.values() if isinstance(node, Statement)}
    sections = program.split("\n\n")
    kept = [
        section
        for section in sections
        if not section.startswith("%% ") or words & set(section.split("\n")[0].split()[1:])
    ]
    return "\n\n".join(kept) + "\n"


def action_text(action: Term) -> str:
    """A statement as the program writes it: names begin with a small letter."""
    name = STATEMENTS.get(action.name, action.name)
    return with_arguments(name, action)


def _node_text(node: Node) -> str:
    if isinstance(node, StartTerminal):
        return f"startTerminal({node.next})"
    if isinstance(node, ChoiceNode):
        return f"choice({node.yes},{node.no},{asp_text(node.condition)})"
    return (
        f"statement({node.next},{action_text(node.action)})" if isinstance(node, Statement) else "endTerminal"
    )


def _expressions(node: Node) -> list[Pattern]:
    """The expressions that are evaluated at a node."""
    if isinstance(node, ChoiceNode):
        return [node.condition]
    if not isinstance(node, Statement) or node.action.name == "publish":
        return []
    args = node.action.args
    if node.action.name == "assign":
        return [*_arguments(args[0]), args[1]]
    if node.action.name == "choose":
        return [args[0], *_arguments(args[1]), *args[2:]]
    return list(args)


def _names(node: Node) -> list[Pattern]:
    """Variables that a node assigns to."""
    if isinstance(node, Statement) and node.action.name in ("assign", "choose"):
        return [node.action.args[0 if node.action.name == "assign" else 1]]
    return []


def _arguments(term: Pattern) -> tuple[Pattern, ...]:
    return term.args if isinstance(term, Term) else ()


def _pieces(node: Node) -> Iterator[str]:
    """Expressions taken to pieces: atoms, constants, arguments."""
    for root in (*_expressions(node), *_names(node)):
        for one in subterms(root):
            text = asp_text(one)
            if is_string(one) or as_integer(one) is not None:
                yield f"constant({text})."
            elif not one.args:
                yield f"atom({text})."
            first = 1 if one.name == "operation" else 0
            for at, arg in enumerate(one.args[first:], start=first + 1):
                yield f"arg({text},{at},{asp_text(arg)})."
            if one.name == "range":
                yield f"isRange({text})."
    if isinstance(node, Statement) and node.action.name not in ("assign", "publish"):
        text = action_text(node.action)
        for at, arg in enumerate(node.action.args, start=1):
            yield f"arg({text},{at},{asp_text(arg)})."
        if node.action.name == "choose":
            yield f"isChoose({text})."
            yield f"isName({text},2)."
