"""The knowledge of one player: the path through the chart, all variables, own cards, and cards played.

It is built from the player's percepts alone. The machine walks through the chart as it does for the host, but
over cards that are *veiled* where the player does not see them; where the path depends on hidden cards, on
chance or on a player's choice, the percepts say how it went. So nothing of the true state can leak in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...rules.terms import Pattern
from ..language.faults import CardsError
from ..language.language import DECISIONS
from ..language.rules import ChoiceNode, Statement
from ..language.terms import ANY, FALSE, PASS, TRUE, Term, as_integer, card, number, player, text_of
from ..machine.evaluate import as_place, as_player, evaluate
from ..machine.game import CardGame, CardState
from ..machine.position import PACK, STACK, CardPosition, hand
from ..machine.reasons import LAZY, Finished, NeedCard, NeedMove, NeedRandom, NeedShuffle, Publish
from ..machine.statements import carry, needs_hidden, parts_of_text
from ..machine.story import (
    Came,
    Chose,
    Crept,
    Decided,
    Drew,
    Left,
    Recycled,
    Sifted,
    Story,
    Tested,
    Turned,
    any_veiled,
    is_veiled,
    veiled,
)

_ANSWERS = ("played", "passed", "moved")


@dataclass(frozen=True)
class KnownMoment:
    """One step of the path as the player knows it: its node, and the position after it."""

    step: int
    node: int
    variables: Mapping[Term, Term]
    hand: tuple[Term, ...]


class Knowledge:
    """A player's knowledge; ``observe`` takes the percepts, state after state."""

    def __init__(self, game: CardGame, index: int) -> None:
        self.game = game
        self.player = index
        self.story = Story()
        self.last_deal: Knowledge | None = None
        """The knowledge when the pack was last shuffled again: everything shown of the deal before."""
        self.moments: list[KnownMoment] = []
        self.position = game.machine.start()
        """The current position, with veiled cards; callers may not change it."""
        self._heard: dict[int, list[Term]] = {}
        self._noted = 0
        self._step_of_note = 0
        self._veils = 0
        self._unexpected: list[Term] = []
        self._how: Term | None = None
        self._walk()

    @classmethod
    def of(cls, game: CardGame, index: int) -> Knowledge:
        """A player's knowledge before the first percept."""
        if not 0 <= index < len(game.players):
            raise CardsError(f"{game.name} has no player {index}: 0 to {len(game.players) - 1} play")
        return cls(game, index)

    @classmethod
    def after(cls, states: Iterable[CardState], index: int) -> Knowledge:
        """The knowledge of a player that has seen these states of a match, the initial one first."""
        found: Knowledge | None = None
        for state in states:
            if found is None:
                found = cls.of(state.game, index)
            found.observe(state.percepts(state.game.players[index]))
        if found is None:
            raise CardsError("a match has at least its initial state")
        return found

    def observe(self, percepts: Iterable[Term]) -> Knowledge:
        """Takes the percepts of the last step of the match (``CardState.percepts``)."""
        rows = sorted((_read_percept(percept) for percept in percepts), key=lambda row: row[:2])
        for step, _, what in rows:
            self._heard.setdefault(step, []).append(what)
        self._walk()
        return self

    @property
    def asked(self) -> int | None:
        """The player that has to decide now; None where no player has."""
        node = self.game.chart.nodes[self.position.node]
        if self.position.is_finished or not isinstance(node, Statement) or node.action.name not in DECISIONS:
            return None
        return as_player(evaluate(node.action.args[0], self.position), self.position)

    @property
    def path(self) -> tuple[int, ...]:
        """The nodes passed, in order, and the current one."""
        return (*(moment.node for moment in self.moments), self.position.node)

    @property
    def hand(self) -> tuple[Term, ...]:
        """The player's own cards."""
        return self.position.cards(hand(self.player))

    def copy(self) -> Knowledge:
        """A copy, to be continued in another way."""
        found = object.__new__(Knowledge)
        found.__dict__.update(self.__dict__)
        found.story, found.moments = self.story.copy(), list(self.moments)
        found._heard = {step: list(events) for step, events in self._heard.items()}
        found._unexpected = list(self._unexpected)
        return found

    def __eq__(self, other: object) -> bool:
        """Whether two players have seen the same; names of veiled cards are given in order, so they agree."""
        if not isinstance(other, Knowledge):
            return NotImplemented
        return (self.player, self.moments, self.story) == (other.player, other.moments, other.story) and (
            self.position == other.position
        )

    __hash__ = None  # type: ignore[assignment]

    def _walk(self) -> None:
        while not self.position.is_finished and self._step():
            self._heard.pop(self.position.step - 1, None)

    def _step(self) -> bool:
        """Do one step or a part of it; False where the player does not know yet how it went on."""
        node = self.game.chart.nodes[self.position.node]
        if isinstance(node, ChoiceNode) and needs_hidden(node.condition):
            return self._branch(node)
        if isinstance(node, Statement):
            name = node.action.name
            if name == "assign" and needs_hidden(node.action.args[1]):
                return self._assigned(node)
            if name == "publish" and _tells_hidden(node.action):
                return self._said(node)
            if name in DECISIONS and name != "choose":
                return self._card_chosen(node)
            if name in ("move", "moveAll"):
                source, target = self._places(node.action.args[:2])
                if source is not PACK and any_veiled(self.position.cards(source)):
                    return self._moved(node, source, target)
        return self._ask_machine(node)

    def _ask_machine(self, node: object) -> bool:
        machine = self.game.machine
        before = self.position
        position, reason = machine.advance(before, 1)
        match reason:
            case Publish():
                position = machine.supply(position, None, keep_events=True)
            case NeedShuffle():
                position = machine.supply(position, LAZY, keep_events=True)
            case NeedRandom(_, size):
                said = self._find("random", number(size))
                if said is None:
                    return False
                position = machine.supply(position, as_integer(said.args[1]), keep_events=True)
            case NeedCard(_, at, _):
                if not self._draw(position, at):
                    return False
            case NeedMove(_, index, options):
                said = self._find("chose")
                if said is None:
                    return False
                choice = said.args[1]
                assert isinstance(choice, Term)
                self.story.add(Chose(self.story.time, index, options, choice, before))
                position = machine.supply(position, said.args[1], keep_events=True)
            case Finished():
                self._accept(position)
                return False
        self._accept(position)
        return True

    def _accept(self, position: CardPosition) -> None:
        """Takes over a position of the machine, and notes the events on the way."""
        before = self.position
        self.position = position
        for event in position.events[self._noted :]:
            self._step_of_note = event.step
            if event.seen.name == "shuffled" and self.story.happenings:
                self.last_deal = self._as_of(before)
            self._note(event.seen)
        self._noted = len(position.events)
        if position.step != before.step:
            position.events, self._noted = (), 0
            own = position.cards(hand(self.player))
            self.moments.append(KnownMoment(before.step, before.node, dict(position.variables), own))

    def _as_of(self, position: CardPosition) -> Knowledge:
        """The knowledge of a deal that is over; no further events are added to it."""
        found = object.__new__(Knowledge)
        found.__dict__.update(self.__dict__)
        found.position, found.last_deal, found.moments = position, None, []
        return found

    def _go_on(self, position: CardPosition, target: int) -> bool:
        position.node = target
        position.step += 1
        position.answers.clear()
        self._accept(position)
        return True

    def _branch(self, node: ChoiceNode) -> bool:
        said = self._find("branch")
        if said is None:
            return False
        value = said.args[1]
        assert isinstance(value, Term)
        self._test(node.condition, value)
        return self._go_on(self.position.copy(), node.yes if value is TRUE else node.no)

    def _said(self, node: Statement) -> bool:
        """A text about hidden cards: it is perceived, and cannot be computed over veiled cards."""
        return self._find("said") is not None and self._go_on(self.position.copy(), node.next)

    def _assigned(self, node: Statement) -> bool:
        said = self._find("variable")
        if said is None:
            return False
        name, value = said.args
        assert isinstance(name, Term)
        assert isinstance(value, Term)
        expression = node.action.args[1]
        assert isinstance(expression, Term)
        self._test(expression, value)
        position = self.position.copy()
        position.variables[name] = value
        return self._go_on(position, node.next)

    def _test(self, expression: Term, value: Term) -> None:
        self.story.add(Tested(self.story.time, self.position.node, expression, value, self.position))

    def _draw(self, position: CardPosition, at: int) -> bool:
        """The card at a place of the pack: the one the player saw, else a veiled one."""
        names = ("drew", "moved")
        given = sum(event.step == position.step and event.seen.name in names for event in position.events)
        heard = [what for what in self._heard.get(position.step, []) if what.name in names]
        nth = given + at - position.index
        if nth >= len(heard):
            return False
        what = heard[nth]
        seen = self._seen_or_veiled(what, 1 if what.name == "drew" else 2)
        position.order = (*position.order[:at], seen, *position.order[at + 1 :])
        return True

    def _card_chosen(self, node: Statement) -> bool:
        position, action = self.position, node.action
        said = next((what for what in self._heard.get(position.step, []) if what.name in _ANSWERS), None)
        if said is None:
            return False
        index = as_player(evaluate(action.args[0], position), position)
        plays = action.name.startswith("playCard")
        source, target = (hand(index), STACK) if plays else self._places(action.args[1:3])
        choice = PASS if said.name == "passed" else self._seen_or_veiled(said, 1 if plays else 2)
        template, may_pass = evaluate(action.args[-1], position), action.name.endswith("OrPass")
        self.story.add(Decided(self.story.time, index, source, template, may_pass, choice, position))
        is_sifted = choice is not PASS and self._is_sifted(source, choice)
        if is_sifted or is_veiled(choice):
            position = position.copy()
            position.decisions += 1
            position.variables[Term("passed", (player(index),))] = FALSE
            if is_sifted:
                self._sift(position, source, target, (choice,), template, chosen=True)
            else:
                self._creep(position, source, target, Term("chosen", (template,)))
            return self._go_on_after_choice(position, node.next)
        if choice is not PASS:
            position = self._unveil(position.copy(), source, choice)
        answered = self.game.machine.supply(position, choice, keep_events=True)
        self._accept(self.game.machine.advance(answered, 1)[0])
        return True

    def _places(self, terms: tuple[Pattern, ...]) -> tuple[Term, Term]:
        source, target = (as_place(evaluate(arg, self.position), self.position) for arg in terms)
        return source, target

    def _go_on_after_choice(self, position: CardPosition, target: int) -> bool:
        """After a choice that the machine could not follow."""
        if position.decisions >= self.game.machine.most_decisions:
            position.is_finished = position.is_broken_off = True
            self._accept(position)
            return False
        return self._go_on(position, target)

    def _moved(self, node: Statement, source: Term, target: Term) -> bool:
        """Moves cards of a place that has veiled ones, as the player has seen it."""
        seen = [what for what in self._heard.get(self.position.step, []) if what.name == "moved"]
        position = self.position.copy()
        if source.name != "hand" and len(node.action.args) == (3 if node.action.name == "move" else 2):
            self._unveil_pile(position, source, node.action.name == "move", seen)
            self.position = position
            return self._ask_machine(node)
        if source.name != "hand" and seen:
            gone = tuple(self._seen_or_veiled(what, 2) for what in seen)
            template = evaluate(node.action.args[2], position)
            self._sift(position, source, target, gone, template, chosen=False)
            return self._go_on(position, node.next)
        how = self._order_of_moving(node.action)
        for what in seen:
            if len(what.args) == 2:
                self._creep(position, source, target, how)
                continue
            shown = what.args[2]
            assert isinstance(shown, Term)
            if node.action.name == "move":
                self.position = position.copy()
                self._test(Term("top", (source,)), shown)
            self._unveil(position, source, shown)
            position.take(source, shown)
            carry(position, source, target, (shown,))
            self._accept(position)
        if len(node.action.args) == 3 and node.action.name == "moveAll":
            template = evaluate(node.action.args[2], self.position)
            self.position = position.copy()
            self._test(Term("has", (source, template)), FALSE)
        return self._go_on(position.copy(), node.next)

    def _unveil(self, position: CardPosition, place: Term, what: Term) -> CardPosition:
        """Reveals a veiled card of a place: a card that is seen now was there."""
        cards = list(position.places.get(place, ()))
        if what not in cards:
            at = next((at for at, one in enumerate(cards) if is_veiled(one)), None)
            if at is None:
                raise CardsError(f"{what} cannot have been in {place}", position.node)
            cards[at] = what
            position.places[place] = tuple(cards)
            self._unexpected.append(what)
        return position

    def _unveil_pile(self, position: CardPosition, place: Term, from_top: bool, seen: list[Term]) -> None:
        """Reveals cards of a pile, where the order tells which card is which."""
        cards = list(position.places[place])
        order = range(len(cards) - 1, -1, -1) if from_top else range(len(cards))
        for at, what in zip(order, seen, strict=False):
            if len(what.args) == 3 and is_veiled(cards[at]):
                shown = what.args[2]
                assert isinstance(shown, Term)
                self.story.add(Turned(self.story.time, cards[at], shown))
                cards[at] = shown
        position.places[place] = tuple(cards)

    def _order_of_moving(self, action: Term) -> Term:
        """The card of a sorted hand that a statement moves next."""
        if action.name == "move":
            return Term("last")
        template = evaluate(action.args[2], self.position) if len(action.args) == 3 else card(ANY, ANY)
        return Term("first", (template,))

    def _creep(self, position: CardPosition, source: Term, target: Term, how: Term) -> None:
        """Moves some card unseen: any card known to lie there may have been it."""
        self._how = how
        cards = [one if is_veiled(one) else self._new_veil() for one in position.places[source]]
        position.places[source] = tuple(cards)
        position.take(source, cards[-1])
        carry(position, source, target, (cards[-1],))
        self._accept(position)

    def _is_sifted(self, source: Term, what: Term) -> bool:
        """Whether the player does not know from which position in a pile a card went."""
        cards = self.position.cards(source)
        is_known = what in cards and self.story.cards.count(what) == 1
        return source.name != "hand" and any_veiled(cards) and not is_known

    def _sift(
        self,
        position: CardPosition,
        source: Term,
        target: Term,
        gone: tuple[Term, ...],
        template: Term,
        *,
        chosen: bool,
    ) -> None:
        """Takes cards from unknown positions of a pile; the rest may be any of those that lay there."""
        before = position.places[source]
        left = tuple(self._new_veil() for _ in before[len(gone) :])
        self.story.add(Sifted(self.story.time, target, before, gone, left, template, chosen))
        position.places[source] = left
        position.put(target, gone)
        self._accept(position)

    def _seen_or_veiled(self, what: Term, at: int) -> Term:
        """The card of an event, which has it as its last argument if the player saw it."""
        seen = what.args[at] if len(what.args) > at else self._new_veil()
        assert isinstance(seen, Term)
        return seen

    def _new_veil(self) -> Term:
        self._veils += 1
        return veiled(self._veils)

    def _find(self, name: str, first: Term | None = None) -> Term | None:
        for what in self._heard.get(self.position.step, []):
            if what.name == name and (first is None or what.args[0] is first):
                return what
        return None

    def _note(self, what: Term) -> None:
        """Adds the machine's events to the story."""
        story, args = self.story, [arg for arg in what.args if isinstance(arg, Term)]
        match what.name:
            case "shuffled":
                self.story = Story(self.position.composition)
            case "packRecycled":
                story.add(Recycled(story.time, self.position.undrawn))
                story.generation += 1
            case "drew":
                self._came(PACK, Term("hand", (args[0],)), args[1])
            case "played":
                self._left(Term("hand", (args[0],)), args[1])
            case "moved":
                source, target, card = args
                if source.name == "hand":
                    if is_veiled(card):
                        story.add(Crept(story.time, source, target, card, self._how))
                        return
                    self._left(source, card)
                self._came(source, target, card)

    def _came(self, source: Term, target: Term, card: Term) -> None:
        story = self.story
        if source is PACK and (is_veiled(card) or not self._is_others(target)):
            story.add(Drew(story.time, self._step_of_note, target, card, story.generation))
        elif self._is_others(target) or target is PACK:
            story.add(
                (Crept(story.time, source, target, card))
                if is_veiled(card)
                else Came(story.time, target, card)
            )

    def _left(self, place: Term, card: Term) -> None:
        expected = card not in self._unexpected
        if not expected:
            self._unexpected.remove(card)
        self.story.add(Left(self.story.time, place, card, expected))

    def _is_others(self, place: Term) -> bool:
        return place.name == "hand" and place is not hand(self.player)


def _tells_hidden(action: Term) -> bool:
    """Whether a text may depend on cards that not all players see."""
    text = action.args[0]
    return isinstance(text, Term) and any(map(needs_hidden, parts_of_text(text_of(text))))


def _read_percept(percept: Term) -> tuple[int, int, Term]:
    """Step, number in the step, and the event."""
    if percept.name == "event" and len(percept.args) == 3:
        step, at = (as_integer(arg) for arg in percept.args[:2])
        what = percept.args[2]
        if step is not None and at is not None and isinstance(what, Term):
            return step, at, what
    raise CardsError(f"{percept} is no percept of a card game: (event step number what)")
