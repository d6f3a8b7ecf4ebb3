"""The recorded matches of the corpus: their names, the sheets they belong to, and which need special care."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ludorum.arena import Record, load_record
from ludorum.engine.game import Game
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import read_kif
from ludorum.rules.lenient import make_safe
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.source import RulesError
from ludorum.rules.syntax import load_source
from tests.corpus_location import corpus_folder

COUNTS = {"tiltyard": 14, "aaai2008": 50, "traces": 3, "iggp": 38, "clingo": 644}
"""Records of each folder: the number the corpus is known to have, so that none is lost on the way."""

OWN_SHEET = ("traces", "iggp")
"""Folders whose records have their rules beside them."""


def record_names() -> list[str]:
    """Every record as ``folder/name``, e.g. ``clingo/ticTacToe``; nothing on a machine without the corpus."""
    folder = corpus_folder()
    if folder is None:
        return []
    matches = folder / "matches"
    return sorted(str(path.relative_to(matches).with_suffix("")) for path in matches.glob("*/*.json"))


G = TypeVar("G", bound=Game)


def load_sheet(path: Path, name: str) -> ReferenceGame:
    """The game of a sheet in the reference engine."""
    return ReferenceGame(safe_rules(path), name)


def safe_rules(path: Path) -> Ruleset:
    """The rules of a sheet, made safe as the corpus was: all names keep the meaning strict GDL gives them."""
    ruleset, faults = read_kif(load_source(path))
    if faults:
        raise RulesError(faults)
    return make_safe(ruleset)[0]


def find_sheet(corpus: Path, key: str) -> Path:
    """The sheet the corpus keeps under a name, in either language."""
    found = [
        path for path in (corpus / "gdl1" / f"{key}.kif", corpus / "gdl2" / f"{key}.kif") if path.is_file()
    ]
    assert len(found) == 1, f"{len(found)} sheets are named {key}"
    return found[0]


def load_case(corpus: Path, name: str) -> tuple[ReferenceGame, Record]:
    """A record and the game it was played with, in the reference engine."""
    return load_case_for(corpus, name, ReferenceGame)


def load_case_for(corpus: Path, name: str, make: Callable[[Ruleset, str], G]) -> tuple[G, Record]:
    """A record and the game it was played with, in any engine."""
    record = load_record(corpus / "matches" / f"{name}.json")
    return make(safe_rules(sheet_of(corpus, name)), name), record


def sheet_of(corpus: Path, name: str) -> Path:
    """The sheet a record was played with."""
    path = corpus / "matches" / f"{name}.json"
    if name.split("/")[0] in OWN_SHEET:
        return path.with_suffix(".kif")
    return find_sheet(corpus, load_record(path).game)
