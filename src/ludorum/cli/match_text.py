"""Code shared by ``match`` and ``host``: options, clocks, and the result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import print_json

if TYPE_CHECKING:
    from ..arena.match.match import Match
    from ..arena.records.posting import Posted, Poster
    from ..arena.records.spectator import PublishedMatch
    from ..arena.records.store import MatchStore

StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="keep every step in a database: path or URL"),
]
NameOption = Annotated[str, typer.Option("--id", help="the name of the match")]
SignOption = Annotated[bool, typer.Option("--sign", help="sign the record with your own key")]
KeyOption = Annotated[Path | None, typer.Option("--key", help="sign the record with this key")]
PublishOption = Annotated[
    str | None,
    typer.Option("--publish", metavar="URL", help="send every step, signed, to a server of spectators"),
]
LimitOption = Annotated[
    int | None,
    typer.Option("--limit", min=1, help="give up after so many decisions; the game's own bound, else 1000"),
]

MOST_SECONDS = 1e5
"""Clocks are shorter than this, which is a little more than a day."""


def clocks_from(text: str | None, first: PublishedMatch | None, default: str) -> tuple[float, float]:
    """Seconds to prepare and to move: those of the option, else the record's, else the default."""
    if text is None and first is not None and first.play_clock > 0:
        return max(0, first.start_clock), first.play_clock
    text = text or default
    try:
        start, play = map(float, text.split(","))
    except ValueError:
        raise ValueError(
            f"--clock {text!r}: write two numbers of seconds, START,PLAY, such as {default}"
        ) from None
    if not 0 <= start < MOST_SECONDS or not 0 < play < MOST_SECONDS:
        raise ValueError(f"--clock {text!r}: clocks are positive numbers of seconds, at most a day")
    return start, play


def find_record(name: str, store: MatchStore | None) -> PublishedMatch:
    """The match to continue: in a file, or in a store by its name."""
    from ..arena.records.fields import read_text
    from ..arena.records.publisher import open_record

    path = Path(name)
    if store is not None and not path.exists():
        return store.load(name)
    return open_record(read_text(path), name)


def poster_to(url: str | None, key: Path | None) -> Poster | None:
    """The poster to an address, with the given key or the user's own."""
    from ..arena.records.posting import Poster
    from ..arena.records.signatures import own_key

    return None if url is None else Poster(url, own_key(key))


def show_match(
    match: Match, record: Path | None, posted: Posted | None, as_json: bool, **more: object
) -> None:
    """Print how a match ended, for people or, with further values of the verb, for programs."""
    from ..arena.match.goals_text import goals_text
    from ..arena.match.match import ErrorCode

    if as_json:
        print_json(_match_json(match, record, posted) | more)
        return
    if match.is_over:
        won = goals_text(zip(match.game.roles, match.state.goals(), strict=True))
        typer.echo(f"over after {len(match.moves)} steps: {won}")
    else:
        goals = [(role, match.state.goal(role)) for role in match.game.info.players]
        worth = f": as it stands {goals_text(goals)}" if any(goal is not None for _, goal in goals) else ""
        typer.echo(f"given up after {match.decisions} decisions in {len(match.moves)} steps{worth}")
    for fault in match.faults:
        if fault.code is ErrorCode.FALLBACK:
            typer.echo(f"{fault.role}: {fault.text}")
    if match.replaced:
        typer.echo(f"{match.replaced} moves were made for players that gave none, or none in time")
    if record is not None:
        typer.echo(f"record: {record}")
    if posted is not None:
        typer.echo(str(posted), err=bool(posted.trouble))


def _match_json(match: Match, record: Path | None, posted: Posted | None) -> dict[str, object]:
    from dataclasses import asdict

    roles = list(map(str, match.game.roles))
    return {
        "match": match.match_id,
        "game": match.game.name,
        "seed": match.seed,
        "roles": roles,
        "moves": [list(map(str, joint)) for joint in match.moves],
        "steps": len(match.moves),
        "decisions": match.decisions,
        "completed": match.is_over,
        "goals": dict(zip(roles, match.state.goals(), strict=True)) if match.is_over else None,
        "stands": dict(zip(roles, match.state.goals(), strict=True)),
        "faults": [fault.as_json() for fault in match.faults],
        "record": None if record is None else str(record),
        "published": None if posted is None else asdict(posted),
    }
