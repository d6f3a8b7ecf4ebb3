"""Small charts with plays, pick-ups, recycled packs and tests of hands, made at random."""

from __future__ import annotations

from random import Random

from ludorum.cards.machine.game import CardGame, CardState

from .brute_force import table_game

_RANKS = ("2", "3")
_SUITS = ("hearts", "spades", "clubs", "diamonds")


SEVERAL_WORLDS = (
    0, 5, 10, 12, 16, 20, 24, 26, 31, 33, 39, 40, 41, 50, 51, 53, 54, 56, 65, 81,
    82, 83, 84, 85, 89, 92, 94, 98, 100, 103, 105, 127, 131, 133, 135, 139, 141, 147, 151, 155,
    157, 171, 173, 177, 187, 189, 191, 215, 262, 291, 295, 301, 305, 307, 313, 324, 362, 377, 383, 416,
)  # fmt: skip
"""Sixty histories in which another player picks up cards and four worlds or more agree with what was seen.

Even seeds have sums over hands as well (``general``). Most histories of all have one or two worlds only.
"""


def random_chart(chance: Random, *, general: bool = False) -> str:
    """A straight chart for two or three, with five to eight cards; ``general``: also with sums over hands."""
    players = chance.choice((2, 2, 3))
    pack = [f"card({rank},{suit})" for suit in _SUITS for rank in _RANKS][: chance.choice((5, 6, 8))]
    lines = ["start", f"Pack.use({pack[0]})", *(f"Pack.add({card})" for card in pack[1:])]
    lines += ["Shuffle", f"Deal({1 if players == 3 else 2})"]
    lines += [_action(chance, players, general) for _ in range(chance.randrange(5, 14))]
    text = f"; players: {players}\n"
    for at, line in enumerate(lines):
        arrow = f" ? {at + 1} : {at + 1}" if line.startswith("playerHas") else ""
        text += f"{at} {line}{arrow}\n"
    return text + f"{len(lines)} end\n"


def _action(chance: Random, players: int, general: bool) -> str:
    who = f"player({chance.randrange(players)})"
    template = chance.choice(
        ["card(any,any)", f"card({chance.choice(_RANKS)},any)", f"card(any,{chance.choice(_SUITS[:3])})"]
    )
    kinds = ["play", "play", "play", "pick", "pick", "test", "test", "clear"] + ["sum"] * general
    match chance.choice(kinds):
        case "play":
            return f"playCardOrPass({who},{template})"
        case "pick":
            return f"pickUp({who},{chance.randrange(1, 4)})"
        case "test":
            return f"playerHas({who},{template})"
        case "sum":
            return f"x=count(hand({who}),{template})"
    return "Stack.empty"


def random_history(seed: int, *, general: bool = False) -> tuple[CardGame, list[CardState]]:
    """A random game of a random chart, played to the end."""
    game = table_game(random_chart(Random(seed), general=general), f"chart{seed}")
    return game, [state for state in game.playout(seed) if isinstance(state, CardState)]
