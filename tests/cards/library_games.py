"""Games of the library played by seeds or by scripts, for tests that know their rules."""

from __future__ import annotations

from dataclasses import dataclass

from ludorum._core import SplitMix64
from ludorum.cards.language.terms import PASS, Term, as_integer
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.host import Host
from ludorum.cards.machine.position import CardPosition, hand
from ludorum.cards.machine.reasons import NeedMove, NeedRandom, NeedShuffle, Reason
from tests.cards.small_charts import cards, stacked

ORDER = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"]


@dataclass(frozen=True)
class Move:
    """What somebody did: where, who, and his hand before."""

    position: CardPosition
    player: int
    what: Term

    @property
    def node(self) -> int:
        return self.position.node

    @property
    def held(self) -> tuple[Term, ...]:
        return self.position.cards(hand(self.player))

    @property
    def rank(self) -> str:
        return str(self.what.args[0])

    @property
    def suit(self) -> str:
        return str(self.what.args[1])

    @property
    def is_card(self) -> bool:
        return self.what.name == "card"


def play(name: str, seed: int) -> tuple[CardPosition, list[Move]]:
    """A random game: its end and all moves."""
    host = Host(load_card_game(name).machine, seed)
    asked: list[tuple[CardPosition, int]] = []
    chosen: list[Term] = []
    random = SplitMix64(seed + 1)

    def choose(position: CardPosition, reason: NeedMove) -> Term:
        pick = reason.options[random.below(len(reason.options))]
        asked.append((position, reason.player))
        chosen.append(pick)
        return pick

    *_, (end, _) = host.play(choose)
    return end, [Move(position, who, what) for (position, who), what in zip(asked, chosen, strict=True)]


def script(name: str, top: str, answers: str) -> tuple[CardPosition, Reason]:
    """A game whose pack has these cards on top, after these answers: cards, numbers, names, ``pass``."""
    machine = load_card_game(name).machine
    waiting = answers.split()
    position, reason = machine.advance(machine.start())
    while not position.is_finished:
        if isinstance(reason, NeedShuffle):
            usual = stacked(*top.split())
            rest = [one for one in reason.cards if one not in usual[: len(top.split())]]
            answer: object = (*usual[: len(top.split())], *rest)
        elif isinstance(reason, NeedMove | NeedRandom):
            if not waiting:
                return position, reason
            answer = read(waiting.pop(0), reason)
        else:
            answer = None
        position, reason = machine.advance(machine.supply(position, answer))
    assert not waiting, f"not asked for: {waiting}"
    return position, reason


def read(text: str, reason: Reason) -> object:
    if isinstance(reason, NeedRandom):
        return int(text)
    if text == "pass":
        return PASS
    if text[-1] in "cdhs" and (text[:-1].isdigit() or text[:-1] in ("j", "q", "k", "a")):
        return cards(text)[0]
    return Term(text)


def number_of(position: CardPosition, name: str, index: int | None = None) -> int:
    """The value of a variable that is a number."""
    args = () if index is None else (Term("player", (Term(str(index)),)),)
    found = as_integer(position.variables[Term(name, args)])
    assert found is not None
    return found


def trick_winner(played: list[Move], trumps: str = "") -> Move:
    """Who takes a trick: the highest trump, else the highest card of the suit led."""
    led = played[0].suit
    return max(played, key=lambda one: (one.suit == trumps, one.suit == led, ORDER.index(one.rank)))


def follows_suit(played: list[Move]) -> bool:
    """Whether everybody who could follow suit did."""
    led = played[0].suit
    return all(
        one.suit == led or not any(str(card.args[1]) == led for card in one.held) for one in played[1:]
    )


def tricks_of(moves: list[Move], players: int) -> list[list[Move]]:
    """The cards played, a list a trick."""
    played = [one for one in moves if one.is_card]
    return [played[at : at + players] for at in range(0, len(played), players)]
