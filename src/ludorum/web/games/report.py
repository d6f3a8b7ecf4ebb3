"""The designer's report: what many quick games say of a game; a function that runs in another process."""

from __future__ import annotations

from statistics import fmean
from time import monotonic

from ...engine.errors import GameError
from ...engine.game import Game, State
from ...engine.load import make_game
from ...processes.session import tell
from ...rules.library import Sheet, read_header
from ...rules.source import Source
from ...rules.terms import format_term

GAMES = 10_000
MOST_SECONDS = 60.0
"""Games that are slow to play are reported from as many as this time allows, and the report says how many."""
MOST_STEPS = 2000
BATCH = 500
SAMPLED_GAMES = 20
"""Games of which every state is looked at, for the number of moves."""


def design_report(game_id: str, language: str, text: str, games: int = GAMES) -> dict[str, object]:
    """Length, branching, decisiveness and the balance of seats over so many random games."""
    sheet = Sheet(game_id, language, Source(game_id, text), read_header(text))
    game = _fast(sheet)
    deadline = monotonic() + MOST_SECONDS
    lengths: list[int] = []
    goals: list[list[int]] = []
    unfinished = 0
    batch = BATCH if type(game).__name__ == "CompiledGame" else 10
    while len(lengths) < games and (monotonic() < deadline or not lengths):
        found = game.playouts(min(batch, games - len(lengths)), seed=len(lengths), max_steps=MOST_STEPS)
        lengths += [int(one) for one in found.lengths]
        seats = [at for at, role in enumerate(found.roles) if role in game.info.players]
        rows = [[int(row[at]) for at in seats] for row in found.goals]
        ended = [row for row in rows if all(goal >= 0 for goal in row)]
        unfinished += len(rows) - len(ended)
        goals += ended
        tell(min(0.99, len(lengths) / games))
    return _report(game, lengths, goals, unfinished)


def _fast(sheet: Sheet) -> Game:
    try:
        return make_game(sheet, "compiled")
    except GameError:
        return make_game(sheet)


def _report(game: Game, lengths: list[int], goals: list[list[int]], unfinished: int) -> dict[str, object]:
    lengths.sort()
    names = [format_term(role) for role in game.info.players]
    return {
        "games": len(lengths),
        "length": {
            "mean": fmean(lengths),
            "low": lengths[len(lengths) // 20],
            "high": lengths[-1 - len(lengths) // 20],
        },
        "branching": _branching(game),
        "decisive": fmean([_is_decided(row) for row in goals]) if goals else 0.0,
        "seats": {name: fmean([row[at] for row in goals]) if goals else 0.0 for at, name in enumerate(names)},
        "unfinished": unfinished / len(lengths),
    }


def _is_decided(goals: list[int]) -> bool:
    if len(goals) == 1:
        return goals[0] == 100
    return goals.count(max(goals)) == 1


def _branching(game: Game) -> float:
    """Moves of a role that has a choice, on average over the states of some games."""
    counts: list[int] = []
    for seed in range(SAMPLED_GAMES):
        state: State
        for step, state in enumerate(game.playout(seed)):
            if step > MOST_STEPS or state.is_terminal:
                break
            moves = (len(state.legal(role)) for role in game.info.players)
            counts += [count for count in moves if count > 1]
    return fmean(counts) if counts else 1.0
