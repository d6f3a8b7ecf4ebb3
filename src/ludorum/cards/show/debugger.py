"""A debugger of games: node by node, with every change of a variable, forwards and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..language.captions import parse_condition
from ..language.faults import CardsError, ChartError
from ..language.rules import ChoiceNode
from ..language.terms import Term, as_integer, format_term
from ..machine.host import Host
from ..machine.machine import Machine
from ..machine.position import CardPosition, Event
from ..machine.reasons import Finished, MaxStep, NeedMove, NeedRandom, NeedShuffle, Publish, Reason
from .picture import all_variables

BY_SEED = "*"
"""A scripted answer that leaves it to the seed."""


@dataclass(frozen=True)
class Walked:
    """One executed node: its caption, its question and answer, and its changes."""

    step: int
    node: int
    caption: str
    asked: str
    answer: str
    branch: str
    """``yes`` or ``no`` at a choice."""
    changes: dict[str, str]
    position: CardPosition
    """After the node."""
    events: tuple[Event, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "step": self.step,
            "node": self.node,
            "caption": self.caption,
            "asked": self.asked or None,
            "answer": self.answer or None,
            "branch": self.branch or None,
            "changes": self.changes,
        }


class Debugger:
    """Walks through a game; questions to the host are answered by a script, by a person, or by the seed."""

    def __init__(self, machine: Machine, seed: int = 0, script: Sequence[str] = ()) -> None:
        self.machine = machine
        self.script = list(script)
        self.history: list[Walked] = []
        self._host = Host(machine, seed)
        self._start = machine.start()

    @property
    def position(self) -> CardPosition:
        return self.history[-1].position if self.history else self._start

    @property
    def is_finished(self) -> bool:
        return self.position.is_finished

    def question(self) -> Reason | None:
        """The question of the next node, if there is one; texts are not questions."""
        _, reason = self.machine.advance(self.position, 1)
        return None if isinstance(reason, MaxStep | Publish | Finished) else reason

    def step(self, answer: str | None = None) -> Walked:
        """Execute the next node, with an answer to its question; CardsError where that fails."""
        before = self.position
        position, asked, said = before.copy(), "", ""
        position.events = ()
        while True:
            position, reason = self.machine.advance(position, 1)
            if position.step != before.step or position.is_finished:
                break
            if isinstance(reason, MaxStep):
                continue
            reply = self._reply(reason, position, answer)
            if not isinstance(reason, Publish):
                asked, said = question_text(reason), _answer_text(reason, reply)
            answer = None
            position = self.machine.supply(position, reply, keep_events=True)
        walked = Walked(
            before.step,
            before.node,
            self.machine.rules.caption(before.node),
            asked,
            said,
            self._branch(before, position),
            _changes(before, position),
            position,
            position.events,
        )
        self.history.append(walked)
        return walked

    def back(self) -> None:
        """Takes the last node back; random answers are drawn again."""
        if not self.history:
            raise CardsError("this is the start of the game", self._start.node)
        self.history.pop()

    def _branch(self, before: CardPosition, after: CardPosition) -> str:
        node = self.machine.rules.nodes[before.node]
        if not isinstance(node, ChoiceNode):
            return ""
        return "yes" if node.yes == after.node else "no"

    def _reply(self, reason: Reason, position: CardPosition, answer: str | None) -> object:
        if isinstance(reason, NeedMove | NeedRandom) and answer is None and self.script:
            answer = self.script.pop(0)
        if answer is None or answer.strip() == BY_SEED or not isinstance(reason, NeedMove | NeedRandom):
            return self._host.answer(reason, position)
        return read_answer(answer, reason, position.node)


def read_answer(text: str, reason: Reason, node: int) -> object:
    """An answer as a person types it: a number, a card, a value; ``#2`` is the second option."""
    if isinstance(reason, NeedMove) and text.strip().startswith("#"):
        at = as_integer(Term(text.strip()[1:]))
        if at is None or not 1 <= at <= len(reason.options):
            raise CardsError(f"there are options #1 to #{len(reason.options)}, not {text}", node)
        return reason.options[at - 1]
    try:
        term = parse_condition(text)
    except ChartError:
        raise CardsError(f"{text!r} is no answer", node, "write a card, a number or a name") from None
    return as_integer(term) if isinstance(reason, NeedRandom) else term


def question_text(reason: Reason) -> str:
    """The question, in words."""
    match reason:
        case NeedMove(_, player, options):
            return f"player({player}): {' '.join(format_term(one) for one in options)}"
        case NeedRandom(_, size):
            return f"a number from 0 to {size - 1}"
        case NeedShuffle(_, cards):
            return f"an order of {len(cards)} cards"
    return ""


def _answer_text(reason: Reason, reply: object) -> str:
    if isinstance(reason, NeedShuffle):
        return "shuffled"
    return format_term(reply) if isinstance(reply, Term) else str(reply)


def _changes(before: CardPosition, after: CardPosition) -> dict[str, str]:
    old = all_variables(before)
    return {name: value for name, value in all_variables(after).items() if old.get(name) != value}
