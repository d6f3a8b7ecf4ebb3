"""A chart as a ``Game`` like any other: players search it, servers host it, records store it.

Nature plays the role ``random``: it draws numbers, and cards when they are needed, each of the undrawn as
likely. So a shuffled pack has no order before its cards are drawn. A move is ``(play (card 3 hearts))``,
``(choose hearts)`` or ``pass``; a player that is not asked does ``noop``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias
from xml.etree.ElementTree import Element

from ...engine.errors import GameError
from ...engine.game import RANDOM, Game, GameInfo, JointMove, Known, Moves, Named, State, Status
from ...rules.terms import Term, sort_key
from ...show.svg import text_svg
from ..language.config import USUAL, MachineConfig
from ..language.language import DECISIONS
from ..language.rules import Rules, Statement
from ..language.terms import PASS, as_integer, is_card, number, subterms
from .facts_of_position import facts_of, position_of
from .machine import Machine
from .outcome import goals
from .position import CardPosition, Event
from .reasons import NeedCard, NeedMove, NeedRandom, Reason

if TYPE_CHECKING:
    from ...engine.simulator import Simulator

NOOP = Term("noop")

TableText: TypeAlias = Callable[[CardPosition, int | None], Iterable[str]]
"""Writes a position, as a player sees it or as it is, in lines of text."""


class CardGame(Game):
    """The game of a chart, run by the readable machine."""

    def __init__(
        self, rules: Rules, name: str, config: MachineConfig = USUAL, table: TableText | None = None
    ) -> None:
        """``table`` writes a position as people see it; without it, states are shown by their facts."""
        self.name = name
        self.table = table
        self.chart = rules
        self.machine = Machine(rules, config)
        self.decision_limit = self.machine.most_decisions
        self.players = tuple(Term(f"player{index}") for index in range(rules.players))
        self.roles = (*self.players, RANDOM)
        self.info = _info(rules, self.roles)
        self._initial: CardState | None = None

    def initial(self) -> CardState:
        if self._initial is None:
            self._initial = CardState(self, *self.machine.run(self.machine.start()), None, ())
        return self._initial

    def state(self, facts: Iterable[Term]) -> CardState:
        position = position_of(frozenset(facts), self.chart.players)
        return CardState(self, *self.machine.run(position), None, ())

    def simulator(self, lanes: int = 0) -> Simulator[State]:
        raise GameError(
            f"{self.name} is a flow chart and has no lanes: ludorum.cards.compiled.CompiledCards plays "
            "many games of a chart at once"
        )

    def __reduce__(self) -> tuple[type[CardGame], tuple[Rules, str, MachineConfig, TableText | None]]:
        return CardGame, (self.chart, self.name, self.machine.config, self.table)


class CardState(State):
    """A position in which a player or nature has a choice, or the end."""

    __slots__ = ("_joint", "_moves", "events", "game", "position", "reason")

    def __init__(
        self,
        game: CardGame,
        position: CardPosition,
        reason: Reason,
        joint: JointMove | None,
        events: tuple[Event, ...],
    ) -> None:
        self.game: CardGame = game
        self.position = position
        self.reason = reason
        self.events = events
        self._joint = joint
        self._moves: tuple[Term, ...] | None = None

    def facts(self) -> frozenset[Term]:
        return facts_of(self.position)

    def legal(self, role: Named) -> tuple[Term, ...]:
        if self.is_terminal:
            return ()
        if self._role(role) is not self.asked:
            return (NOOP,)
        if self._moves is None:
            self._moves = tuple(sorted(self._choices(), key=sort_key))
        return self._moves

    @property
    def asked(self) -> Term:
        """The role with a choice: a player, or nature."""
        return self.game.players[self.reason.player] if isinstance(self.reason, NeedMove) else RANDOM

    @property
    def is_decision(self) -> bool:
        """Whether a player is asked, even if there is only one answer: so the bound of the chart counts.

        Whether another player has a choice is mostly hidden, and all players must know when the game ends.
        """
        return not self.is_terminal and isinstance(self.reason, NeedMove)

    def play(self, joint: Moves) -> CardState:
        moves = self.legal_joint(joint)
        answer = self._answer(moves[self.game.roles.index(self.asked)])
        machine = self.game.machine
        position, reason = machine.run(machine.supply(self.position, answer))
        return CardState(self.game, position, reason, moves, position.events)

    @property
    def is_terminal(self) -> bool:
        return self.position.is_finished

    def goal_terms(self, role: Named) -> tuple[Term, ...]:
        role = self._role(role)
        if role is RANDOM:
            return (number(0),)
        return (number(goals(self.position)[self.game.players.index(role)]),)

    @property
    def joint(self) -> JointMove | None:
        return self._joint

    def percepts(self, role: Named) -> tuple[Term, ...]:
        role = self._role(role)
        if role is RANDOM or self._joint is None:
            return ()
        index = self.game.players.index(role)
        seen = [
            Term("event", (number(event.step), number(at), what))
            for at, event in enumerate(self.events)
            if (what := event.as_seen_by(index)) is not None
        ]
        return tuple(sorted(seen, key=sort_key))

    def ascii(self, width: int = 78) -> str:
        if self.game.table is None:
            return super().ascii(width)
        lines = self.game.table(self.position, None)
        return "\n".join(part for line in lines for part in textwrap.wrap(line, width) or [""])

    def drawing(self) -> Element:
        return super().drawing() if self.game.table is None else text_svg(self.ascii().splitlines())

    __eq__ = State.__eq__

    def __hash__(self) -> int:
        # Facts are made when they are asked for and not kept: only their texts last.
        return hash(frozenset(map(str, self.facts())))

    def __reduce__(self) -> tuple[type[CardState], tuple[object, ...]]:
        return CardState, (self.game, self.position, self.reason, self._joint, self.events)

    def _choices(self) -> list[Term]:
        match self.reason:
            case NeedRandom(_, size):
                return [Term("random", (number(value),)) for value in range(size)]
            case NeedCard(_, _, cards):
                return _drawings(cards)
            case NeedMove(_, _, options):
                return [move_of(option) for option in options]
        return []

    def _answer(self, move: Term) -> object:
        if isinstance(self.reason, NeedRandom):
            return as_integer(move.args[0])
        return option_of(move)


def move_of(option: Term) -> Term:
    """The move by which a player takes an option."""
    if option is PASS:
        return PASS
    return Term("play" if is_card(option) else "choose", (option,))


def option_of(move: Term) -> Term:
    """The option a player takes by a move; the twin of ``move_of``."""
    if move is PASS:
        return PASS
    found = move.args[0]
    assert isinstance(found, Term)
    return found


def _drawings(cards: Sequence[Term]) -> list[Term]:
    """A move of nature for every card, equal cards told apart by a number, so that each is as likely."""
    found: list[Term] = []
    seen: dict[Term, int] = {}
    for one in cards:
        seen[one] = seen.get(one, 0) + 1
        found.append(Term("draw", (one,) if seen[one] == 1 else (one, number(seen[one]))))
    return found


def _info(rules: Rules, roles: tuple[Term, ...]) -> GameInfo:
    deals = any(
        isinstance(node, Statement) and node.action.name in ("Deal", "pickUp")
        for node in rules.nodes.values()
    )
    names = [
        one.name
        for node in rules.nodes.values()
        if isinstance(node, Statement)
        for one in subterms(node.action)
    ]
    opposed = rules.players == 2 and "team" not in names
    return GameInfo(
        roles=roles,
        chance_roles=(RANDOM,),
        perfect_information=Known(False, Status.PROVED) if deals else Known(None, Status.UNKNOWN),
        simultaneous=Known(False, Status.PROVED),
        turn_taking=Known(True, Status.PROVED),
        zero_sum=Known(True if opposed else None, Status.PROVED if opposed else Status.UNKNOWN),
        constant_sum=Known(100 if opposed else None, Status.PROVED if opposed else Status.UNKNOWN),
    )


__all__ = ["DECISIONS", "NOOP", "CardGame", "CardState", "move_of", "option_of"]
