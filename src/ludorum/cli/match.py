"""``ludorum match``: players against each other, here and now, and the record of it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import GameArgument, JsonOption, LenientOption, SeedOption, print_json, readable_errors

if TYPE_CHECKING:
    from ..arena.clocks import Clocks
    from ..arena.match import Match
    from ..arena.publisher import Publisher
    from ..arena.spectator import PublishedMatch
    from ..arena.store import MatchStore
    from ..engine.game import Game
    from ..rules.terms import Term

DEFAULT_CLOCK = "10,5"
MOST_STEPS = 1000


def run(
    game: GameArgument,
    players: Annotated[
        str,
        typer.Option("--players", help="who plays: A,B,... in the order of roles, or one for all"),
    ],
    clock: Annotated[
        str | None,
        typer.Option("--clock", help=f"seconds to prepare and for a move; {DEFAULT_CLOCK}, or the record's"),
    ] = None,
    record: Annotated[Path | None, typer.Option("--record", help="write the record to this file")] = None,
    go_on: Annotated[
        str | None,
        typer.Option("--from", metavar="RECORD", help="go on with a record: a file, or a match in the store"),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="URL", help="keep every step in a database: path or URL"),
    ] = None,
    name: Annotated[str | None, typer.Option("--id", help="what the match is called")] = None,
    sign: Annotated[bool, typer.Option("--sign", help="sign the record with your own key")] = False,
    key: Annotated[Path | None, typer.Option("--key", help="sign the record with this key")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="give up after so many steps")] = MOST_STEPS,
    engine: Annotated[str, typer.Option("--engine", help="which engine runs the rules")] = "auto",
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a match between players and write its record; the same seed gives the same match."""
    from ..arena.local import play_match
    from ..arena.publisher import Publisher, write_record
    from ..arena.signatures import own_key
    from ..arena.store import MatchStore
    from ..engine.load import load_game
    from ..players import make_player, split_names

    with readable_errors(as_json):
        names = split_names(players)
        opened = None if store is None else MatchStore(store)
        first = None if go_on is None else find_record(go_on, opened)
        loaded = load_game(game, engine, lenient)
        seats = _seats(loaded, names)
        clocks = _clocks(clock, first)
        match = _begin(loaded, first, seed, name)
        publisher = Publisher(
            clocks,
            tuple(seats.get(role, "random") for role in loaded.roles),
            first,
            own_key(key) if sign or key else None,
        )
        made = {
            role: make_player(one, (match.seed + at) % 2**64) for at, (role, one) in enumerate(seats.items())
        }
        watcher = _Watcher(publisher, opened, quiet=as_json)
        if record is not None:  # a place that cannot be written to is better found before the match
            write_record(publisher.version(match), record)
        begin = time.monotonic()
        try:
            play_match(match, made, clocks.play, watcher.step, limit, clocks.start)
        finally:
            aborted = not match.is_over and len(match.moves) >= limit
            if aborted and opened is not None:
                publisher.store(match, opened, aborted=True)
            if record is not None:
                write_record(publisher.version(match, aborted), record)
            close = getattr(loaded, "close", None)
            if close is not None:
                close()
        _report(match, publisher, record, time.monotonic() - begin, as_json)


class _Watcher:
    """Stores every step, then tells of it."""

    def __init__(self, publisher: Publisher, store: MatchStore | None, quiet: bool) -> None:
        self._publisher = publisher
        self._store = store
        self._quiet = quiet
        self._stored = False
        self._told = -1

    def step(self, match: Match) -> None:
        if self._store is not None:
            if self._stored:
                self._store.append(match)
            else:
                self._publisher.store(match, self._store)
                self._stored = True
        if not self._quiet and 0 <= self._told < len(match.moves):
            from ..rules.kif import format_term

            moves = zip(match.game.roles, match.moves[-1], strict=True)
            told = ", ".join(f"{format_term(role)} {format_term(move)}" for role, move in moves)
            faults = "; ".join(filter(None, match.errors_at(len(match.moves))))
            typer.echo(f"{len(match.moves):3d}. {told}{f'   [{faults}]' if faults else ''}")
        self._told = len(match.moves)


def _seats(game: Game, names: list[str]) -> dict[Term, str]:
    roles = game.info.players
    if len(names) == 1:
        names = names * len(roles)
    if len(names) != len(roles):
        listed = ", ".join(map(str, roles))
        raise ValueError(f"--players names {len(names)}, but {game.name} has {len(roles)} roles: {listed}")
    return dict(zip(roles, names, strict=True))


def _clocks(text: str | None, first: PublishedMatch | None) -> Clocks:
    from ..arena.clocks import Clocks

    if text is None and first is not None and first.play_clock > 0:
        return Clocks(max(0, first.start_clock), first.play_clock)
    parts = (text or DEFAULT_CLOCK).split(",")
    try:
        start, play = (float(part) for part in parts)
    except ValueError:
        raise ValueError(
            f"--clock {text!r}: write two numbers of seconds, START,PLAY, such as 10,5"
        ) from None
    if not 0 <= start < 1e6 or not 0 < play < 1e6:
        raise ValueError(f"--clock {text!r}: clocks are positive numbers of seconds")
    return Clocks(start, play)


def find_record(name: str, store: MatchStore | None) -> PublishedMatch:
    """The match to go on with: in a file, or in a store by its name."""
    from ..arena.fields import read_text
    from ..arena.publisher import open_record

    path = Path(name)
    if store is not None and not path.exists():
        return store.load(name)
    return open_record(read_text(path), name)


def _begin(game: Game, first: PublishedMatch | None, seed: int, name: str | None) -> Match:
    from dataclasses import replace

    from ..arena.match import Match
    from ..arena.spectator import match_name

    if first is None:
        match = Match(game, seed)
        match.match_id = name or match_name(game.name, match.times[0])
        return match
    if name is not None:
        raise ValueError("a match that goes on keeps its name: leave --id away")
    record = first.record
    roles = record.roles
    if roles is not None and set(roles) != set(game.roles):
        raise ValueError(f"the record is not of {game.name}: its roles are {', '.join(map(str, roles))}")
    match = Match.resumed(game, replace(record, seed=seed if record.seed is None else record.seed))
    if match.is_over or first.aborted:
        raise ValueError(f"the match {record.match_id} is over: there is nothing to go on with")
    return match


def _report(match: Match, publisher: Publisher, record: Path | None, seconds: float, as_json: bool) -> None:
    from ..rules.kif import format_term

    roles = [format_term(role) for role in match.game.roles]
    goals = dict(zip(roles, match.state.goals(), strict=True)) if match.is_over else None
    if as_json:
        print_json(
            {
                "match": match.match_id,
                "game": match.game.name,
                "players": dict(zip(roles, publisher.names, strict=True)),
                "seed": match.seed,
                "steps": len(match.moves),
                "completed": match.is_over,
                "goals": goals,
                "faults": [fault.as_json() for fault in match.faults],
                "record": None if record is None else str(record),
                "seconds": round(seconds, 3),
            }
        )
        return
    if goals is None:
        typer.echo(f"given up after {len(match.moves)} steps")
    else:
        won = ", ".join(f"{role} {'?' if goal is None else goal}" for role, goal in goals.items())
        typer.echo(f"over after {len(match.moves)} steps: {won}")
    if match.faults:
        typer.echo(f"{len(match.faults)} moves were made for players that gave none, or none in time")
    if record is not None:
        typer.echo(f"record: {record}")
