"""The games of the strength bench, by kind: twenty of the library and twenty of the corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...arena.tournament.plan import PlannedGame, planned_game
from ...rules.source import RulesError
from ..public_sheets import sheet_in

TURNS, AT_ONCE, SEVERAL, HIDDEN, CHANCE, ALONE, CARDS, OTHER = (
    "turns", "at once", "several players", "hidden", "chance", "alone", "cards", "other",
)  # fmt: skip

LIBRARY: Mapping[str, Sequence[str]] = {
    TURNS: ("connect_four", "breakthrough", "othello", "english_draughts", "hex", "dots_and_boxes"),
    AT_ONCE: ("tron", "racetrack", "rock_paper_scissors"),
    SEVERAL: ("chinese_checkers", "pacman"),
    HIDDEN: ("krieg_tictactoe", "leduc_poker", "blind_breakthrough_6"),
    CHANCE: ("pig",),
    ALONE: ("eight_puzzle", "peg_solitaire", "mastermind"),
    CARDS: ("german_whist", "crazy_eights"),
}
CORPUS: Mapping[str, Sequence[str]] = {
    TURNS: (
        "breakthroughSmall", "knightThrough", "checkers", "skirmish", "nineBoardTicTacToe",
        "cephalopodMicro", "quarto",
    ),
    AT_ONCE: ("blocker", "battle", "tron_10x10", "biddingTicTacToe", "chickentictactoe"),
    SEVERAL: ("3pConnectFour", "4pttc", "ttcc4"),
    HIDDEN: ("kriegTTT_4x4__uwa", "meier__scully"),
    ALONE: ("untwistycomplex2", "max_knights"),
    CARDS: ("oneCardGame__uwa",),
}  # fmt: skip
QUICK = (
    "connect_four", "breakthrough", "othello", "dots_and_boxes", "tron", "racetrack", "krieg_tictactoe",
    "pig",
)  # fmt: skip
"""Games of the library whose matches take about a second where playouts are counted."""

LIBRARY_ORIGIN, CORPUS_ORIGIN = "library", "corpus"


@dataclass(frozen=True)
class LadderGame:
    """A game of the ladder with its rules."""

    planned: PlannedGame
    kind: str
    origin: str

    @property
    def name(self) -> str:
        return self.planned.name


def kind_of(name: str) -> str:
    """The kind that the ladder has a game under; ``other`` for games that are not on it."""
    for games in (LIBRARY, CORPUS):
        for kind, names in games.items():
            if name in names:
                return kind
    return OTHER


def named_games(names: Sequence[str]) -> list[LadderGame]:
    """Games by their library names or paths, whatever is on the ladder."""
    return [_game(name, LIBRARY_ORIGIN if "/" not in name else CORPUS_ORIGIN) for name in names]


def ladder_games(corpus: Path | None) -> tuple[list[LadderGame], list[str]]:
    """All games of the ladder that this machine has, and a remark for what is left out."""
    found = [_game(name, LIBRARY_ORIGIN) for names in LIBRARY.values() for name in names]
    public = [name for names in CORPUS.values() for name in names]
    if corpus is None:
        return found, [f"no corpus: {len(public)} games are left out (--corpus FOLDER, or LUDORUM_CORPUS)"]
    left_out = []
    for name in public:
        path = sheet_in(corpus, name)
        try:
            if path is None:
                left_out.append(f"{name} is left out: the corpus has no such sheet")
            else:
                found.append(_game(str(path), CORPUS_ORIGIN))
        except RulesError as error:
            left_out.append(f"{name} is left out: {error}")
    return found, left_out


def _game(name: str, origin: str) -> LadderGame:
    planned = planned_game(name, lenient=origin == CORPUS_ORIGIN)
    return LadderGame(planned, kind_of(planned.name), origin)
