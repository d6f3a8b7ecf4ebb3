"""A player's knowledge of a deal as facts for ``hyperplay.lp``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..language.rules import Statement
from ..language.terms import Term
from ..machine.position import hand
from ..machine.story import Came, Crept, Drew, Left, Recycled, Sifted, Tested, is_veiled
from ..worlds.conditions import Holding, holdings
from ..worlds.knowledge import Knowledge
from ..worlds.unknowns import WorldsError
from .names import asp_text


@dataclass
class HistoryFacts:
    """A program's input, and which of its steps are draws of a story (by the time of their first card)."""

    text: str
    draw_steps: dict[tuple[Term, int], int] = field(default_factory=dict)


def history_facts(knowledge: Knowledge) -> HistoryFacts:
    """The facts; WorldsError for stories that the program has no words for (hidden piles, equal cards)."""
    return _Writer(knowledge).write()


def card_text(card: Term) -> str:
    return f"c({','.join(asp_text(arg) for arg in card.args)})"


class _Writer:
    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.story = knowledge.story
        self.own = hand(knowledge.player)
        self.step = 0
        self.lines: list[str] = []
        self.laid: list[tuple[int, Term]] = []
        self.back: set[int] = set()
        """Steps at which cards were laid that are in the pack again."""
        self.draw_steps: dict[tuple[Term, int], int] = {}

    def write(self) -> HistoryFacts:
        cards = self.story.cards
        if len(set(cards)) != len(cards):
            raise WorldsError("the program has no words for packs with equal cards")
        players = range(len(self.knowledge.game.players))
        self.lines += [f"card({card_text(card)})." for card in cards]
        self.lines += [f"player({index})." for index in players]
        for group in self._groups():
            self._write_group(group)
        self.lines.append(f"step(0..{self.step}).")
        return HistoryFacts("\n".join(self.lines) + "\n", self.draw_steps)

    def _groups(self) -> Iterator[list[object]]:
        """Events one by one, but draws of one step together."""
        draws: list[object] = []
        for happening in self.story.happenings:
            if isinstance(happening, Drew):
                first = draws[0] if draws else None
                if isinstance(first, Drew) and first.step != happening.step:
                    yield draws
                    draws = []
                draws.append(happening)
                continue
            if draws:
                yield draws
                draws = []
            yield [happening]
        if draws:
            yield draws

    def _write_group(self, group: list[object]) -> None:
        match group[0]:
            case Drew():
                self._draws([one for one in group if isinstance(one, Drew)])
            case Left(_, place, what, _):
                self._next(f"laid({{T}},{_player(place)},{card_text(what)}).")
                self.laid.append((self.step, what))
            case Came(_, place, what):
                self._next(f"came({{T}},{_player(place)},{card_text(what)}).")
            case Recycled(_, cards):
                self.back |= {step for step, what in self.laid if what in cards}
            case Tested() as test:
                found = holdings(test.expression, test.value, test.before)
                for one in found or ():
                    self._branch(one)
            case Crept(_, source, target, _):
                raise WorldsError(f"a card went unseen from {source} to {target}")
            case Sifted(_, target):
                raise WorldsError(f"cards of a hidden pile went to {target}")

    def _branch(self, one: Holding) -> None:
        value = "true" if one.some else "false"
        self._next(f"branch({{T}},{_player(one.place)},{asp_text(one.template)},{value}).")

    def _draws(self, drawn: list[Drew]) -> None:
        if any(one.place.name != "hand" for one in drawn):
            raise WorldsError("the program has no words for hidden piles")
        node = (
            self.knowledge.game.chart.nodes[self.knowledge.moments[drawn[0].step].node]
            if (drawn[0].step < len(self.knowledge.moments))
            else None
        )
        is_deal = isinstance(node, Statement) and node.action.name == "Deal"
        by_place: dict[Term, list[Drew]] = {}
        for one in drawn:
            by_place.setdefault(one.place, []).append(one)
        if is_deal and not self.draw_steps:
            self._next(f"act({{T}},deal({len(by_place[self.own])})).")
            for place, some in by_place.items():
                self._known(place, some, "own")
            return
        for place, some in by_place.items():
            self._next(f"act({{T}},pickUp({_player(place)},{len(some)})).")
            self.lines += [f"recycled({at},{self.step})." for at in sorted(self.back)]
            self._known(place, some, "ownGain")

    def _known(self, place: Term, drawn: list[Drew], predicate: str) -> None:
        self.draw_steps[place, drawn[0].time] = self.step
        self.lines += [
            f"{predicate}({self.step},{_player(place)},{card_text(one.what)})."
            for one in drawn
            if not is_veiled(one.what)
        ]

    def _next(self, line: str) -> None:
        self.step += 1
        self.lines.append(line.replace("{T}", str(self.step)))


def _player(place: Term) -> str:
    return asp_text(place.args[0].args[0])  # type: ignore[union-attr]
