"""The game library: finds rule sheets by name, path or ``-``, and reads their header.

A sheet of the library begins with comment lines ``; key: value``; title, rules and players are required::

    ; title: Hex
    ; rules: Players place stones on a rhombus of hexagons. A chain that joins one's two sides wins.
    ; players: 2
    ; parameter: size 9 11

``parameter`` names a relation with one fact, ``(size 9)``, and the values offered for it: ``hex`` has the
first, ``hex_11`` is the same sheet with ``(size 11)``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .._paths import games_folder
from .near_names import suggestion
from .source import NOWHERE, Diagnostic, RulesError, Severity, Source
from .syntax import decode_source, load_source

SUFFIXES = {".kif": "gdl", ".gdl": "gdl", ".pl": "gdl", ".wdl": "wdl", ".fcdl": "fcdl", ".json": "fcdl"}
FOLDERS = ("gdl", "gdl2")
WDL = "wdl"
"""The language of chance and hidden parts in moves, and its folder; it is translated to GDL-II."""
LOGIC = (*FOLDERS, WDL)
"""All languages of rules in logic."""
CHARTS = "fcdl"
"""The language of flow charts, and their folder: no rules in logic, they are read elsewhere (``cards``)."""
LANGUAGES = "ludorum.languages"
"""Entry points of languages that are no rules in logic, named by the ending of their files: each makes a game
of a sheet and an engine's name."""
_REALTIME = re.compile(r"^\s*\(\s*set\s+realtime\s*\)", re.MULTILINE | re.IGNORECASE)
_HEADER = re.compile(r"([;%]+\s*)([a-z]+)\s*:\s*(.*)")
_INDENTED = 2
"""Columns by which a comment line that goes on with an entry is farther in, if it begins like another one."""


@dataclass(frozen=True)
class SheetInfo:
    """What the header of a sheet says."""

    title: str = ""
    rules: str = ""
    players: int | None = None
    length: int | None = None
    parameter: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A rule sheet: the name people use, its language folder, its text and its header."""

    name: str
    language: str
    source: Source = field(repr=False)
    info: SheetInfo
    path: Path | None = None
    """The file of a sheet that is none of the library; modules may lie beside it."""

    @property
    def is_realtime(self) -> bool:
        """Whether it is a game without rounds."""
        return self.language == WDL and _REALTIME.search(self.source.text) is not None


def library_sheets() -> Iterator[Sheet]:
    """Every sheet of the library, variants included, by name."""
    for path in sorted(_library_files(), key=lambda path: path.stem):
        sheet = _read_sheet(path)
        yield sheet
        for value in sheet.info.values[1:]:
            yield _variant(sheet, value)


def chart_sheets() -> Iterator[Sheet]:
    """Every card game of the library, by name."""
    for path in _chart_files():
        yield _read_sheet(path)


def wdl_sheets() -> Iterator[Sheet]:
    """Every game of rounds of the library in WDL, by name."""
    return (sheet for sheet in map(_read_sheet, _wdl_files()) if not sheet.is_realtime)


def realtime_sheets() -> Iterator[Sheet]:
    """Every game of the library without rounds, by name."""
    return (sheet for sheet in map(_read_sheet, _wdl_files()) if sheet.is_realtime)


def library_names() -> list[str]:
    return [sheet.name for sheet in library_sheets()]


def find_sheet(name: str) -> Sheet:
    """The sheet a person means: a library name, a path, or ``-`` for standard input."""
    if name == "-":
        source = decode_source(sys.stdin.buffer.read(), "-")
        return Sheet("stdin", "gdl", source, read_header(source.text))
    if is_path(name):
        source = load_source(Path(name))
        if _is_record(source.text):
            raise RulesError([_record_no_rules(name, source)])
        language = language_of(Path(name)) or "gdl"
        return Sheet(Path(name).stem, language, source, read_header(source.text), Path(name))
    for path in (*_library_files(), *_wdl_files(), *_chart_files()):
        if path.stem == name:
            return _read_sheet(path)
    base, _, value = name.rpartition("_")
    for path in _library_files():
        if path.stem == base:
            sheet = _read_sheet(path)
            if value in sheet.info.values:
                return _variant(sheet, value)
    raise RulesError([_not_found(name)])


def is_path(name: str) -> bool:
    """Whether this names a file, not a game of the library."""
    return "/" in name or language_of(Path(name)) is not None


def language_of(path: Path) -> str | None:
    """The language that the ending of a file names, languages of other packages included."""
    ending = path.suffix
    if not ending or ending in SUFFIXES:
        return SUFFIXES.get(ending)
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    return ending[1:] if ending[1:] in entry_points(group=LANGUAGES).names else None


def read_header(text: str) -> SheetInfo:
    """The ``; key: value`` lines before the first rule; a value goes on in following comment lines, and in
    those that are farther in even where they begin like another one."""
    found: dict[str, str] = {}
    key, column = "", 0
    for line in text.splitlines():
        if not line.strip():
            key = ""
            continue
        if line[0] not in ";%":
            break
        entry = _HEADER.match(line)
        if entry and not (key and len(entry[1]) >= column + _INDENTED):
            key, column = entry[2], len(entry[1])
            found[key] = entry[3].strip()
        elif key:
            found[key] += " " + line.lstrip(";% ").strip()
    parameter, *values = found.get("parameter", "").split() or [""]
    return SheetInfo(
        title=found.get("title", ""),
        rules=found.get("rules", ""),
        players=int(found["players"]) if found.get("players", "").isdigit() else None,
        length=int(found["length"]) if found.get("length", "").isdigit() else None,
        parameter=parameter,
        values=tuple(values),
    )


def _library_files() -> list[Path]:
    root = games_folder()
    return [path for folder in FOLDERS for path in sorted((root / folder).glob("*.kif"))]


def _wdl_files() -> list[Path]:
    return sorted((games_folder() / WDL).glob("*.wdl"))


def _chart_files() -> list[Path]:
    return sorted((games_folder() / CHARTS).glob("*.fcdl"))


def _read_sheet(path: Path) -> Sheet:
    source = load_source(path, f"{path.parent.name}/{path.name}")
    return Sheet(path.stem, path.parent.name, source, read_header(source.text))


def _variant(sheet: Sheet, value: str) -> Sheet:
    """The sheet with another value in its parameter's fact; offsets stay right for values of one width."""
    fact = re.compile(rf"^\({re.escape(sheet.info.parameter)} [^()\s]+\)", re.MULTILINE)
    text, count = fact.subn(f"({sheet.info.parameter} {value})", sheet.source.text)
    if count != 1:
        raise ValueError(
            f"{sheet.name}: parameter {sheet.info.parameter} needs exactly one fact, found {count}"
        )
    name = sheet.name if value == sheet.info.values[0] else f"{sheet.name}_{value}"
    return Sheet(name, sheet.language, Source(sheet.source.name, text), sheet.info)


def _is_record(text: str) -> bool:
    """Whether this is the record of a match, not a game: charts may be JSON too, but name no match."""
    return text.lstrip()[:1] == "{" and '"matchId"' in text


def _record_no_rules(name: str, source: Source) -> Diagnostic:
    message = f"{name} is the record of a match, and a game is wanted here"
    hint = f"`ludorum replay {name}` shows it; name the game it was played by to play that"
    return Diagnostic("match-record", Severity.ERROR, NOWHERE, message, hint, source)


def _not_found(name: str) -> Diagnostic:
    names = [*library_names(), *(path.stem for path in (*_wdl_files(), *_chart_files()))]
    hint = suggestion(name, names) or "`ludorum games` lists the library"
    message = f"no game {name!r} in the library, and no such file"
    return Diagnostic("unknown-game", Severity.ERROR, NOWHERE, message, hint, Source(name, ""))
