"""Signs of suits and letters of ranks, as they stand on playing cards."""

SIGNS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
LETTERS = {"jack": "J", "queen": "Q", "king": "K", "ace": "A"}
RED_SUITS = frozenset({"hearts", "diamonds"})
