"""Habits of the other players: which bids, calls and draws they choose with which hands, learnt in a match.

After every deal the choices of others that are no cards are counted, each by the hand that the player had
then. A hand that was shown counts once; of one that stayed hidden all worlds count, each with its probability
under the current model, and all deals of the match are counted again after each (expectation maximisation):
else a player that never shows a weak hand would seem never to have one. Rare observations are smoothed by
neighbouring kinds of hands, and by the player's choices as a whole; so a player without observations tells
nothing. Nothing here knows a game: kinds of hands come from ``hand_scale``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from ..compiled import CompiledCards
from ..language.rules import Rules, Statement
from ..language.terms import Term
from ..machine.game import CardGame, CardState, move_of
from ..machine.hand_scale import KINDS, LARGEST, HandScale
from ..machine.position import CardPosition, hand
from ..machine.reasons import NeedMove
from ..machine.story import Chose
from ..worlds.dealing import Told
from ..worlds.knowledge import Knowledge
from ..worlds.unknowns import WorldsError
from ..worlds.weights import Telling
from ..worlds.worlds import Sampler

WORLDS = 24
"""Worlds for a deal of which not all cards were shown."""
TESTED_WORLDS = 6
"""The same where worlds are drawn until some pass tests: then each takes tens of milliseconds."""
ROUNDS = 2
"""Rounds of counting all deals again, after every deal."""
NEAR = (1.0, 0.4, 0.1)
"""The weight of a hand for the same kind, the next one, and the one after."""
ELSEWHERE = 0.5
"""The weight of a choice for the same choice at another node of the chart."""
PRIOR = 0.5
"""Prior choices of every kind of hand, distributed as the player's choices are."""
EVENLY = 1.0
"""And of the player as a whole, distributed evenly."""

Counts = list[list[float]]
"""By kind of hand and option."""


@dataclass(frozen=True)
class Topic:
    """A question to a player: the name of a variable of the chart, and the options."""

    player: int
    name: str
    options: tuple[Term, ...]


@dataclass(frozen=True)
class HeardOption:
    """A choice with a kind of hand: the option by its number."""

    topic: Topic
    node: int
    kind: int
    option: int


@dataclass(frozen=True)
class Habit:
    """A player's usual choices at a node, by kind of hand."""

    chances: Counts
    """The probability of each option."""
    trust: list[float]
    """The share of that which was observed, 0 to 1, and not guessed."""


class Habits:
    """The choices of the other players of one match."""

    def __init__(self, game: CardGame, me: int) -> None:
        self.game = game
        self.me = me
        self.counts: dict[Topic, dict[int, Counts]] = {}
        """By node."""
        self._nodes = {
            index: node.action.args[1].name
            for index, node in game.chart.nodes.items()
            if isinstance(node, Statement) and node.action.name == "choose"
        }
        self._deals: list[Counter[tuple[HeardOption, ...]]] = []
        self._known: dict[tuple[Topic, int], Habit] = {}

    def learn(self, deal: Knowledge, chance: Random) -> None:
        """Counts the others' choices in a deal that is over."""
        happenings = deal.story.happenings
        if not any(map(self._counts, happenings)) or deal.story.has_unseen_ways:
            return  # cards went unseen: such worlds take too long for what they tell
        try:
            sampler = Sampler(deal)
            histories = sampler.some(TESTED_WORLDS if sampler.unknowns.tests else WORLDS, chance)
        except WorldsError:  # none was found in time: nothing is learnt from this deal
            return
        self._deals.append(Counter(map(self._heard, histories)))
        for _ in range(ROUNDS):
            self._count_anew()

    def _heard(self, history: Telling) -> tuple[HeardOption, ...]:
        """The others' choices in a world, each with its kind of hand."""
        found = []
        for said in history.sayings:
            if self._counts(said):
                cards = history.cards(said.before, hand(said.player), said.time)
                kind = self.scale(said.before).kind(cards)
                option = said.options.index(said.choice)
                found.append(HeardOption(self._topic_of(said), said.before.node, kind, option))
        return tuple(found)

    def _count_anew(self) -> None:
        """Counts all deals again, each world with its probability under the current model."""
        counts: dict[Topic, dict[int, Counts]] = {}
        for deal in self._deals:
            likely = [number * self._likelihood(world) for world, number in deal.items()]
            total = sum(likely)
            for world, weight in zip(deal, likely, strict=True):
                for one in world:
                    fresh = [[0.0] * len(one.topic.options) for _ in range(KINDS)]
                    rows = counts.setdefault(one.topic, {}).setdefault(one.node, fresh)
                    rows[one.kind][one.option] += weight / total
        self.counts = counts
        self._known.clear()

    def _likelihood(self, world: Iterable[HeardOption]) -> float:
        found = 1.0
        for one in world:
            habit = self.habit(one.topic, one.node)
            if habit is not None:
                found *= habit.chances[one.kind][one.option]
        return found

    def habit(self, topic: Topic, node: int) -> Habit | None:
        """A player's usual choices; None where nothing was observed."""
        if topic not in self.counts:
            return None
        found = self._known.get((topic, node))
        if found is None:
            found = self._known[topic, node] = _habit(self.counts[topic], node, len(topic.options))
        return found

    def policy(self, state: CardState) -> dict[Term, float]:
        """The habits as a ``worlds.weights.Policy``; a player that is asked for a card plays any."""
        reason, position = state.reason, state.position
        assert isinstance(reason, NeedMove)
        moves = [move_of(option) for option in reason.options]
        habit = None
        if reason.template is None and position.count(hand(reason.player)) <= LARGEST:
            habit = self.habit(self._topic(reason.player, position.node, reason.options), position.node)
        if habit is None:
            return dict.fromkeys(moves, 1 / len(moves))
        kind = self.scale(position).kind(position.cards(hand(reason.player)))
        return dict(zip(moves, habit.chances[kind], strict=True))

    def likelihood(self, history: Telling) -> float:
        """The likelihood of the others' choices in a world; faster than by the policy."""
        return self._likelihood(self._heard(history))

    def tells(self, said: Chose) -> Told | None:
        """For ``worlds.dealing``: the likelihood of a choice for each kind of hand."""
        habit = self.habit(self._topic_of(said), said.before.node)
        if habit is None:
            return None
        at = said.options.index(said.choice)
        return Told(self.scale(said.before), [row[at] for row in habit.chances])

    def scale(self, position: CardPosition) -> HandScale:
        return HandScale.of(self.game.chart, position)

    def as_dict(self, compiled: CompiledCards, position: CardPosition) -> dict[str, object] | None:
        """For the compiled search, in which others follow their habits; None: nothing is known."""
        if not self.counts:
            return None
        scale, codes = self.scale(position), compiled.program.codes
        largest = min(LARGEST, len(position.composition))
        return {
            "worth": scale.worth_of(codes.kinds[kind] for kind in codes.kind_of),
            "limits": [list(scale.limits(size)) for size in range(largest + 1)],
            "rows": [
                {
                    "player": topic.player,
                    "node": node,
                    "options": [codes.code(option) for option in topic.options],
                    "trust": habit.trust,
                    "chances": habit.chances,
                }
                for topic in self.counts
                for node, name in self._nodes.items()
                if name == topic.name and (habit := self.habit(topic, node)) is not None
            ],
        }

    def in_words(self) -> Iterator[str]:
        """The others' most frequent choices with weak hands and with good ones."""
        for topic, nodes in self.counts.items():
            said = []
            for half in (slice(0, KINDS // 2), slice((KINDS + 1) // 2, KINDS)):
                rows = [row for counts in nodes.values() for row in counts[half]]
                sums = [sum(column) for column in zip(*rows, strict=True)]
                if max(sums) >= 1:
                    said.append(str(topic.options[sums.index(max(sums))]))
            if len(said) == 2:
                weak, good = said
                who = f"player{topic.player}"
                yield f"{who} mostly says {weak} with weak hands and {good} with good ones ({topic.name})"

    def _counts(self, happening: object) -> bool:
        """Whether an event is a choice of another player, with a hand that can be compared."""
        return (
            isinstance(happening, Chose)
            and happening.player != self.me
            and len(happening.options) > 1
            and happening.before.count(hand(happening.player)) <= LARGEST
        )

    def _topic(self, player: int, node: int, options: tuple[Term, ...]) -> Topic:
        return Topic(player, self._nodes[node], options)

    def _topic_of(self, said: Chose) -> Topic:
        return self._topic(said.player, said.before.node, said.options)


def is_spoken(chart: Rules) -> bool:
    """Whether players choose anything that is no card."""
    return any(isinstance(node, Statement) and node.action.name == "choose" for node in chart.nodes.values())


def _habit(counts: dict[int, Counts], node: int, options: int) -> Habit:
    """The counts at this node, and with less weight those elsewhere."""
    seen = [[0.0] * options for _ in range(KINDS)]
    for other, rows in counts.items():
        share = 1.0 if other == node else ELSEWHERE
        for into, row in zip(seen, rows, strict=True):
            for at, count in enumerate(row):
                into[at] += share * count
    whole = [sum(column) + EVENLY / options for column in zip(*seen, strict=True)]
    total = sum(whole)
    chances, trust = [], []
    for kind in range(KINDS):
        near = _near(seen, kind)
        heard = sum(near)
        chances.append([(near[at] + PRIOR * whole[at] / total) / (heard + PRIOR) for at in range(options)])
        trust.append(heard / (heard + PRIOR))
    return Habit(chances, trust)


def _near(rows: Counts, kind: int) -> list[float]:
    """The counts of a kind of hand, and with less weight those of neighbouring kinds."""
    found = [0.0] * len(rows[0])
    for other, row in enumerate(rows):
        apart = abs(other - kind)
        if apart < len(NEAR):
            for at, count in enumerate(row):
                found[at] += NEAR[apart] * count
    return found


__all__ = ["Habit", "Habits", "Topic", "is_spoken"]
