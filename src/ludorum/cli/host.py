"""``ludorum host``: the game controller, a match between players of ours and anybody's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import NO, GameArgument, JsonOption, LenientOption, SeedOption, print_json, readable_errors

if TYPE_CHECKING:
    from ..arena.match import Match
    from ..arena.spectator import PublishedMatch


def run(
    game: GameArgument,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            help="one for each role: names of our players, or addresses such as http://host:9147, "
            "with gdl1+, gdl2+, gdl2-2011+ or get+ before them where needed",
        ),
    ],
    clock: Annotated[
        str | None,
        typer.Option("--clock", help="seconds to start and to move, START,PLAY; 30,15, or the record's"),
    ] = None,
    dialect: Annotated[
        str, typer.Option("--dialect", help="which host to be like: ggp-base, tiltyard or dresden")
    ] = "ggp-base",
    scramble: Annotated[bool, typer.Option("--scramble", help="tell remote players other names")] = False,
    preview: Annotated[
        float, typer.Option("--preview", min=0, help="seconds to look at the rules before the match")
    ] = 0.0,
    record: Annotated[
        Path | None, typer.Option("--record", help="write the match to this file after every step")
    ] = None,
    go_on: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="RECORD",
            help="go on with a match whose players wait: file, or name in --store",
        ),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="URL", help="keep every step in a database: path or URL"),
    ] = None,
    name: Annotated[str, typer.Option("--id", help="what the match is called")] = "",
    sign: Annotated[bool, typer.Option("--sign", help="sign the record with your own key")] = False,
    key: Annotated[Path | None, typer.Option("--key", help="sign the record with this key")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="give up after so many steps")] = 1000,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Host a match over HTTP, by the GGP protocol."""
    import asyncio

    from ..arena.protocol import DIALECTS
    from ..arena.protocol.hosting import Hosting, begin_match, host_match, seat_players
    from ..arena.protocol.invitations import parse_invitations
    from ..arena.signatures import own_key
    from ..arena.store import MatchStore
    from ..engine.load import load_game
    from .match import find_record

    with readable_errors(as_json):
        if dialect not in DIALECTS:
            raise ValueError(f"no dialect {dialect!r}; there are {', '.join(DIALECTS)}")
        chosen = DIALECTS[dialect]
        opened = None if store is None else MatchStore(store)
        first = None if go_on is None else find_record(go_on, opened)
        hosting = Hosting(
            chosen,
            chosen.clocks(*_clock(clock, first)),
            seed,
            scramble,
            preview,
            limit,
            record,
            opened,
            own_key(key) if sign or key else None,
            first,
        )
        loaded = load_game(game, "lifted", lenient)
        seats = seat_players(loaded, parse_invitations(players), hosting)
        match = begin_match(loaded, hosting, name)
        asyncio.run(host_match(match, seats, hosting, None if as_json else _show_step))
        if as_json:
            print_json(_as_json(match, record))
        else:
            _show_end(match, record)
    if not match.is_over:
        raise typer.Exit(NO)


def _clock(text: str | None, first: PublishedMatch | None) -> tuple[float, float]:
    if text is None and first is not None and first.play_clock > 0:
        return first.start_clock, first.play_clock
    text = text or "30,15"
    try:
        start, play = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"--clock {text!r}: write seconds to start and to move, such as 30,15") from None
    if not 0 <= start < 1e5 or not 0 < play < 1e5:
        raise ValueError(f"--clock {text!r}: clocks are positive numbers of seconds, below a day")
    return start, play


def _show_step(match: Match) -> None:
    """A line for a step, as ``ludorum match`` writes it; what went wrong at the start has a line too."""
    faults = "; ".join(filter(None, match.errors_at(len(match.moves))))
    if match.moves:
        moves = zip(match.game.roles, match.moves[-1], strict=True)
        told = ", ".join(f"{role} {move}" for role, move in moves)
        typer.echo(f"{len(match.moves):3d}. {told}{f'   [{faults}]' if faults else ''}")
    elif faults:
        typer.echo(f"  0. start   [{faults}]")


def _show_end(match: Match, record: Path | None) -> None:
    if match.is_over:
        goals = zip(match.game.roles, match.state.goals(), strict=True)
        won = ", ".join(f"{role} {'?' if goal is None else goal}" for role, goal in goals)
        typer.echo(f"over after {len(match.moves)} steps: {won}")
    else:
        typer.echo(f"given up after {len(match.moves)} steps")
    if record is not None:
        typer.echo(f"record: {record}")


def _as_json(match: Match, record: Path | None) -> dict[str, object]:
    roles = list(map(str, match.game.roles))
    return {
        "match": match.match_id,
        "game": match.game.name,
        "seed": match.seed,
        "roles": roles,
        "moves": [list(map(str, joint)) for joint in match.moves],
        "steps": len(match.moves),
        "completed": match.is_over,
        "goals": dict(zip(roles, match.state.goals(), strict=True)) if match.is_over else None,
        "faults": [fault.as_json() for fault in match.faults],
        "record": None if record is None else str(record),
    }
