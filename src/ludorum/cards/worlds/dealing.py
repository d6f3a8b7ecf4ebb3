"""Worlds for the compiled search: not a list of them, but a way to deal hidden cards again and again.

Cards about which all players know the same are a kind; lots say how many of each kind every hidden hand has,
each amount as likely as it has worlds (``shares``). The kernel (``_core/cards/worlds.cpp``) draws the amounts
and then the cards, so that every look at a move is in another world, each world as likely, and none is taken
for the truth. The others' choices make worlds likelier in which they had few better options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from ..compiled import CompiledCards
from ..compiled.codes import Codes
from ..language.deck import fits
from ..language.terms import PASS, Term
from ..machine.hand_scale import LARGEST, HandScale
from ..machine.position import PACK, hand
from ..machine.story import Chose, Decided, is_veiled
from .history import History
from .knowledge import Knowledge
from .shares import Lot
from .unknowns import Item, NotCounted, Owner
from .worlds import Sampler

RECENT = 12
"""Most decisions of each other player that count: a choice many draws ago says little about a hand."""

Worth = Mapping[Term, float]
"""The relative likelihood of each option for a player; options that are not named count 1."""
Model = Callable[[Decided, History], tuple[float, Worth]]
"""Of a decision, with some world: the probability of a random move, else the worth of the options."""


@dataclass(frozen=True)
class Told:
    """What a choice tells of a hand: its likelihood for each kind of hand."""

    scale: HandScale
    likely: list[float]


Tells = Callable[[Chose], Told | None]
"""For a choice; None where it tells nothing."""


def any_move(decided: Decided, history: History) -> tuple[float, Worth]:
    """The model of players that move at random: the same weights as ``inverse_choices``."""
    return 1.0, {}


@dataclass(frozen=True)
class Dealing:
    """The input of the kernel, besides some world as a table."""

    table: bytes
    owners: list[int]
    kinds: list[list[int]]
    lots: list[Lot]
    evidence: list[dict[str, object]]
    sayings: list[dict[str, object]]
    worlds: int
    """How many worlds there are."""

    def as_dict(self) -> dict[str, object]:
        return {
            "owners": self.owners,
            "kinds": self.kinds,
            "lots": self.lots,
            "evidence": self.evidence,
            "sayings": self.sayings,
        }


def dealing_of(
    knowledge: Knowledge,
    compiled: CompiledCards,
    chance: Random,
    model: Model | None = None,
    tells: Tells | None = None,
) -> Dealing | None:
    """How to deal the worlds of a player; None where they must be drawn one by one.

    That is where cards moved unseen, lie hidden in piles or below the pack, or where an observation about
    hidden hands cannot be counted. Every world is as likely, unless a ``model`` says how others choose cards,
    or ``tells`` what they choose with which hands.
    """
    known = knowledge.position
    if knowledge.story.has_unseen_ways or any(one is not None for one in known.order[known.index :]):
        return None
    try:
        sampler = Sampler(knowledge)
        count = sampler.shares.count()
    except NotCounted:
        return None
    unknowns, shares = sampler.unknowns, sampler.shares
    if unknowns.tests or unknowns.veils or not count:
        return None
    with_past = model is not None or tells is not None
    (history,) = sampler.some(1, chance, with_past=with_past) if count > 1 else sampler.every()
    position = history.position()
    table = compiled.table_of(position)
    physical = _hidden_cards(knowledge, compiled, table, unknowns.owners)
    cards = {item: physical[item.card].pop() for kind in shares.kinds for item in kind.items}
    return Dealing(
        table,
        [compiled.program.places[owner.place] for owner in unknowns.owners],
        [[cards[item] for item in kind.items] for kind in shares.kinds],
        shares.lots(),
        [] if model is None else list(_evidence(sampler, cards, history, model)),
        [] if tells is None else list(_sayings(sampler, history, compiled.program.codes, tells)),
        count,
    )


def _hidden_cards(
    knowledge: Knowledge, compiled: CompiledCards, table: bytes, owners: list[Owner]
) -> dict[Term, list[int]]:
    """The numbers of the cards that were never shown, by kind."""
    codes, places = compiled.program.codes, compiled.kernel.unpack(table)["places"]
    known = knowledge.position
    shown = [one for owner in owners for one in known.cards(owner.place) if not is_veiled(one)]
    found: dict[Term, list[int]] = {}
    for place in (*(owner.place for owner in owners), PACK):
        for card in places[compiled.program.places[place]]:
            found.setdefault(codes.kinds[codes.kind_of[card]], []).append(card)
    for one in shown:
        found[one].pop()
    return found


def _evidence(
    sampler: Sampler, cards: dict[Item, int], history: History, model: Model
) -> Iterator[dict[str, object]]:
    """The others' choices, and the options they may have had besides.

    Of cards drawn since then it is unknown which of the hand they are: each is as likely. Exact where no card
    was drawn since, as in games that deal all cards at once.
    """
    owners = {owner.place: at for at, owner in enumerate(sampler.unknowns.owners)}
    possible = [
        [(item.card, card) for item, card in cards.items() if owner.span(item) is not None]
        for owner in sampler.unknowns.owners
    ]
    seen = [one for one in sampler.unknowns.decisions if one.place in owners and not is_veiled(one.choice)]
    for decided in seen[-RECENT * len(owners) :]:
        at = owners[decided.place]
        owner = sampler.unknowns.owners[at]
        since = sum(draw.size for draw in owner.draws if draw.time > decided.time)
        random_share, worth = model(decided, history)
        known = [worth.get(one, 1.0) for one in _known_options(owner, decided)]
        hidden = {card: worth.get(one, 1.0) for one, card in possible[at] if fits(one, decided.template)}
        if hidden:
            yield {
                "owner": at,
                "chosen": worth.get(decided.choice, 1.0),
                "known": sum(known),
                "count": float(len(known)),
                "random_share": random_share,
                "since": float(min(since, owner.size)),
                "passed": decided.choice is PASS,
                "worth": hidden,
            }


def _sayings(sampler: Sampler, history: History, codes: Codes, tells: Tells) -> Iterator[dict[str, object]]:
    """The others' choices with hands of which every card is still there, or was seen leaving."""
    owners = {owner.place: at for at, owner in enumerate(sampler.unknowns.owners)}
    now = history.position()
    for said in sampler.unknowns.sayings:
        at = owners.get(hand(said.player))
        if at is None:
            continue
        owner = sampler.unknowns.owners[at]
        then = Counter(history.cards(said.before, owner.place, said.time))
        left = then.copy()
        left.subtract(now.cards(owner.place))
        if any(draw.time > said.time for draw in owner.draws) or min(left.values(), default=0) < 0:
            continue
        told = tells(said)
        if told is not None and then.total() <= LARGEST:
            yield {
                "owner": at,
                "worth": told.scale.worth_of(codes.kinds[kind] for kind in codes.kind_of),
                "left": told.scale.total(left.elements()),
                "limits": list(told.scale.limits(then.total())),
                "likely": told.likely,
            }


def _known_options(owner: Owner, decided: Decided) -> Iterator[Term]:
    """The options that a player certainly had, the chosen one included."""
    later = min((draw.time for draw in owner.draws if draw.time > decided.time), default=None)
    if decided.may_pass:
        yield PASS
    for one in decided.before.cards(decided.place):
        if not is_veiled(one) and fits(one, decided.template):
            yield one
    for items in owner.left:
        for item in items:
            if item.until is None or item.until < decided.time or not fits(item.card, decided.template):
                continue
            if later is None or item.until < later:
                yield item.card  # a card that was shown after a draw may have come with it


__all__ = ["Dealing", "Model", "Tells", "Told", "any_move", "dealing_of"]
