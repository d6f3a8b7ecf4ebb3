"""The opinion of sampled worlds in words: how many agree, what is likely, and which moves do well."""

from __future__ import annotations

from collections.abc import Callable

from ..arena.table.person_knowledge import WorldsOpinion
from ..arena.table.table import Table
from ..rules.terms import Term
from ..scene.fact_groups import fact_words, telling_facts

MOST_FACTS = 12
MOST_CHOICES = 6


def opinion_text(table: Table, opinion: WorldsOpinion, label: Callable[[Term], str]) -> str:
    """The opinion in lines; ``label`` writes a move."""
    count = "1 world agrees" if opinion.worlds == 1 else f"{opinion.worlds} worlds agree"
    whole = "all there are" if opinion.is_all else "drawn from more"
    lines = [f"{count} with what you know, {whole}."]
    telling = telling_facts(table.game, (fact for fact, _ in opinion.shares))
    shares = [(fact, share) for fact, share in opinion.shares if fact in telling]
    lines += [f"{100 * share:4.0f} %  {fact_words(fact)}" for fact, share in shares[:MOST_FACTS]]
    if len(shares) > MOST_FACTS:
        lines.append(f"        and {len(shares) - MOST_FACTS} more facts")
    choices = [choice for choice in opinion.choices if choice.move in table.legal]
    lines.append("Mean of random games on from these worlds, of 100:")
    lines += [f"{choice.value:6.0f}  {label(choice.move)}" for choice in choices[:MOST_CHOICES]]
    if len(choices) > MOST_CHOICES:
        lines.append(f"        and {len(choices) - MOST_CHOICES} more moves")
    return "\n".join(lines)
