"""Charts as hosts send them to players: KIF sentences, as the protocol of general game playing wants rules.

``(role player0) ... (fcdl (state 3 (statement 4 (Deal 7)))) ...``: the roles, and a compiled chart, a fact a
sentence. Only players that know charts can use it; nothing in it says what is legal.
"""

from __future__ import annotations

import re

from ..rules.kif import parse_kif
from ..rules.source import Source
from ..rules.terms import Term
from ..rules.terms import format_term as format_kif
from .language.config import USUAL
from .language.facts import read_facts
from .language.rules import format_rules
from .language.terms import format_term
from .load import checked_rules
from .machine.game import CardGame

FCDL = "fcdl"
_BEGINNING = re.compile(r"\s*(?:\(\s*role\s[^()]*\)\s*)*\(\s*fcdl\s", re.IGNORECASE)


def write_wired(game: CardGame) -> str:
    """The rules of a card game in one line; ValueError where the machine is not run as players run it."""
    if game.machine.config != USUAL:
        raise ValueError(f"{game.name} is run with settings that no player would be told")
    facts = [fact for fact, _ in read_facts(Source("rules", format_rules(game.chart)))]
    sentences = [Term("role", (role,)) for role in game.roles] + [Term(FCDL, (fact,)) for fact in facts]
    return " ".join(map(format_kif, sentences))


def is_wired(text: str) -> bool:
    """Whether some rules that were sent are those of a chart."""
    return _BEGINNING.match(text) is not None


def read_wired(text: str, name: str) -> CardGame:
    """The game of such rules; RulesError where they are wrong."""
    heads = [rule.head for rule in parse_kif(text, name).rules]
    facts = [arg for head in heads if head.name == FCDL for arg in head.args]
    chart = "".join(f"{format_term(fact)}.\n" for fact in facts)
    return CardGame(checked_rules(Source(name, chart), name), name)
