"""Completion in the shell besides verbs and options: games of the library, players and engines.

Only names are read: no sheet is parsed and no engine loaded, since a person waits for every Tab.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

ENGINE_NAMES = ("auto", "compiled", "lifted", "reference")


def complete_game(incomplete: str) -> list[str]:
    """Games of the library with this prefix. Shells complete paths themselves where there is none."""
    from ..rules.library import chart_sheets, library_names, realtime_sheets, wdl_sheets

    others = (*wdl_sheets(), *realtime_sheets(), *chart_sheets())
    return _beginning(incomplete, [*library_names(), *(sheet.name for sheet in others)])


def complete_player(incomplete: str) -> list[str]:
    """Players with this prefix."""
    from ..players.registry import player_names

    return _beginning(incomplete, player_names())


def complete_players(incomplete: str) -> list[str]:
    """The last of several players, with those before it."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in complete_player(last)]


def complete_from(*names: str) -> Callable[[str], list[str]]:
    """A function that completes one of some names."""

    def complete(incomplete: str) -> list[str]:
        return _beginning(incomplete, names)

    return complete


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
