"""``ludorum host``: the game controller, for a match between our players and remote ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from .common import (
    NO,
    GameArgument,
    JsonOption,
    LenientOption,
    PonderOption,
    SecretSeedOption,
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

DEFAULT_CLOCK = "30,15"


def run(
    game: GameArgument,
    players: Annotated[
        str,
        players_option(
            "one for each role, also addresses such as http://host:9147, with gdl1+, gdl2+, gdl2-2011+, "
            "wdl+ or get+ before them where needed"
        ),
    ],
    clock: Annotated[str | None, clock_option(f"{DEFAULT_CLOCK}, or the record's")] = None,
    dialect: Annotated[
        str, typer.Option("--dialect", help="the host to imitate: ggp-base, tiltyard or dresden")
    ] = "ggp-base",
    scramble: Annotated[bool, typer.Option("--scramble", help="tell remote players other names")] = False,
    no_colons: Annotated[
        bool, typer.Option("--no-colons", help="tell remote players names of modules without colons")
    ] = False,
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
            help="continue a match whose players wait: file, or name in --store",
        ),
    ] = None,
    store: StoreOption = None,
    name: NameOption = "",
    sign: SignOption = False,
    key: KeyOption = None,
    publish: PublishOption = None,
    limit: LimitOption = None,
    whole_clock: Annotated[
        bool, typer.Option("--whole-clock", help="let every step take its whole clock, as some hosts do")
    ] = False,
    threads: ThreadsOption = 1,
    ponder: PonderOption = False,
    seed: SecretSeedOption = None,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Host a match over HTTP, by the GGP protocol."""
    import asyncio

    from ..arena.match.seeds import secret_seed
    from ..arena.protocol import DIALECTS
    from ..arena.protocol.hosting import Hosting, host_match, seat_players
    from ..arena.protocol.invitations import parse_invitations
    from ..arena.records.begin import begin_match
    from ..arena.records.signatures import own_key
    from ..arena.records.store import MatchStore
    from ..engine.load import load_game
    from .step_lines import StepPrinter

    with readable_errors(as_json):
        if (master := realtime_master(game)) is not None:
            refuse_rounds(go_on, publish, limit)
            refuse_options(**{
                "scramble": scramble, "preview": preview, "whole-clock": whole_clock,
                "threads": threads > 1, "ponder": ponder,
            })  # fmt: skip
            chosen_seed = secret_seed() if seed is None else seed
            length = length_from(clock)
            invited = parse_invitations(players)
            keeping = Keeping(record, store, own_key(key) if sign or key else None)
            play_realtime(master, invited, length, chosen_seed, name, keeping, as_json, no_colons)
            return
        if dialect not in DIALECTS:
            raise ValueError(f"no dialect {dialect!r}; there are {', '.join(DIALECTS)}")
        chosen = DIALECTS[dialect]
        opened = None if store is None else MatchStore(store)
        first = None if go_on is None else find_record(go_on, opened)
        clocks = chosen.clocks(*clocks_from(clock, first, DEFAULT_CLOCK))
        seed = secret_seed() if seed is None else seed
        hosting = Hosting(
            chosen,
            replace(clocks, whole=whole_clock),
            seed,
            scramble,
            no_colons,
            preview,
            limit,
            record,
            opened,
            own_key(key) if sign or key else None,
            poster_to(publish, key),
            first,
            threads,
            ponder,
        )
        loaded = load_game(game, "lifted", lenient)
        match = begin_match(loaded, seed, name, first, chosen.replace_by)
        seats = seat_players(match, parse_invitations(players), hosting)
        lines = StepPrinter(match, as_json)
        try:
            asyncio.run(host_match(match, seats, hosting, lines.show))
        finally:  # spectators are told of the end also where the match did not finish
            posted = None if hosting.poster is None else hosting.poster.close()
        lines.end(match)
        show_match(match, record, posted, as_json)
    if not match.is_over:
        raise typer.Exit(NO)
