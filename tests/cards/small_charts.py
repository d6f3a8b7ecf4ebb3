"""Small charts for tests, and ways to walk through them."""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.cards.language.config import USUAL, MachineConfig
from ludorum.cards.language.terms import Term
from ludorum.cards.load import checked_rules
from ludorum.cards.machine.host import Host
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.position import CardPosition, hand
from ludorum.cards.machine.reasons import NeedMove, NeedRandom, NeedShuffle, Reason
from ludorum.rules.source import Source


def machine(body: str, players: int = 2, config: MachineConfig = USUAL) -> Machine:
    """A machine for lines of a chart, which are numbered from 1 and followed by the end."""
    lines = [line.strip() for line in body.strip().splitlines()]
    table = [f"; players: {players}", "0 start"]
    table += [f"{at} {line}" for at, line in enumerate(lines, start=1)]
    table.append(f"{len(lines) + 1} end")
    return Machine(checked_rules(Source("small", "\n".join(table)), "small"), config)


def finish(walker: Machine, answers: Iterable[object] = (), seed: int = 0) -> CardPosition:
    """The end of a game: moves and random numbers as given, by the seed when none are left."""
    position, _ = stop(walker, answers, seed)
    return position


def stop(
    walker: Machine, answers: Iterable[object] = (), seed: int = 0, *, ask: bool = False
) -> tuple[CardPosition, Reason]:
    """Where a game stops: at its end, or with ``ask`` when the answers are used up."""
    host, waiting = Host(walker, seed), list(answers)
    position = walker.start()
    while True:
        position, reason = walker.advance(position)
        if position.is_finished:
            return position, reason
        if waiting and isinstance(reason, NeedMove | NeedRandom | NeedShuffle):
            position = walker.supply(position, waiting.pop(0))
        elif ask and not waiting and isinstance(reason, NeedMove):
            return position, reason
        else:
            position = walker.supply(position, host.answer(reason, position))


def value(position: CardPosition, name: str) -> str:
    """What a variable holds, written as in charts."""
    from ludorum.cards.language.captions import parse_condition
    from ludorum.cards.language.terms import format_term

    return format_term(position.variables[parse_condition(name)])


def cards(*names: str) -> tuple[Term, ...]:
    """Cards from ``2h``, ``kc``, ``10s``."""
    ranks = {"j": "jack", "q": "queen", "k": "king", "a": "ace"}
    suits = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
    return tuple(
        Term("card", (Term(ranks.get(name[:-1], name[:-1])), Term(suits[name[-1]]))) for name in names
    )


def stacked(*top: str) -> tuple[Term, ...]:
    """The usual pack with these cards on top, in this order."""
    from ludorum.cards.language.deck import standard_pack

    first = cards(*top)
    return (*first, *(one for one in standard_pack() if one not in first))


__all__ = ["cards", "finish", "hand", "machine", "stacked", "stop", "value"]
