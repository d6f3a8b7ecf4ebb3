"""The published table: what a role knew in the games of two competitions, and how long it took.

M. Thielscher, *Filtering With Logic Programs and Its Application to General Game Playing*, AAAI 2013, table 1
whether a role always knew its legal moves; if so, whether it knew at the end that the game was over, and its
goal value; processor seconds for 1000 rounds (ECLiPSe Prolog, 2.66 GHz).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row2013:
    """One row of the table."""

    number: str
    title: str
    legal: bool
    terminal: bool | None
    """None where it was not evaluated."""
    goal: bool | None
    seconds: float | None
    """For 1000 rounds."""
    public_sheet: str
    """The name of the published sheet in a corpus; empty where none is known."""
    own_sheet: str
    """A game of the library after the same description; its times are not to be compared."""
    role: int
    """The number of the role among the players."""


def _row(
    number: str, title: str, cells: str, seconds: float | None, public_sheet: str, own_sheet: str, role: int
) -> Row2013:
    """``cells``: legal, terminal and goal, each ``y`` (yes), ``n`` (no) or ``-`` (not evaluated)."""
    legal, terminal, goal = ({"y": True, "n": False, "-": None}[cell] for cell in cells)
    return Row2013(number, title, bool(legal), terminal, goal, seconds, public_sheet, own_sheet, role)


ROWS_2013 = (
    _row("1", "Backgammon", "yyy", 8.84, "backgammon__uwa", "", 0),
    _row("2", "Banker/Thief (role 1)", "yyn", 0.42, "BankerAndThief__unsw", "banker_and_thief", 0),
    _row("3", "Banker/Thief (role 2)", "yyn", 0.69, "BankerAndThief__unsw", "banker_and_thief", 1),
    _row("4", "Battleships in Fog", "n--", None, "BattleshipsFog__unsw-safe", "battleships_in_fog", 0),
    _row("5", "Battleships in Fog, split", "ynn", 930.04, "", "battleships_in_fog_split", 0),
    _row("6", "Blackjack", "n--", None, "", "blackjack", 0),
    _row("7", "Hidden Connect", "yyn", 4.08, "HiddenConnect__unsw", "hidden_connect", 0),
    _row("9", "Krieg-Tictactoe 5x5", "n--", None, "KriegTictactoe__unsw", "krieg_tictactoe", 0),
    _row("10", "Mastermind448", "yyn", 0.58, "Mastermind448__unsw", "mastermind", 0),
    _row("11", "Minesweeper", "yyy", 1.56, "", "minesweeper", 0),
    _row("13", "Numberguessing", "yyn", 1.53, "", "number_guessing", 0),
    _row("14", "Monty Hall (role 1)", "yyy", 0.21, "", "monty_hall", 0),
    _row("15", "Monty Hall (role 2)", "yyy", 0.21, "", "monty_hall", 1),
    _row("16", "Small Dominion 2", "yyy", 12376.75, "SmallDominion2__unsw", "small_dominion", 0),
    _row("17", "Transit (role 1)", "ynn", 4.18, "transit__uwa", "transit", 0),
    _row("18", "Transit (role 2)", "ynn", 5.76, "transit__uwa", "transit", 1),
    _row("19", "vis_Pacman (a ghost)", "ynn", 706.45, "vis_pacman3p__uwa", "vis_pacman", 1),
    _row("20", "vis_Pacman (pacman)", "yny", 32.12, "vis_pacman3p__uwa", "vis_pacman", 0),
)
"""All rows but 8 (Hold your Course II) and 12 (role 2 of Minesweeper), of which no sheet is known."""
