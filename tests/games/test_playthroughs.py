"""Every game of the library has a playthrough, and the engine still plays it line for line.

Write or renew them with ``make playthroughs`` and read the difference before committing it.
"""

from pathlib import Path

import pytest

from ludorum.engine.load import load_game, load_realtime
from ludorum.engine.playthrough import playthrough
from ludorum.rules.library import find_sheet, library_names, realtime_sheets, wdl_sheets
from tests.games.realtime_playthrough import realtime_playthrough

FOLDER = Path(__file__).parent.parent / "playthroughs"
FILES = sorted(FOLDER.glob("*.txt"))
REALTIME_FILES = sorted(FOLDER.glob("realtime/*.txt"))
NAMES = [*library_names(), *(sheet.name for sheet in wdl_sheets())]
REALTIME_NAMES = [sheet.name for sheet in realtime_sheets()]


def header(text: str) -> dict[str, str]:
    """The ``key: value`` lines a playthrough begins with."""
    return dict(line.split(": ", 1) for line in text.split("\n\n")[0].splitlines())


def test_every_game_of_the_library_has_a_playthrough() -> None:
    assert sorted(path.stem for path in FILES) == sorted(NAMES)
    assert sorted(path.stem for path in REALTIME_FILES) == sorted(REALTIME_NAMES)


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.long) if path.stem == "five_dice" else path for path in FILES],
    ids=lambda path: path.stem,
)
def test_playthrough_is_reproduced_line_for_line(path: Path) -> None:
    expected = path.read_text(encoding="utf-8")
    told = header(expected)
    assert playthrough(load_game(told["game"]), int(told["seed"]), int(told["steps"])) == expected


def realtime_text(name: str, seed: int, moves: int) -> str:
    """The playthrough of a realtime game."""
    master = load_realtime(find_sheet(name))
    assert master is not None
    return realtime_playthrough(name, master, seed, moves)


@pytest.mark.long
@pytest.mark.parametrize("path", REALTIME_FILES, ids=lambda path: path.stem)
def test_playthrough_by_the_clock_is_reproduced_line_for_line(path: Path) -> None:
    expected = path.read_text(encoding="utf-8")
    told = header(expected)
    assert realtime_text(told["game"], int(told["seed"]), int(told["moves"])) == expected
