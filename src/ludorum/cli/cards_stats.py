"""``ludorum cards stats``: measures of a card game, from many games."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    GameArgument,
    JsonOption,
    SeedOption,
    clock_option,
    need_chart,
    players_option,
    print_json,
    readable_errors,
    seconds_option,
)
from .match_text import clocks_from
from .progress import Bar, shown_progress
from .supervise import limit_seconds

if TYPE_CHECKING:
    from ..cards.machine.game import CardGame

Report = Bar | None
DEFAULT_CLOCK = "0,0.2"


def run(
    game: GameArgument,
    games: Annotated[int, typer.Option("--games", min=1, help="games for length, choice and balance")] = 200,
    players: Annotated[
        str, players_option("changing seats from game to game, or one for all seats")
    ] = "random",
    clock: Annotated[str, clock_option()] = DEFAULT_CLOCK,
    watch: Annotated[
        int, typer.Option("--watched", min=0, help="games whose moments are valued by playouts")
    ] = 10,
    playouts: Annotated[int, typer.Option("--playouts", min=1, help="playouts an option")] = 4,
    seconds: Annotated[float, seconds_option("for games that are watched; fewer are watched then")] = 30.0,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Play a card game many times: length, choice, luck of the seat, drama, decisiveness, clarity."""
    from ..cards.load import load_card_game
    from ..players import split_names

    with readable_errors(as_json), shown_progress("games", as_json, total=games) as report:
        need_chart(game)
        loaded = load_card_game(game)
        names = split_names(players)
        found: dict[str, object] = {"game": loaded.name, "players": len(loaded.players)}
        if set(names) == {"random"}:
            found |= random_statistics(loaded, games, seed, report)
            limit_seconds(seconds)
            found |= moment_statistics(loaded, watch, playouts, seed, seconds, report)
        else:
            clocks = clocks_from(clock, None, DEFAULT_CLOCK)
            found |= match_statistics(loaded, names, games, clocks, seed, report)
    if as_json:
        print_json(found)
    else:
        print_statistics(found)


def random_statistics(game: CardGame, games: int, seed: int, report: Report) -> dict[str, object]:
    """Length, choice and balance of random games."""
    from ..cards.show.measures import fairness, play_random

    played = []
    for number in range(games):
        played.append(play_random(game.machine, seed + number))
        if report is not None:
            report(number + 1)
    options = [count for one in played for count in one.options]
    lengths = [len(one.options) for one in played]
    sums = [sum(goals) for goals in zip(*(one.goals for one in played), strict=True)]
    return {
        "games": games,
        "length": spread(lengths),
        "branching": round(sum(options) / len(options), 2) if options else 0.0,
        "choices": round(sum(count > 1 for count in options) / games, 1),
        "broken_off": sum(one.broken_off for one in played),
        "seats": [interval(total, games) for total in sums],
        "fairness": round(fairness(sums), 3),
    }


def moment_statistics(
    game: CardGame, watch: int, playouts: int, seed: int, seconds: float, report: Report
) -> dict[str, object]:
    """Drama, decisiveness and clarity, from games whose moments are valued."""
    from ..cards.show.measures import clarity, decisiveness, drama, watch_random

    end = time.monotonic() + seconds
    watched = []
    for number in range(watch):
        one = watch_random(game.machine, seed + number, playouts, lambda: time.monotonic() > end)
        if one is None:
            break
        watched.append(one)
        if report is not None:
            report(number + 1, watch)
    measures = {"drama": drama, "decisiveness": decisiveness, "clarity": clarity}
    return {
        "watched": len(watched),
        **{
            name: round(sum(map(measure, watched)) / len(watched), 3) if watched else None
            for name, measure in measures.items()
        },
    }


def match_statistics(
    game: CardGame, names: list[str], games: int, clocks: tuple[float, float], seed: int, report: Report
) -> dict[str, object]:
    """Points of named players, which change seats from game to game, and of the seats."""
    from ..arena.match.local import play_match
    from ..arena.records.begin import begin_match
    from ..cards.show.measures import fairness
    from ..players import make_player

    seats = len(game.players)
    if len(names) == 1:
        names = names * seats
    if len(names) != seats:
        raise ValueError(
            f"--players names {len(names)}, but {game.name} has {seats} seats: name one for all, or {seats}"
        )
    by_seat, by_player, lengths = [0.0] * seats, [0.0] * seats, []
    for number in range(games):
        made = [make_player(name, seed + number * seats + at) for at, name in enumerate(names)]
        order = [(at + number) % seats for at in range(seats)]
        match = begin_match(game, seed + number // seats)  # the same cards for every seating
        seated = {game.players[at]: made[who] for at, who in enumerate(order)}
        play_match(match, seated, clocks[1], None, 10**6, clocks[0])
        lengths.append(len(match.moves))
        for at, who in enumerate(order):
            points = (match.state.goal(game.players[at]) or 0) / 100
            by_seat[at] += points
            by_player[who] += points
        if report is not None:
            report(number + 1)
    return {
        "games": games,
        "moves": spread(lengths),
        "by_player": [
            {"player": name, **interval(points, games)} for name, points in zip(names, by_player, strict=True)
        ],
        "seats": [interval(points, games) for points in by_seat],
        "fairness": round(fairness(by_seat), 3),
    }


def spread(values: list[int]) -> dict[str, float]:
    return {"mean": round(sum(values) / len(values), 1), "least": min(values), "most": max(values)}


def interval(points: float, games: int) -> dict[str, object]:
    """A share of the points with its 95 % interval (Wilson)."""
    from ..arena.tournament.statistics import wilson_interval

    low, high = wilson_interval(points, games)
    return {"points": round(points / games, 3), "from": round(low, 3), "to": round(high, 3)}


def print_statistics(found: dict[str, object]) -> None:
    for key, value in found.items():
        label = f"{key.replace('_', ' '):<13}"
        if isinstance(value, list):
            for at, one in enumerate(value):
                name = one.get("player", f"seat {at}")
                text = f"{one['points']:.3f}  ({one['from']:.3f} to {one['to']:.3f})"
                typer.echo(f"{name:<13} {text}")
        elif isinstance(value, dict):
            typer.echo(f"{label} {value['mean']} ({value['least']} to {value['most']})")
        else:
            typer.echo(f"{label} {'unknown' if value is None else value}")
