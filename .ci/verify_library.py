"""Compares engines with the reference on every game of the library, in one process.

Where a processor is emulated, a start takes longer than most of the games.
"""

import platform
import sys
import time

from ludorum.arena import verify_random
from ludorum.engine.errors import GameError
from ludorum.engine.load import load_game
from ludorum.rules.library import chart_sheets, library_sheets, realtime_sheets, wdl_sheets

STATES = 20


def engines_of(language: str) -> tuple[str, ...]:
    return ("compiled", "lifted") if language in {"gdl", "gdl2"} else ("auto",)


def main() -> int:
    print(f"engines on {platform.machine()}, {STATES} random states of each game")
    realtime = {sheet.name for sheet in realtime_sheets()}
    faults = 0
    for sheet in (*library_sheets(), *chart_sheets(), *wdl_sheets()):
        if sheet.name in realtime:
            continue  # no rounds to compare
        for engine in engines_of(sheet.language):
            began = time.process_time()
            try:
                game = load_game(sheet.name, engine, keep_names=True)
                reference = load_game(sheet.name, "reference", keep_names=True)
                report = verify_random(game, reference, STATES, 0)
            except GameError as error:  # a circuit of a large game may take too long here
                print(f"{sheet.name} ({engine}): not compared, {error}", flush=True)
                continue
            faults += not report.agrees
            seconds = time.process_time() - began
            print(f"{sheet.name} ({engine}): {report} ({seconds:.0f} s)", flush=True)
    print(f"{faults} games with disagreements")
    return 1 if faults else 0


sys.exit(main())
