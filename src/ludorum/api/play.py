"""Players against each other: one match, or a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ..engine.game import Game
from ..players.player import Player
from ..rules.terms import Term, format_term
from .games import GameLike, as_game

if TYPE_CHECKING:
    from ..arena.match.match import Match
    from ..arena.tournament.summary import Summary

PlayerLike: TypeAlias = Player | str
"""A player, or its name with settings: ``mcts:playouts=200``."""


def list_players() -> dict[str, str]:
    """The names of all players, and a sentence about each.

    >>> import ludorum
    >>> "champion" in ludorum.list_players()
    True
    """
    from ..players import describe_players

    return describe_players()


def play_match(
    game: GameLike,
    players: Sequence[PlayerLike] | Mapping[Term, PlayerLike] | Mapping[str, PlayerLike] | PlayerLike,
    *,
    seconds: float = 1.0,
    start_seconds: float = 0.0,
    seed: int = 0,
    limit: int | None = None,
) -> Match:
    """A match between players: in the order of the roles, by role, or one for all.

    Each has ``seconds`` for a move and ``start_seconds`` to prepare. After ``limit`` decisions the match is
    given up. Players that count their work (``mcts:playouts=100``) play the same match from the same seed.

    >>> import ludorum
    >>> match = ludorum.play_match("tictactoe", ["mcts:playouts=300", "random"], seconds=30, seed=1)
    >>> match.is_over, match.state.goal("xplayer")
    (True, 100)
    """
    from ..arena.match.local import play_match
    from ..arena.match.match import Match

    played = as_game(game, "auto")
    try:
        seats = _seats(played, players, seed)
        return play_match(Match(played, seed), seats, seconds, limit=limit, start_seconds=start_seconds)
    finally:
        if played is not game and hasattr(played, "close"):
            played.close()


def _seats(
    game: Game,
    players: Sequence[PlayerLike] | Mapping[Term, PlayerLike] | Mapping[str, PlayerLike] | PlayerLike,
    seed: int,
) -> dict[Term, Player]:
    from ..arena.match.seeds import seed_from
    from ..players import make_player

    roles = game.info.players
    if isinstance(players, Mapping):
        given = {game.role(name): player for name, player in players.items()}
    else:
        several = [players] * len(roles) if isinstance(players, str | Player) else list(players)
        given = dict(zip(roles, several, strict=False)) if len(several) == len(roles) else {}
    if set(given) != set(roles):
        names = ", ".join(map(format_term, roles))
        raise ValueError(f"{game.name} needs one player for each of {names}")
    seats = {}
    for at, role in enumerate(roles):
        player = given[role]
        seats[role] = (
            player if isinstance(player, Player) else make_player(player, seed_from("player", seed, at))
        )
    return seats


def play_tournament(
    games: Sequence[str] | str,
    players: Sequence[str],
    *,
    matches: int = 2,
    seconds: float = 1.0,
    seed: int = 0,
    processes: int = 1,
) -> Summary:
    """A round robin of players: so many matches for each game and pair, their seats changed evenly.

    Players are names with settings, since each match makes its own. With several ``processes`` as many
    matches are played at once; the result is the same. ``seconds`` are for a move, and in realtime games the
    length of the match by its own clock.

    >>> import ludorum
    >>> found = ludorum.play_tournament("tictactoe", ["greedy", "random"], matches=4, seconds=30)
    >>> sum(score.games for score in found.scores)
    8
    """
    from ..arena.tournament import Here, Processes, TournamentPlan, planned_game, run_tournament
    from ..arena.tournament.summary import summarise
    from ..players import make_player

    names = (games,) if isinstance(games, str) else tuple(games)
    plan = TournamentPlan(
        games=tuple(planned_game(name) for name in names),
        players=tuple(players),
        matches=matches,
        play_seconds=seconds,
        seed=seed,
        engine="compiled",
    )
    if not plan.is_realtime:  # plans of realtime games have looked at the names themselves
        for name in players:
            make_player(name).close()  # a wrong name should raise here, not lose every match
    if processes == 1:
        return summarise(run_tournament(plan, Here()))
    with Processes(processes) as runner:
        return summarise(run_tournament(plan, runner))
