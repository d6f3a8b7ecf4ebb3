"""Nineteen typical ways to damage a rule sheet, each chosen by a seed among all places where it applies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from ludorum.rules.binding import free_variables
from ludorum.rules.build import CONNECTIVES, build_rules
from ludorum.rules.keywords import HINTS, KEYWORDS
from ludorum.rules.kif import TOKEN, read_nodes
from ludorum.rules.ruleset import Rule
from ludorum.rules.source import Source
from ludorum.rules.syntax import Node, NodeKind

Cut = tuple[int, int, str]
"""A stretch of the text and what it becomes."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Sheet:
    """A good sheet, ready to be damaged."""

    def __init__(self, text: str) -> None:
        self.text = text
        source = Source("sheet.kif", text)
        nodes, faults = read_nodes(source)
        assert not faults
        self.forms = nodes
        self.rules: list[Rule] = []
        for node in nodes:
            rules, _ = build_rules([node], source)
            self.rules += rules
        self.words = {node.name for form in nodes for node in form.walk() if node.kind is NodeKind.SYMBOL}

    def of(self, node: Node) -> str:
        return self.text[node.span.start : node.span.end]

    def literals(self) -> Iterator[tuple[Rule, Node]]:
        """Every literal of every body but those of hints, with its rule."""
        for rule in self.rules:
            if rule.node.head == "<=" and rule.head.name not in HINTS:
                for item in rule.node.items[2:]:
                    yield from ((rule, each) for each in _literals(item))

    def sentences(self) -> Iterator[Node]:
        """Heads, facts and atoms but those of hints."""
        for rule in self.rules:
            if rule.head.name not in HINTS:
                yield rule.head_node
        yield from (node for _, node in self.literals() if node.head not in CONNECTIVES)


def _literals(node: Node) -> Iterator[Node]:
    yield node
    if node.kind is NodeKind.LIST and node.head in ("not", "and", "or"):
        for item in node.items[1:]:
            yield from _literals(item)


def misspelt(name: str, chance: Random, taken: set[str]) -> str:
    """A name with a letter doubled, dropped, changed, or two swapped; one that the sheet does not have."""
    for _ in range(100):
        at = chance.randrange(len(name))
        made = {
            0: name[:at] + name[at] + name[at:],
            1: name[:at] + name[at + 1 :],
            2: name[:at] + chance.choice(LETTERS) + name[at + 1 :],
            3: name[:at] + name[at + 1 : at + 2] + name[at] + name[at + 2 :],
        }[chance.randrange(4)]
        if made and made != name and made.lower() not in taken and made[0].isalpha():
            return made
    return name + name[-1]


# -- the ways ---------------------------------------------------------------------------------------------


def missing_bracket(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    for token in TOKEN.finditer(sheet.text):
        if token.lastgroup in ("open", "close"):
            yield token.start(), token.end(), ""


def extra_bracket(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    for token in TOKEN.finditer(sheet.text):
        if token.lastgroup in ("open", "close"):
            yield token.end(), token.end(), token.group()


def misspelt_relation(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    for node in sheet.sentences():
        name = node.items[0] if node.kind is NodeKind.LIST else node
        if name.name not in KEYWORDS:
            yield name.span.start, name.span.end, misspelt(name.name, chance, sheet.words)
        for inner in node.walk():  # fluents and moves are relations to their authors
            if node.head in KEYWORDS and inner.kind is NodeKind.LIST and inner is not node:
                name = inner.items[0]
                yield name.span.start, name.span.end, misspelt(name.name, chance, sheet.words)


def misspelt_constant(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    for node in sheet.sentences():
        for inner in node.walk():
            for item in inner.items[1:]:
                if item.kind is NodeKind.SYMBOL and item.name.isalpha() and len(item.name) > 2:
                    yield item.span.start, item.span.end, misspelt(item.name, chance, sheet.words)


def misspelt_variable(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    for rule in sheet.rules:
        if rule.head.name in HINTS:
            continue
        names = {node.name for node in rule.node.walk() if node.kind is NodeKind.VARIABLE}
        for node in rule.node.walk():
            if node.kind is NodeKind.VARIABLE:
                yield node.span.start, node.span.end, "?" + misspelt(node.name, chance, names)


def missing_true(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    for _, node in sheet.literals():
        if node.head == "true":
            yield node.span.start, node.span.end, sheet.of(node.items[1])


def missing_does(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    for _, node in sheet.literals():
        if node.head == "does":
            yield node.span.start, node.span.end, sheet.of(node.items[2])
            if node.items[1].kind is NodeKind.SYMBOL:
                word = node.items[0].span
                yield word.start, node.items[1].span.start, ""


def missing_next(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    """A `next` rule of what says whose turn it is or which step: a fluent of a role or a number alone."""
    roles = {str(rule.head.args[0]) for rule in sheet.rules if rule.head.name == "role"}
    turns = {
        fluent.head
        for rule in sheet.rules
        if rule.head.name == "init"
        and len((fluent := rule.head_node.items[1]).items) == 2
        and (sheet.of(fluent.items[1]) in roles or sheet.of(fluent.items[1]).isdigit())
    }
    for rule in sheet.rules:
        if rule.head.name == "next":
            fluent = rule.head_node.items[1]
            if fluent.head in turns and len(fluent.items) == 2:
                yield rule.node.span.start, rule.node.span.end, ""


def _terms(sheet: Sheet) -> Iterator[Node]:
    """Brackets that have arguments: literals, fluents and moves; not the keywords around these."""
    for node in sheet.sentences():
        for inner in node.walk():
            if inner.kind is NodeKind.LIST and inner.head and inner.head not in KEYWORDS:
                yield inner


def dropped_argument(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    for node in _terms(sheet):
        if len(node.items) > 2:
            for before, item in zip(node.items, node.items[1:], strict=False):
                yield before.span.end, item.span.end, ""


def extra_argument(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    for node in _terms(sheet):
        for item in node.items[1:]:
            yield item.span.end, item.span.end, f" {sheet.of(item)}"


def swapped_arguments(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    for node in (
        *_terms(sheet),
        *(each for each in sheet.sentences() if each.head in ("does", "legal", "goal")),
    ):
        for one, other in zip(node.items[1:], node.items[2:], strict=False):
            between = sheet.text[one.span.end : other.span.start]
            if sheet.of(one) != sheet.of(other):
                yield one.span.start, other.span.end, sheet.of(other) + between + sheet.of(one)


def unsafe_variable(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    """A condition gone that alone bound a variable."""
    for rule in sheet.rules:
        if rule.head.name in HINTS or len(rule.body) < 2 or free_variables(rule):
            continue
        for at, item in enumerate(rule.node.items[2:]):
            rest = Rule(rule.head, rule.body[:at] + rule.body[at + 1 :], rule.node)
            if free_variables(rest):
                yield rule.node.items[at + 1].span.end, item.span.end, ""


def missing_legal(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    """The rule of a move that waits, or of one role where others have their own."""
    roles = sum(rule.head.name == "role" for rule in sheet.rules)
    for rule in sheet.rules:
        if rule.head.name == "legal":
            move, role = rule.head.args[1], rule.head.args[0]
            waits = move.is_ground and not getattr(move, "args", ())
            if waits or (role.is_ground and roles > 1):
                yield rule.node.span.start, rule.node.span.end, ""


def missing_fact(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    for rule in sheet.rules:
        if rule.head.name in ("role", "init") and not rule.body:
            yield rule.node.span.start, rule.node.span.end, ""


def wrong_word(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    """`not` or `distinct` dropped, or a keyword misspelt."""
    for _, node in sheet.literals():
        if node.head == "not":
            yield node.span.start, node.span.end, sheet.of(node.items[1])
        elif node.head == "distinct":
            yield node.items[0].span.start, node.items[1].span.start, ""
    for node in sheet.sentences():
        if node.head in KEYWORDS:
            name = node.items[0] if node.kind is NodeKind.LIST else node
            yield name.span.start, name.span.end, misspelt(name.name, chance, sheet.words)


def head_variable(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    """Another variable of the sheet where a head and its body should have the same one."""
    names = sorted(
        {node.name for form in sheet.forms for node in form.walk() if node.kind is NodeKind.VARIABLE}
    )
    for rule in sheet.rules:
        if rule.head.name in HINTS or not rule.body:
            continue
        found = [node for node in rule.node.walk() if node.kind is NodeKind.VARIABLE]
        new = [name for name in names if name not in {node.name for node in found}]
        inner = [node for node in rule.head_node.walk() if node.kind is NodeKind.VARIABLE]
        for node in inner:
            # In the head, or in the body where it stands once there: either way nothing binds the head's.
            own = [each for each in found if each.name == node.name]
            if new:
                yield node.span.start, node.span.end, f"?{chance.choice(new)}"
            if new and len(own) == 2 and sum(each.name == node.name for each in inner) == 1:
                yield own[1].span.start, own[1].span.end, f"?{chance.choice(new)}"


def missing_arrow(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    """`<=` forgotten: alone, with the bracket that ends the head, or with the brackets of the rule."""
    for rule in sheet.rules:
        if rule.node.head != "<=":
            continue
        arrow, head, *body = rule.node.items
        yield arrow.span.start, head.span.start, ""
        if body and head.kind is NodeKind.LIST:
            rest = sheet.text[head.span.end : rule.node.span.end]
            yield rule.node.span.start, rule.node.span.end, sheet.of(head)[:-1] + rest
            yield rule.node.span.start, rule.node.span.end, sheet.of(head) + rest[:-1]


def wrong_word_in_body(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    """`next` or `init` for `true`, `legal` or `true` for `does`."""
    others = {"true": ("next", "init"), "does": ("legal", "true")}
    for _, node in sheet.literals():
        for word in others.get(node.head, ()):
            yield node.items[0].span.start, node.items[0].span.end, word


def wrong_word_in_head(sheet: Sheet, chance: Random) -> Iterator[Cut]:
    """`true` or `init` for `next`, `does` for `legal`, `true` or `next` for `init`."""
    others = {"next": ("true", "init"), "legal": ("does",), "init": ("true", "next")}
    for rule in sheet.rules:
        for word in others.get(rule.head.name, ()):
            yield rule.head_node.items[0].span.start, rule.head_node.items[0].span.end, word


Way = Callable[[Sheet, Random], Iterator[Cut]]

WAYS: dict[str, Way] = {
    "missing bracket": missing_bracket,
    "extra bracket": extra_bracket,
    "misspelt relation": misspelt_relation,
    "misspelt constant": misspelt_constant,
    "misspelt variable": misspelt_variable,
    "missing true": missing_true,
    "missing does": missing_does,
    "missing next of a turn": missing_next,
    "dropped argument": dropped_argument,
    "extra argument": extra_argument,
    "swapped arguments": swapped_arguments,
    "unsafe variable": unsafe_variable,
    "missing legal": missing_legal,
    "missing role or init": missing_fact,
    "not, distinct, keyword": wrong_word,
    "variable of a head": head_variable,
    "missing arrow": missing_arrow,
    "wrong word in a body": wrong_word_in_body,
    "wrong word in a head": wrong_word_in_head,
}


def damaged(text: str, way: str, seed: int) -> str | None:
    """The text with one damage, or None where that way does not apply."""
    sheet = Sheet(text)
    chance = Random(f"{way} {seed}")
    cuts = list(WAYS[way](sheet, chance))
    if not cuts:
        return None
    start, end, new = chance.choice(cuts)
    return re.sub(r"\n[ \t]+\n", "\n", text[:start] + new + text[end:])
