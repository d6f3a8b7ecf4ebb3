"""Some board games of the library once more, as plain Python written from their rule books.

Nothing here knows GDL beyond the words for moves and facts, so a slip in a rule sheet shows as a difference.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

Square = tuple[int, int]
EIGHT = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


class Position(ABC):
    """A position of a game for two, who move in turn."""

    mover: str

    @abstractmethod
    def facts(self) -> set[str]: ...

    @abstractmethod
    def moves(self) -> set[str]: ...

    @abstractmethod
    def play(self, move: str) -> Position: ...

    @abstractmethod
    def winner(self) -> str | None:
        """A player, ``draw``, or None while the game goes on."""


def words(move: str) -> list[str]:
    return move.strip("()").split()


def numbers(move: str) -> list[int]:
    return [int(word) for word in words(move)[1:]]


def other(player: str, players: tuple[str, str]) -> str:
    return players[1 - players.index(player)]


def ray(square: Square, direction: Square, size: int) -> Iterator[Square]:
    """The squares from here on in a direction up to the edge."""
    x, y = square[0] + direction[0], square[1] + direction[1]
    while 1 <= x <= size and 1 <= y <= size:
        yield x, y
        x, y = x + direction[0], y + direction[1]


@dataclass(frozen=True)
class Othello(Position):
    mover: str = "black"
    cells: dict[Square, str] = field(
        default_factory=lambda: {(4, 4): "white", (5, 5): "white", (4, 5): "black", (5, 4): "black"}
    )
    sides = ("black", "white")

    def flips(self, player: str, square: Square) -> list[Square]:
        turned: list[Square] = []
        for direction in EIGHT:
            run: list[Square] = []
            for place in ray(square, direction, 8):
                if place not in self.cells:
                    break
                if self.cells[place] == player:
                    turned += run
                    break
                run.append(place)
        return turned

    def places(self, player: str) -> list[Square]:
        board = [(x, y) for x in range(1, 9) for y in range(1, 9)]
        return [square for square in board if square not in self.cells and self.flips(player, square)]

    def facts(self) -> set[str]:
        return {f"(cell {x} {y} {c})" for (x, y), c in self.cells.items()} | {f"(control {self.mover})"}

    def moves(self) -> set[str]:
        return {f"(place {x} {y})" for x, y in self.places(self.mover)} or {"pass"}

    def play(self, move: str) -> Othello:
        following = other(self.mover, self.sides)
        if move == "pass":
            return replace(self, mover=following)
        x, y = numbers(move)
        changed = dict.fromkeys([(x, y), *self.flips(self.mover, (x, y))], self.mover)
        return Othello(following, self.cells | changed)

    def winner(self) -> str | None:
        if self.places("black") or self.places("white"):
            return None
        discs = list(self.cells.values())
        lead = discs.count("black") - discs.count("white")
        return "draw" if lead == 0 else "black" if lead > 0 else "white"


def draughts_start() -> dict[Square, tuple[str, str]]:
    dark = [(x, y) for x in range(1, 9) for y in range(1, 9) if (x + y) % 2 == 0]
    return {(x, y): ("black" if y <= 3 else "white", "man") for x, y in dark if y not in (4, 5)}


@dataclass(frozen=True)
class Draughts(Position):
    mover: str = "black"
    cells: dict[Square, tuple[str, str]] = field(default_factory=draughts_start)
    jumping: Square | None = None
    quiet: int = 0
    sides = ("black", "white")

    def directions(self, square: Square) -> list[Square]:
        player, rank = self.cells[square]
        rows = (1, -1) if rank == "king" else (1,) if player == "black" else (-1,)
        return [(dx, dy) for dx in (1, -1) for dy in rows]

    def jumps(self, square: Square) -> list[Square]:
        found = []
        for dx, dy in self.directions(square):
            over, to = (square[0] + dx, square[1] + dy), (square[0] + 2 * dx, square[1] + 2 * dy)
            enemy = over in self.cells and self.cells[over][0] != self.cells[square][0]
            if enemy and to not in self.cells and 1 <= to[0] <= 8 and 1 <= to[1] <= 8:
                found.append(to)
        return found

    def facts(self) -> set[str]:
        chain = {f"(jumping {self.jumping[0]} {self.jumping[1]})"} if self.jumping else set()
        pieces = {f"(cell {x} {y} {p} {k})" for (x, y), (p, k) in self.cells.items()}
        return pieces | chain | {f"(control {self.mover})", f"(quiet {self.quiet})"}

    def moves(self) -> set[str]:
        own = [square for square, (player, _) in self.cells.items() if player == self.mover]
        movers = [self.jumping] if self.jumping else own
        jumps = {f"(jump {s[0]} {s[1]} {t[0]} {t[1]})" for s in movers for t in self.jumps(s)}
        if jumps:
            return jumps
        steps = [(s, (s[0] + dx, s[1] + dy)) for s in movers for dx, dy in self.directions(s)]
        return {
            f"(step {s[0]} {s[1]} {x} {y})"
            for s, (x, y) in steps
            if 1 <= x <= 8 and 1 <= y <= 8 and (x, y) not in self.cells
        }

    def play(self, move: str) -> Draughts:
        x1, y1, x2, y2 = numbers(move)
        cells = dict(self.cells)
        player, rank = cells.pop((x1, y1))
        crowned = rank == "man" and y2 == (8 if player == "black" else 1)
        cells[x2, y2] = (player, "king" if crowned else rank)
        following = other(player, self.sides)
        if move.startswith("(step"):
            return Draughts(following, cells, None, self.quiet + 1 if rank == "king" else 0)
        del cells[(x1 + x2) // 2, (y1 + y2) // 2]
        again = Draughts(player, cells, (x2, y2), 0)
        return again if not crowned and again.jumps((x2, y2)) else Draughts(following, cells, None, 0)

    def winner(self) -> str | None:
        if not self.moves():
            return other(self.mover, self.sides)
        return "draw" if self.quiet == 80 else None


def amazons_start() -> dict[Square, str]:
    white = dict.fromkeys([(1, 3), (3, 1), (6, 1), (8, 3)], "white")
    return white | dict.fromkeys([(1, 6), (3, 8), (6, 8), (8, 6)], "black")


@dataclass(frozen=True)
class Amazons(Position):
    mover: str = "white"
    cells: dict[Square, str] = field(default_factory=amazons_start)
    size: int = 8
    sides = ("white", "black")

    def reach(self, square: Square, cells: dict[Square, str]) -> list[Square]:
        found = []
        for direction in EIGHT:
            for place in ray(square, direction, self.size):
                if place in cells:
                    break
                found.append(place)
        return found

    def facts(self) -> set[str]:
        return {f"(cell {x} {y} {c})" for (x, y), c in self.cells.items()} | {f"(control {self.mover})"}

    def moves(self) -> set[str]:
        found = set()
        for (x, y), content in self.cells.items():
            if content == self.mover:
                cells = {square: c for square, c in self.cells.items() if square != (x, y)}
                for to in self.reach((x, y), self.cells):
                    for hit in self.reach(to, cells):
                        found.add(f"(move {x} {y} {to[0]} {to[1]} {hit[0]} {hit[1]})")
        return found

    def play(self, move: str) -> Amazons:
        x1, y1, x2, y2, x3, y3 = numbers(move)
        cells = {square: c for square, c in self.cells.items() if square != (x1, y1)}
        following = other(self.mover, self.sides)
        return Amazons(following, cells | {(x2, y2): self.mover, (x3, y3): "arrow"}, self.size)

    def winner(self) -> str | None:
        return None if self.moves() else other(self.mover, self.sides)


@dataclass(frozen=True)
class Pentago(Position):
    mover: str = "white"
    cells: dict[Square, str] = field(default_factory=dict)
    stage: str = "placing"
    sides = ("white", "black")

    def facts(self) -> set[str]:
        stones = {f"(cell {x} {y} {c})" for (x, y), c in self.cells.items()}
        return stones | {f"(control {self.mover})", f"(stage {self.stage})"}

    def moves(self) -> set[str]:
        if self.stage == "placing":
            board = [(x, y) for x in range(1, 7) for y in range(1, 7)]
            return {f"(place {x} {y})" for x, y in board if (x, y) not in self.cells}
        turns = ("clockwise", "anticlockwise")
        return {f"(twist {h} {v} {t})" for h in ("left", "right") for v in ("lower", "upper") for t in turns}

    def play(self, move: str) -> Pentago:
        if self.stage == "placing":
            x, y = numbers(move)
            return Pentago(self.mover, self.cells | {(x, y): self.mover}, "twisting")
        _, half, level, turn = words(move)
        cx, cy = (2 if half == "left" else 5), (2 if level == "lower" else 5)
        cells = {}
        for (x, y), colour in self.cells.items():
            dx, dy = x - cx, y - cy
            if max(abs(dx), abs(dy)) <= 1:
                dx, dy = (dy, -dx) if turn == "clockwise" else (-dy, dx)
            cells[cx + dx, cy + dy] = colour
        return Pentago(other(self.mover, self.sides), cells, "placing")

    def has_five(self, player: str) -> bool:
        own = {square for square, colour in self.cells.items() if colour == player}
        lines = [(1, 0), (0, 1), (1, 1), (1, -1)]
        return any(all((x + i * dx, y + i * dy) in own for i in range(5)) for x, y in own for dx, dy in lines)

    def winner(self) -> str | None:
        white, black = self.has_five("white"), self.has_five("black")
        if white != black:
            return "white" if white else "black"
        full = len(self.cells) == 36 and self.stage == "placing"
        return "draw" if white or full else None


RINGS = [["a1", "a4", "a7", "d7", "g7", "g4", "g1", "d1"], ["b2", "b4", "b6", "d6", "f6", "f4", "f2", "d2"],
         ["c3", "c4", "c5", "d5", "e5", "e4", "e3", "d3"]]  # fmt: skip
POINTS = [point for ring in RINGS for point in ring]
MILLS = [{ring[i], ring[i + 1], ring[(i + 2) % 8]} for ring in RINGS for i in (0, 2, 4, 6)]
MILLS += [{ring[i] for ring in RINGS} for i in (1, 3, 5, 7)]
LINKS = {(ring[i], ring[(i + step) % 8]) for ring in RINGS for i in range(8) for step in (1, -1)}
LINKS |= {(RINGS[a][i], RINGS[b][i]) for a, b in ((0, 1), (1, 0), (1, 2), (2, 1)) for i in (1, 3, 5, 7)}


@dataclass(frozen=True)
class Morris(Position):
    mover: str = "white"
    men: dict[str, str] = field(default_factory=dict)
    hand: dict[str, int] = field(default_factory=lambda: {"white": 9, "black": 9})
    taking: bool = False
    quiet: int = 0
    sides = ("white", "black")

    def own(self, player: str) -> set[str]:
        return {point for point, owner in self.men.items() if owner == player}

    def army(self, player: str) -> int:
        return self.hand[player] + len(self.own(player))

    def facts(self) -> set[str]:
        men = {f"(man {point} {player})" for point, player in self.men.items()}
        hands = {f"(hand {player} {number})" for player, number in self.hand.items()}
        armies = {f"(army {player} {self.army(player)})" for player in self.sides}
        rest = {f"(control {self.mover})", f"(stage {'taking' if self.taking else 'playing'})"}
        return men | hands | armies | rest | {f"(quiet {self.quiet})"}

    def moves(self) -> set[str]:
        if self.taking:
            enemies = self.own(other(self.mover, self.sides))
            safe = set().union(*(mill for mill in MILLS if mill <= enemies))
            return {f"(take {point})" for point in enemies - safe or enemies}
        free = [point for point in POINTS if point not in self.men]
        if self.hand[self.mover]:
            return {f"(place {point})" for point in free}
        own = self.own(self.mover)
        return {f"(move {a} {b})" for a in own for b in free if len(own) == 3 or (a, b) in LINKS}

    def play(self, move: str) -> Morris:
        verb, *points = words(move)
        men, hand = dict(self.men), dict(self.hand)
        following = other(self.mover, self.sides)
        if verb == "take":
            del men[points[0]]
            return Morris(following, men, hand)
        if verb == "place":
            hand[self.mover] -= 1
        else:
            del men[points[0]]
        men[points[-1]] = self.mover
        after = Morris(following, men, hand, False, self.quiet + 1 if verb == "move" else 0)
        if any(points[-1] in mill and mill <= after.own(self.mover) for mill in MILLS):
            return Morris(self.mover, men, hand, True, 0)
        return after

    def winner(self) -> str | None:
        for player in self.sides:
            if self.army(player) == 2:
                return other(player, self.sides)
        if not self.moves():
            return other(self.mover, self.sides)
        return "draw" if self.quiet == 50 else None


STARTS: dict[str, Position] = {
    "othello": Othello(),
    "english_draughts": Draughts(),
    "amazons_8": Amazons(),
    "pentago": Pentago(),
    "nine_mens_morris": Morris(),
}
