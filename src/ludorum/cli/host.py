"""``ludorum host``: the game controller, a match between players of ours and anybody's."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Annotated

import typer

from ..arena.match import Match
from .common import NO, GameArgument, JsonOption, LenientOption, SeedOption, print_json, readable_errors


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
    clock: Annotated[str, typer.Option("--clock", help="seconds to start and to move: START,PLAY")] = "30,15",
    dialect: Annotated[
        str, typer.Option("--dialect", help="which host to be like: ggp-base, tiltyard or dresden")
    ] = "ggp-base",
    scramble: Annotated[bool, typer.Option("--scramble", help="tell remote players other names")] = False,
    preview: Annotated[
        float, typer.Option("--preview", min=0, help="seconds to look at the rules before the match")
    ] = 0.0,
    match_id: Annotated[str, typer.Option("--match-id", help="what the match is called")] = "",
    record: Annotated[
        Path | None, typer.Option("--record", help="write the match to this file after every step")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="go on with the match in the record, whose players wait")
    ] = False,
    max_steps: Annotated[int, typer.Option("--max-steps", min=1, help="give up after so many")] = 1000,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Host a match over HTTP, by the GGP protocol."""
    from ..arena.protocol import DIALECTS
    from ..arena.protocol.hosting import Hosting, host_match, resume_match, seat_players
    from ..arena.protocol.invitations import parse_invitations
    from ..arena.spectator import match_name
    from ..engine.load import load_game

    with readable_errors(as_json):
        if dialect not in DIALECTS:
            raise ValueError(f"no dialect {dialect!r}; there are {', '.join(DIALECTS)}")
        if resume and (record is None or not record.exists()):
            raise ValueError("--resume goes on with the match in --record FILE, and there is none")
        chosen = DIALECTS[dialect]
        clocks = chosen.clocks(*_clock(clock))
        hosting = Hosting(chosen, clocks, seed, scramble, preview, record, max_steps)
        loaded = load_game(game, "lifted", lenient)
        seats = seat_players(loaded, parse_invitations(players), hosting, resume)
        if resume:
            assert record is not None
            match = resume_match(loaded, record, hosting)
        else:
            name = match_id or match_name(loaded.name, int(time.time() * 1000))
            match = Match(loaded, seed, match_id=name, replace_by=chosen.replace_by)
        asyncio.run(host_match(match, seats, hosting, None if as_json else _show_step))
        if as_json:
            print_json(_as_json(match, record))
        else:
            _show_end(match)
    if not match.is_over:
        raise typer.Exit(NO)


def _clock(text: str) -> tuple[float, float]:
    try:
        start, play = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"--clock {text!r}: write seconds to start and to move, such as 30,15") from None
    return start, play


def _show_step(match: Match) -> None:
    if match.moves:
        typer.echo(f"{len(match.moves):3}  {'  '.join(map(str, match.moves[-1]))}")
    for fault in match.faults:
        if fault.step == len(match.moves) - 1:
            typer.echo(f"     {fault.role}: {fault}")


def _show_end(match: Match) -> None:
    if not match.is_over:
        typer.echo(f"given up after {len(match.moves)} steps")
        return
    for role, goal in zip(match.game.roles, match.state.goals(), strict=True):
        if role in match.game.info.players:
            typer.echo(f"{role}  {goal}")


def _as_json(match: Match, record: Path | None) -> dict[str, object]:
    goals = match.state.goals() if match.is_over else None
    return {
        "match": match.match_id,
        "game": match.game.name,
        "roles": list(map(str, match.game.roles)),
        "moves": [list(map(str, joint)) for joint in match.moves],
        "completed": match.is_over,
        "goals": None if goals is None else list(goals),
        "faults": [
            {"step": fault.step, "role": str(fault.role), "code": fault.code.value, "text": fault.text}
            for fault in match.faults
        ],
        "record": None if record is None else str(record),
    }
