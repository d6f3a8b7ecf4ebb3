"""``ludorum match``: a match between players of this machine, and its record."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    NO,
    EngineOption,
    GameArgument,
    JsonOption,
    LenientOption,
    PonderOption,
    SeedOption,
    ThreadsOption,
    clock_option,
    players_option,
    readable_errors,
)
from .match_text import (
    KeyOption,
    LimitOption,
    NameOption,
    PublishOption,
    SignOption,
    StoreOption,
    clocks_from,
    find_record,
    poster_to,
    show_match,
)
from .realtime_keeping import Keeping
from .realtime_text import (
    length_from,
    play_realtime,
    realtime_master,
    refuse_options,
    refuse_rounds,
)

if TYPE_CHECKING:
    from ..arena.match.match import Match
    from ..engine.game import Game
    from ..rules.terms import Term

DEFAULT_CLOCK = "10,5"


def run(
    game: GameArgument,
    players: Annotated[str, players_option("in the order of roles, or one for all")],
    clock: Annotated[str | None, clock_option(f"{DEFAULT_CLOCK}, or the record's")] = None,
    record: Annotated[Path | None, typer.Option("--record", help="write the record to this file")] = None,
    go_on: Annotated[
        str | None,
        typer.Option("--from", metavar="RECORD", help="continue a record: a file, or a match in the store"),
    ] = None,
    store: StoreOption = None,
    name: NameOption = "",
    sign: SignOption = False,
    key: KeyOption = None,
    publish: PublishOption = None,
    limit: LimitOption = None,
    threads: ThreadsOption = 1,
    ponder: PonderOption = False,
    engine: EngineOption = "auto",
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a match between players and write its record; the same seed gives the same match."""
    from ..arena.match.clocks import Clocks
    from ..arena.match.limits import is_given_up
    from ..arena.match.local import play_match
    from ..arena.match.seeds import seed_from
    from ..arena.protocol.invitations import Invitation
    from ..arena.records.begin import begin_match
    from ..arena.records.notes import Notes
    from ..arena.records.publisher import Publisher
    from ..arena.records.signatures import own_key
    from ..arena.records.store import MatchStore
    from ..engine.load import load_game
    from ..players import make_player, split_names
    from .step_lines import StepPrinter

    with readable_errors(as_json):
        names = split_names(players)
        if (master := realtime_master(game)) is not None:
            refuse_rounds(go_on, publish, limit)
            refuse_options(threads=threads > 1, ponder=ponder)
            if any("://" in one for one in names):
                raise ValueError("`ludorum host` plays with players at addresses, and takes the same options")
            invited = [Invitation(one) for one in (names * len(master.roles) if len(names) == 1 else names)]
            keeping = Keeping(record, store, own_key(key) if sign or key else None)
            play_realtime(master, invited, length_from(clock), seed, name, keeping, as_json)
            return
        opened = None if store is None else MatchStore(store)
        first = None if go_on is None else find_record(go_on, opened)
        loaded = load_game(game, engine, lenient)
        seats = _seats(loaded, names)
        clocks = Clocks(*clocks_from(clock, first, DEFAULT_CLOCK))
        match = begin_match(loaded, seed, name, first)
        publisher = Publisher(
            clocks,
            tuple(seats.get(role, "random") for role in loaded.roles),
            first,
            own_key(key) if sign or key else None,
        )
        made = {
            role: make_player(one, seed_from("player", match.seed, at), threads=threads, ponder=ponder)
            for at, (role, one) in enumerate(seats.items())
        }
        notes = Notes(publisher, opened, record, poster_to(publish, key), thrifty=True)
        lines = StepPrinter(match, as_json)

        def step(match: Match) -> None:
            notes.write(match)
            lines.show(match)

        notes.write_file(match)  # a file that cannot be written is better found before the match
        begin = time.monotonic()
        try:
            play_match(match, made, clocks.play, step, limit, clocks.start)
        finally:
            aborted = is_given_up(match, limit)
            if aborted:
                notes.write(match, aborted=True)
            elif not match.is_over:
                notes.write_file(match)
            close = getattr(loaded, "close", None)
            if close is not None:
                close()
        lines.end(match)
        show_match(
            match,
            record,
            notes.close(),
            as_json,
            players=dict(zip(map(str, loaded.roles), publisher.names, strict=True)),
            seconds=round(time.monotonic() - begin, 3),
        )
    if aborted:
        raise typer.Exit(NO)


def _seats(game: Game, names: list[str]) -> dict[Term, str]:
    roles = game.info.players
    if len(names) == 1:
        names = names * len(roles)
    if len(names) != len(roles):
        listed = ", ".join(map(str, roles))
        raise ValueError(
            f"--players names {len(names)}, but {game.name} has {len(roles)} roles: name one for each "
            f"of {listed}, in this order, or one for all"
        )
    return dict(zip(roles, names, strict=True))
