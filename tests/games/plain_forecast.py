"""Forecast as a short program: the oracle of the sheet."""

from __future__ import annotations

from dataclasses import dataclass, field

RANKS = "tjqka"
DECK = [suit + rank for suit in "sdch" for rank in RANKS]
AFTER = {"ann": "bob", "bob": "cid", "cid": "ann"}
POINTS = (100, 50, 20, 0, 0)
HAND = 4


@dataclass
class PlainForecast:
    """What has happened; cards are written as in the deck module, ``ha`` for the ace of hearts."""

    hands: dict[str, list[str]] = field(default_factory=lambda: {player: [] for player in AFTER})
    said: dict[str, int] = field(default_factory=dict)
    tricks: dict[str, int] = field(default_factory=lambda: dict.fromkeys(AFTER, 0))
    table: dict[str, str] = field(default_factory=dict)
    turn: str = "bob"
    """Who gets the next card, and later who plays next."""

    @property
    def is_dealt(self) -> bool:
        return sum(map(len, self.hands.values())) == HAND * len(AFTER)

    def deal(self, card: str) -> None:
        self.hands[self.turn].append(card)
        self.turn = AFTER[self.turn]

    def legal(self) -> set[str]:
        """The cards that the one on turn may play."""
        hand = self.hands[self.turn]
        led = next(iter(self.table.values()), "")[:1]
        return {card for card in hand if card[0] == led} or set(hand)

    def play(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.table[self.turn] = card
        self.turn = AFTER[self.turn]
        if len(self.table) == len(AFTER):
            led = next(iter(self.table.values()))[0]
            self.turn = max(self.table, key=lambda player: _strength(self.table[player], led))
            self.tricks[self.turn] += 1
            self.table = {}

    @property
    def is_over(self) -> bool:
        return sum(self.tricks.values()) == HAND

    def goals(self) -> dict[str, int]:
        return {player: POINTS[abs(self.said[player] - self.tricks[player])] for player in AFTER}


def _strength(card: str, led: str) -> tuple[bool, bool, int]:
    return card[0] == "h", card[0] == led, RANKS.index(card[1])
