"""``ludorum replay``: a recorded match on a screen, in a pipe, or as a page of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import NO, JsonOption, LenientOption, print_json, readable_errors

if TYPE_CHECKING:
    from ..arena.records.spectator import PublishedMatch
    from .replay_frames import Frame, Reel


def run(
    record: Annotated[
        str | None,
        typer.Argument(metavar="[RECORD]", help="a file, or a match of --store"),
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="write a page that needs nothing else")] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", help="the rules, to fill in states or check them"),
    ] = None,
    store: Annotated[str | None, typer.Option("--store", metavar="URL", help="where the match is")] = None,
    xml: Annotated[
        Path | None,
        typer.Option("--xml", metavar="FOLDER", help="write XML for stylesheets, by role"),
    ] = None,
    dialect: Annotated[str, typer.Option("--dialect", help="of the XML: ggp or dresden")] = "ggp",
    stylesheet: Annotated[str, typer.Option("--stylesheet", help="named in the XML (dresden)")] = "",
    role: Annotated[str | None, typer.Option("--role", help="show only what this role may know")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="check its form, its signature and, with --game, every state")
    ] = False,
    plain: Annotated[bool, typer.Option("--plain", help="line by line, also on a terminal")] = False,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show a recorded match: on a screen step by step, in a pipe as text, or as an HTML page."""
    from ..engine.load import load_game
    from .replay_frames import open_reel

    with readable_errors(as_json):
        if record is None:
            _list(store, as_json)
            return
        if (world := _world_lines(record, store)) is not None:
            _refuse_for_worlds(**{"--html": html, "--xml": xml})
            _show_world(world, game, role, check, as_json)
            return
        text, match = _open(record, store)
        loaded = None if game is None else load_game(game, "lifted", lenient, keep_names=True)
        if check:
            raise typer.Exit(_check(text, match, loaded, as_json))
        if xml is not None:
            from .replay_xml import write_xml

            files = write_xml(match, loaded, xml, dialect, stylesheet)
            print_json({"files": files}) if as_json else typer.echo(f"{len(files)} files in {xml}")
            return
        reel = open_reel(match, loaded, role)
        if html is not None:
            _write_page(reel, html, as_json)
        elif as_json:
            print_json(_as_json(reel))
        elif plain or not _has_screen():
            _print(reel)
        else:
            from .terminal.replay_app import ReplayApp

            ReplayApp(reel).run()


def _world_lines(name: str, store: str | None) -> list[str] | None:
    """The record of a WDL match that is kept line by line, as those in realtime are; None for all others."""
    if store is None:
        from ..arena.records.fields import read_text
        from ..arena.world.record import world_lines

        return world_lines(read_text(Path(name)))
    from ..arena.records.store import MatchStore
    from ..arena.world.record_keeper import stored_lines

    with MatchStore(store) as opened:
        return stored_lines(opened, name)


def _refuse_for_worlds(**given: object) -> None:
    """ValueError where an option was given that draws steps, of which a realtime match has none."""
    for option, value in given.items():
        if value is not None:
            raise ValueError(
                f"{option} draws matches step by step, and this one is kept by the clock: without {option} "
                "it is shown as text, with --json for programs"
            )


def _show_world(lines: list[str], game: str | None, role: str | None, check: bool, as_json: bool) -> None:
    from ..arena.world.record import read_record
    from .replay_realtime import open_world_reel, world_json, world_text

    reel = open_world_reel(read_record(lines), game, role)  # by the rules, or it fails
    if check:
        raise typer.Exit(_check_world(lines, reel.master is not None, as_json))
    if as_json:
        print_json(world_json(reel))
    else:
        for line in world_text(reel):
            typer.echo(line)


def _check_world(lines: list[str], has_rules: bool, as_json: bool) -> int:
    """Check the signature of a record that is as its rules say; returns the exit status."""
    from ..arena.records.signatures import SignatureError
    from ..arena.world.signed_record import check_record_signature

    signer, faults = None, []
    try:
        signer = check_record_signature(lines)
    except SignatureError as error:
        faults.append(f"signature: {error}")
    if as_json:
        print_json({"faults": faults, "signer": signer, "rules": has_rules})
        return NO if faults else 0
    _print_check(faults, signer)
    if not has_rules:
        typer.echo("the rules are not at hand: --game checks every state by them")
    return NO if faults else 0


def _write_page(reel: Reel, path: Path, as_json: bool) -> None:
    from ..pages import NOT_BUILT, is_built
    from .replay_html import replay_page

    path.write_text(replay_page(reel), encoding="utf-8")
    if as_json:
        print_json({"page": str(path), "steps": len(reel.frames) - 1, "drawn": is_built()})
        return
    typer.echo(f"page: {path}")
    if not is_built():
        typer.echo(NOT_BUILT, err=True)


def _has_screen() -> bool:
    from .play import _has_screen as has_screen

    return has_screen()


def _open(name: str, store: str | None) -> tuple[str, PublishedMatch]:
    """The text of a record, and the match it writes."""
    from ..arena.records.fields import read_text
    from ..arena.records.publisher import open_record
    from ..arena.records.spectator import format_published
    from ..arena.records.store import MatchStore

    if store is not None:
        with MatchStore(store) as opened:
            match = opened.load(name)
        return format_published(match), match
    text = read_text(Path(name))
    return text, open_record(text, name)


def _list(store: str | None, as_json: bool) -> None:
    """Every match of a store, a line each."""
    from ..arena.records.store import MatchStore

    if store is None:
        raise ValueError("which match? Name a RECORD, or a store with --store to list what is in it")
    with MatchStore(store) as opened:
        found = opened.matches()
    if as_json:
        print_json([asdict(match) for match in found])
        return
    for match in found:
        typer.echo(f"{match.match_id}  {match.game}  {match.steps} steps  {match.ended or 'goes on'}")


def _print(reel: Reel) -> None:
    from .replay_folds import folds_of

    typer.echo(reel.title)
    folds = {fold.first: fold for fold in folds_of(reel)}
    at = 0
    while at < len(reel.frames):
        fold = folds.get(at)
        last = at if fold is None else fold.last
        typer.echo("")
        said = reel.frames[last].move_text if fold is None else f"{fold.text}, step {at} to {last}"
        typer.echo(f"{last:3d}. {said}")
        for frame in reel.frames[at : last + 1]:
            for note in _notes(frame, fold is not None):
                typer.echo(f"     {note}")
        typer.echo(reel.picture(last))
        at = last + 1
    typer.echo("")
    typer.echo(reel.result)


def _notes(frame: Frame, is_folded: bool) -> Iterator[str]:
    """The remarks on a step besides its moves."""
    from .replay_frames import MOST_SAID

    yield from (f"{role}: {text}" for role, text in frame.errors)
    yield from (f"{role} is told: {text}" for role, text in frame.told)
    if not is_folded and (frame.shown_moves or len(frame.said) > MOST_SAID):
        plays = {f"{role} plays {card}" for role, card in frame.shown_moves}
        yield from (text for text in frame.said if text not in plays)


def _as_json(reel: Reel) -> dict[str, object]:
    from ..engine.game import format_facts
    from ..rules.terms import format_term

    return {
        "match": reel.match.record.match_id,
        "game": reel.match.record.game,
        "roles": list(reel.roles),
        "players": list(reel.match.player_names or ()),
        "steps": [
            {
                "step": frame.step,
                "moves": {role: format_term(move) for role, move in frame.moves},
                "state": None if frame.facts is None else format_facts(frame.facts),
                "errors": dict(frame.errors),
                "told": {role: " ".join(map(format_term, seen)) for role, seen in frame.percepts},
            }
            for frame in reel.frames
        ],
        "goals": dict(reel.goals),
    }


def _check(text: str, match: PublishedMatch, game: object, as_json: bool) -> int:
    """Check form, signature and rules; returns the exit status."""
    from ..arena import verify
    from ..arena.records.record_checks import record_faults
    from ..arena.records.signatures import SignatureError, check_signature
    from ..engine.game import Game

    data = json.loads(text)
    faults = [str(fault) for fault in record_faults(data)] if "matchId" in data else []
    signer = None
    if data.get("matchHostSignature") is not None:
        try:
            signer = check_signature(data)
        except SignatureError as error:
            faults.append(f"signature: {error}")
    if isinstance(game, Game):
        faults += [str(one) for one in verify(game, match.record).disagreements]
    if as_json:
        print_json({"faults": faults, "signer": signer, "rules": game is not None})
    else:
        _print_check(faults, signer)
    return NO if faults else 0


def _print_check(faults: list[str], signer: str | None) -> None:
    for fault in faults:
        typer.echo(fault)
    typer.echo(f"signed with {signer}" if signer else "not signed" if not faults else "")
    typer.echo(f"{len(faults)} faults" if faults else "nothing wrong")
