"""Third-party code that gives players: entry points of installed packages, and classes in Python files.

A file is named by its path and a class in it, ``./mine.py:Mine``. Settings may follow and reach the class as
keyword arguments: ``./mine.py:Mine:depth=3`` calls ``Mine(seed, depth=3)``. A class whose ``__init__`` takes
no seed is called without one.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from ..rules.near_names import suggestion
from .player import Player, PlayerError
from .recipe import Setting

_FILE = re.compile(r"(?P<path>.+?\.py)(?::(?P<attribute>[^:=,]*))?(?::(?P<settings>.*))?")
CHOOSE = "choose(self, position, seconds)"


@dataclass(frozen=True)
class PlayerFile:
    """A class in a Python file, or a function there that returns a player."""

    name: str
    """As it was written: ``./mine.py:Mine``."""
    path: Path
    attribute: str
    settings: Mapping[str, Setting] = field(default_factory=dict)

    def load(self) -> Callable[..., object]:
        """The object of that name in the file; PlayerError with the line where the file cannot be run."""
        module = _module(self.path)
        found: object = getattr(module, self.attribute, None)
        if not callable(found):
            raise PlayerError(_no_class(self.path, self.attribute, _classes(self.path)))
        if isinstance(found, type):
            _check_class(found)
        return found

    def place_of(self, error: BaseException) -> str:
        """The last line of the file that an error passed; empty where it came from elsewhere."""
        return _place(self.path, error)


PlayerSource: TypeAlias = EntryPoint | PlayerFile


def is_player_file(name: str) -> bool:
    """Whether a player's name is that of a Python file, with or without a class."""
    return _FILE.fullmatch(name) is not None


def find_player_file(name: str, read_settings: Callable[[str, str], dict[str, Setting]]) -> PlayerFile:
    """The file and the class of a name; ValueError with what to write instead."""
    match = _FILE.fullmatch(name)
    assert match is not None
    path = Path(match["path"]).expanduser()
    if not path.is_file():
        where = f" in {Path.cwd()}" if not path.is_absolute() else ""
        raise ValueError(f"player {name!r}: there is no file {path}{where}; a player is PATH.py:CLASS")
    if not match["attribute"]:
        try:
            raise ValueError(f"player {name!r}: {_no_class(path, '', _classes(path))}")
        except PlayerError as error:
            raise ValueError(f"player {name!r}: {error}") from error
    return PlayerFile(name, path, match["attribute"], read_settings(name, match["settings"] or ""))


def make_here(source: PlayerSource, seed: int) -> Player:
    """The player of an entry point or a file, in this process; PlayerError where it cannot be made."""
    settings = source.settings if isinstance(source, PlayerFile) else {}
    try:
        player = _call(source.load(), seed, settings)
    except PlayerError:
        raise
    except Exception as error:
        raise PlayerError(_told(source, error)) from error
    if not isinstance(player, Player):
        raise PlayerError("it is no ludorum.players.Player")
    if not isinstance(getattr(player, "name", None), str):
        player.name = source.name
    return player


def _call(make: Callable[..., object], seed: int, settings: Mapping[str, Setting]) -> object:
    try:
        takes_seed = _fits(make, seed, **settings)
    except (TypeError, ValueError):  # a builtin without a signature
        takes_seed = True
    if takes_seed or not _fits(make, **settings):
        return make(seed, **settings)
    return make(**settings)


def _fits(function: Callable[..., object], *args: object, **settings: object) -> bool:
    try:
        inspect.signature(function).bind(*args, **settings)
    except TypeError:
        return False
    return True


def _told(source: PlayerSource, error: Exception) -> str:
    """An error of third-party code: in a file with its line and type, for its author."""
    if not isinstance(source, PlayerFile):
        return str(error)
    place = source.place_of(error)
    return f"{place + ': ' if place else ''}{type(error).__name__}: {error}"


def _module(path: Path) -> ModuleType:
    """The file as a module, run once in a process. Modules beside it can be imported, after all others."""
    full = path.resolve()
    name = f"{full.stem}@{full.parent}"  # two files of one name are two modules
    if name in sys.modules:
        return sys.modules[name]
    if str(full.parent) not in sys.path:
        sys.path.append(str(full.parent))
    spec = spec_from_file_location(name, full)
    if spec is None or spec.loader is None:
        raise PlayerError(f"{path} is no Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:  # also sys.exit: the file may be a script
        del sys.modules[name]
        place = _place(path, error) or str(path)
        what = error.msg if isinstance(error, SyntaxError) else error
        raise PlayerError(f"{place}: {type(error).__name__}: {what}") from error
    return module


def _place(path: Path, error: BaseException) -> str:
    full = str(path.resolve())
    if isinstance(error, SyntaxError) and error.filename == full:
        return f"{path}, line {error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == full]
    return f"{path}, line {lines[-1]}" if lines else ""


def _classes(path: Path) -> list[str]:
    """The public classes that a file defines, read without running it."""
    try:
        tree = ast.parse(path.read_bytes(), str(path.resolve()))
    except OSError as error:
        raise PlayerError(f"{path}: {error.strerror}") from error
    except (SyntaxError, ValueError) as error:
        what = error.msg if isinstance(error, SyntaxError) else error
        raise PlayerError(f"{_place(path, error) or path}: {type(error).__name__}: {what}") from error
    return [one.name for one in tree.body if isinstance(one, ast.ClassDef) and not one.name.startswith("_")]


def _no_class(path: Path, name: str, there: list[str]) -> str:
    """Which class the file lacks, and what to write."""
    if not there:
        return f"{path} defines no class; write one: class Mine(ludorum.players.Player)"
    wanted = f"no class {name!r} in {path}" if name else "no class is named"
    near = suggestion(name, there) if name else ""
    return f"{wanted}; {near or 'write ' + ' or '.join(f'{path}:{one}' for one in there[:3])}"


def _check_class(found: type[Any]) -> None:
    """PlayerError where a class lacks a method of a player."""
    if not issubclass(found, Player):
        raise PlayerError(
            f"{found.__name__} is no player: write class {found.__name__}(ludorum.players.Player)"
        )
    missing = sorted(getattr(found, "__abstractmethods__", ()))
    if missing:
        raise PlayerError(f"{found.__name__} has no method {CHOOSE}, which returns one of position.legal")
    if not _fits(found.choose, None, None, 1.0):
        own = f"choose{inspect.signature(found.choose)}"
        raise PlayerError(f"{found.__name__}.{own} is asked with a position and seconds: write {CHOOSE}")
