"""The machine that walks through a chart: readable, one node at a time, and obviously right.

``advance`` goes on until the host is needed or the game is over; ``supply`` gives it the host's answer. All
randomness comes from the host, so a game is determined by its answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..language.config import USUAL, MachineConfig
from ..language.faults import CardsError
from ..language.rules import ChoiceNode, EndTerminal, Rules, StartTerminal, Statement
from ..language.terms import PASS, Term, as_integer, format_term, number, string, truth
from .evaluate import EvaluationError, NeedNumber, evaluate, holds
from .position import CardPosition, opening
from .reasons import (
    LAZY,
    Finished,
    MaxStep,
    NeedCard,
    NeedMove,
    NeedRandom,
    NeedShuffle,
    Publish,
    Reason,
)
from .statements import STATEMENT_EFFECTS, needs_hidden


class Machine:
    """A chart that can be walked through. It has no state: positions have."""

    def __init__(self, rules: Rules, config: MachineConfig = USUAL) -> None:
        self.rules = rules
        self.config = config
        own = rules.decision_limit
        self.most_decisions = config.most_decisions if own is None else own
        """Decisions after which a game is over and valued as it stands."""
        self._tells_branch = {
            index: needs_hidden(node.condition)
            for index, node in rules.nodes.items()
            if isinstance(node, ChoiceNode)
        }

    def start(self) -> CardPosition:
        return opening(self.rules.start, self.rules.players)

    def advance(self, position: CardPosition, max_steps: int = 0) -> tuple[CardPosition, Reason]:
        """Goes on from a position, over at most so many nodes (0: any number); returns why it stopped."""
        position = position.copy()
        alone = 0
        while True:
            if position.is_finished:
                return position, Finished(position.step)
            if max_steps and alone >= max_steps:
                return position, MaxStep(position.step)
            idle = position.step - position.decided_at  # also where the host was asked on the way
            if idle > self.config.most_steps_alone:
                message = f"{idle} steps without a decision: the chart goes round in a circle"
                raise CardsError(message, position.node, "let a condition of the loop become false")
            reason = self._step(position)
            if reason is not None:
                return position, reason
            alone += 1

    def run(self, position: CardPosition) -> tuple[CardPosition, Reason]:
        """Like ``advance``, but texts are taken as read and packs as shuffled: only real questions are left.

        Cards of the pack are drawn when they are needed, each of the undrawn as likely: NeedCard.
        """
        while True:
            position, reason = self.advance(position)
            if isinstance(reason, Publish):
                position = self.supply(position, None, keep_events=True)
            elif isinstance(reason, NeedShuffle):
                position = self.supply(position, LAZY, keep_events=True)
            else:
                return position, reason

    def supply(self, position: CardPosition, answer: object, *, keep_events: bool = False) -> CardPosition:
        """A position that contains the host's answer to the last question.

        To NeedRandom and NeedCard a number and a card, to NeedMove one of its options, to NeedShuffle the
        pack in its order from the top (or LAZY), to Publish anything.
        """
        asked, reason = self.advance(position)
        if asked.step != position.step:
            raise CardsError("nothing was asked in this position", position.node, "call advance first")
        found = asked.copy()
        if not keep_events:
            found.events = ()
        _accept(found, reason, answer)
        return found

    def _step(self, position: CardPosition) -> Reason | None:
        node = self.rules.nodes[position.node]
        try:
            if isinstance(node, EndTerminal):
                position.is_finished = True
                return None
            if isinstance(node, StartTerminal):
                self._go_on(position, node.next)
            elif isinstance(node, ChoiceNode):
                yes = holds(node.condition, position)
                if self._tells_branch[position.node]:
                    position.tell(Term("branch", (number(position.node), truth(yes))))
                self._go_on(position, node.yes if yes else node.no)
            else:
                return self._act(node, position)
        except NeedNumber as need:
            return NeedRandom(position.step, as_integer(need.term.args[0]) or 0)
        except EvaluationError as error:
            raise CardsError(
                f"{error} in {self.rules.caption(position.node)}", position.node, error.hint
            ) from None
        return None

    def _act(self, node: Statement, position: CardPosition) -> Reason | None:
        effect = STATEMENT_EFFECTS.get(node.action.name)
        if effect is None:
            raise EvaluationError(f"there is no statement {node.action.name}")
        reason = effect(node.action, position, self.config)
        if reason is not None:
            return reason
        if position.decisions >= self.most_decisions:
            position.is_finished = position.is_broken_off = True
            return None
        self._go_on(position, node.next)
        return None

    def _go_on(self, position: CardPosition, target: int) -> None:
        if target not in self.rules.nodes:
            raise CardsError(f"it leads to node {target}, which does not exist", position.node)
        position.node = target
        position.step += 1
        position.answers.clear()


def _accept(position: CardPosition, reason: Reason, answer: object) -> None:
    """Stores an answer for the step that asked for it."""
    match reason:
        case NeedRandom(_, size):
            if isinstance(answer, bool) or not isinstance(answer, int) or not 0 <= answer < size:
                raise CardsError(f"a number from 0 to {size - 1} is needed, not {answer!r}", position.node)
            position.answers[Term("random", (number(size),))] = number(answer)
            position.tell(Term("random", (number(size), number(answer))))
        case NeedCard(_, at, cards):
            if not isinstance(answer, Term) or answer not in cards:
                raise CardsError(f"one of the undrawn cards is needed, not {answer}", position.node)
            position.order = (*position.order[:at], answer, *position.order[at + 1 :])
            left = list(position.undrawn)
            left.remove(answer)
            position.undrawn = tuple(left)
        case NeedShuffle(_, cards):
            position.answers[Term("shuffle")] = _order(answer, cards, position.node)
        case NeedMove():
            if not isinstance(answer, Term) or answer not in reason.options:
                options = ", ".join(format_term(one) for one in reason.options)
                raise CardsError(f"{answer} is not allowed: {options} are", position.node)
            position.answers[Term("move")] = answer
        case Publish():
            position.answers[Term("published")] = PASS
        case _:
            raise CardsError("nothing is asked here", position.node)


def _order(answer: object, cards: Sequence[Term], node: int) -> object:
    if answer is LAZY:
        return LAZY
    if not isinstance(answer, (list, tuple)) or sorted(answer) != sorted(cards):
        raise CardsError(f"the {len(cards)} cards of the pack are needed, in some order", node)
    return tuple(answer)


__all__ = ["Machine", "MachineConfig", "evaluate", "string"]
