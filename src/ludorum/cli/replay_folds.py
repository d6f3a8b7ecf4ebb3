"""Runs of steps in which only chance moves, as the deal of a card game: one line that can be unfolded."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from ..scene.card_games import IDLE
from ..show.pieces import CHANCE
from .replay_frames import Frame, Reel

DEALT = "the cards are dealt"


@dataclass(frozen=True)
class Fold:
    """Steps from ``first`` to ``last``, and their summary."""

    first: int
    last: int
    text: str


def folds_of(reel: Reel) -> tuple[Fold, ...]:
    """All runs of two steps and more in which no player moves, as far as the viewer can tell."""
    found = []
    for is_chance, run in groupby(reel.frames[1:], _is_chance):
        frames = list(run)
        if is_chance and len(frames) > 1:
            found.append(Fold(frames[0].step, frames[-1].step, _text(frames, len(reel.roles))))
    return tuple(found)


def _is_chance(frame: Frame) -> bool:
    """Whether only chance moves; where the moves are hidden, whether the viewer is told of draws at most."""
    busy = [role for role, move in frame.moves if move.name != IDLE]
    if busy or frame.cards is None:
        return busy == [CHANCE]
    return all(" draws " in text for text in frame.said)


def _text(frames: list[Frame], width: int) -> str:
    drawn = [move for frame in frames for role, move in frame.moves if role == CHANCE]
    if frames[0].cards is not None:
        if not drawn:  # of other moves the viewer sees only what it is told
            return DEALT if any(frame.said for frame in frames) else "others move"
        return DEALT if frames[0].step == 1 or len(frames) > width else f"{len(frames)} cards are drawn"
    if all(move.name.startswith("deal") for move in drawn):
        return DEALT
    return f"chance decides {len(frames)} times"
