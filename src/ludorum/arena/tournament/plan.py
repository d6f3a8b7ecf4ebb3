"""The plan of a tournament: all settings that determine its matches, as plain values.

Two tournaments with equal plans play the same matches with the same seeds, on any machine and in any order.
A plan travels to workers and into the log, so it holds rule texts, not paths.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum

from ...engine.game import Game
from ...engine.load import ENGINES, load_realtime, make_game
from ...players.realtime import make_realtime_player
from ...rules.library import WDL, Sheet, find_sheet, is_path, read_header
from ...rules.source import Source
from ...rules.terms import format_term
from ..protocol.invitations import Invitation, parse_invitation, refuse_shared_ports


class ScheduleKind(StrEnum):
    """The pairing system."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    ELIMINATION = "elimination"
    LADDER = "ladder"


class Seatings(StrEnum):
    """How seats are changed: every order of the players, or each player once in each seat."""

    ALL = "all"
    ROTATIONS = "rotations"


class PlanError(ValueError):
    """A tournament that cannot be played: says why, and what to change."""


@dataclass(frozen=True)
class PlannedGame:
    """A game of the tournament with its rules, so that workers elsewhere need no files."""

    name: str
    language: str
    text: str
    roles: tuple[str, ...]
    """The roles of players, in their order: the seats. Nature has none."""
    realtime: bool = False
    """Whether it is played by the clock, without rounds."""
    path: str = field(default="", compare=False)
    """The name of its file, if it is not the library's: for messages, not to tell games apart."""

    @property
    def digest(self) -> str:
        """A digest that tells two rule texts apart in settings and reports."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def sheet(self) -> Sheet:
        return Sheet(self.name, self.language, Source(self.name, self.text), read_header(self.text))

    def load(self, engine: str, lenient: bool = False) -> Game:
        return make_game(self.sheet, engine, lenient)


def planned_game(name: str, lenient: bool = False) -> PlannedGame:
    """The game of that name or path; RulesError where its rules cannot be used."""
    sheet = find_sheet(name)
    master = load_realtime(sheet) if sheet.language == WDL else None
    players = make_game(sheet, lenient=lenient).info.players if master is None else master.roles
    roles = tuple(map(format_term, players))
    if not roles:
        raise PlanError(f"{sheet.name} has no role to play")
    path = name if name == "-" or is_path(name) else ""
    return PlannedGame(sheet.name, sheet.language, sheet.source.text, roles, master is not None, path)


@dataclass(frozen=True)
class Sequential:
    """A sequential test: is the first player ``elo1`` stronger than the second, or only ``elo0``?"""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise PlanError(
                "a test asks for two different strengths, the lower first: "
                f"{self.elo0:g},{self.elo1:g} is no question"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise PlanError("the error rates of a test lie between 0 and 0.5")


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament before it is played."""

    games: tuple[PlannedGame, ...]
    players: tuple[str, ...]
    matches: int = 2
    """Matches for each game and each set of players that meets; rounded up to whole sets of seatings."""
    schedule: ScheduleKind = ScheduleKind.ROUND_ROBIN
    seatings: Seatings = Seatings.ALL
    rounds: int | None = None
    """Rounds of a Swiss tournament; None for as many as are needed to find a winner."""
    start_seconds: float = 0.0
    play_seconds: float = 1.0
    opening: int = 2
    """How many random moves open a match; all seatings of a set begin with the same ones."""
    longest: int | None = None
    """A match with so many decisions of players is ended where it stands; None for the bound of its game,
    else 1000."""
    seed: int = 0
    sprt: Sequential | None = None
    engine: str = "compiled"
    """The engine; a game without a circuit is played on ``lifted``."""
    lenient: bool = False
    outside: tuple[str, ...] = ()
    """Players at addresses, as they are invited: ``NAME=http://host:port``."""
    threads: int = 1
    """Threads of each search of our players."""
    ponder: bool = False
    """Whether our players search while others move: then they have more of the processor than others."""

    def __post_init__(self) -> None:
        self._check_entrants()
        self._check_outside()
        self._check_realtime()
        if self.engine not in ENGINES:
            raise PlanError(f"no engine {self.engine!r}; there are {', '.join(ENGINES)}")
        if self.matches < 1:
            raise PlanError("a tournament needs at least one match")
        if self.threads < 1:
            raise PlanError("a search needs at least one thread")
        if self.play_seconds <= 0 or self.start_seconds < 0:
            raise PlanError("clocks: 0 or more seconds to prepare, more than 0 to move")
        if (
            self.opening < 0
            or (self.longest is not None and self.longest < 1)
            or (self.rounds is not None and self.rounds < 1)
        ):
            raise PlanError("an opening has 0 moves or more, a match and a tournament at least one step")
        comparing = (ScheduleKind.ROUND_ROBIN, ScheduleKind.LADDER)
        if self.sprt and (len(self.players) != 2 or self.schedule not in comparing):
            raise PlanError(
                "a sequential test compares two players in a round robin or on a ladder: name exactly two"
            )

    def _check_entrants(self) -> None:
        if not self.games:
            raise PlanError("a tournament needs a game")
        names = [game.name for game in self.games]
        for kind, entries in (("game", names), ("player", list(self.players))):
            twice = sorted({entry for entry in entries if entries.count(entry) > 1})
            if twice:
                raise PlanError(f"{kind} {twice[0]!r} is named twice")
        if len(self.players) < 2:
            raise PlanError("a tournament needs at least two players: --players A,B")
        is_paired = self.schedule in (ScheduleKind.SWISS, ScheduleKind.ELIMINATION)
        for game in self.games:
            if self.schedule is ScheduleKind.GAUNTLET and len(game.roles) == 1:
                raise PlanError(f"{game.name} has one role: nobody plays against another; use round-robin")
            if is_paired and len(game.roles) != 2:
                raise PlanError(
                    f"{game.name} has {len(game.roles)} roles to play; a {self.schedule} schedule is for "
                    "games of two: use round-robin"
                )
            if self.schedule is ScheduleKind.LADDER:
                self._check_seats_of_outsiders(game)
            elif len(game.roles) > len(self.players):
                raise PlanError(f"{game.name} has {len(game.roles)} roles to play: name as many players")

    def _check_seats_of_outsiders(self, game: PlannedGame) -> None:
        """On a ladder a player takes all seats but one: a program at an address has one seat only."""
        outside = next(iter(self.invitations), None)
        if outside is not None and len(game.roles) > 2:
            raise PlanError(
                f"{outside.name} plays at an address and can take one seat, but on a ladder it would take "
                f"more in {game.name}: leave this game out"
            )

    def _check_realtime(self) -> None:
        """Games by the clock have players of their own, and their work is counted."""
        if not self.is_realtime:
            return
        if not all(game.realtime for game in self.games):
            raise PlanError(
                "games in realtime have other players and clocks: give them a tournament of their own"
            )
        if self.outside:
            raise PlanError(
                "realtime games of a tournament have a clock that is counted, so that results are the same "
                "everywhere; players at addresses need the clock on the wall: `ludorum host` plays with them"
            )
        if self.ponder or self.threads > 1:
            raise PlanError(
                "players of realtime games think all the time, in one thread: leave ponder and threads out"
            )
        for name in self.players:
            try:
                make_realtime_player(name)
            except ValueError as error:
                raise PlanError(str(error)) from error

    @property
    def is_realtime(self) -> bool:
        """Whether its games are played by the clock."""
        return any(game.realtime for game in self.games)

    def _check_outside(self) -> None:
        for one in self.invitations:
            if not one.remote or one.name not in self.players:
                raise PlanError(f"{one.name!r} is invited, but is no player of this tournament at an address")
        try:
            refuse_shared_ports(self.invitations)
        except ValueError as error:
            raise PlanError(str(error)) from error
        if self.outside and self.start_seconds <= 0:
            raise PlanError(
                f"{self.invitations[0].name} has to read the rules before it can play: give it time to "
                "prepare, such as --clock 10,1"
            )

    @property
    def invitations(self) -> list[Invitation]:
        """The players at addresses."""
        return [parse_invitation(text) for text in self.outside]

    def invitation(self, player: str) -> Invitation:
        """The invitation of a player."""
        return next((one for one in self.invitations if one.name == player), Invitation(player))

    def game(self, name: str) -> PlannedGame:
        return next(game for game in self.games if game.name == name)

    def as_json(self) -> dict[str, object]:
        """The settings as they are logged; ``plan_from_json`` is the twin."""
        return asdict(self)

    def differences(self, other: TournamentPlan) -> list[str]:
        """The settings in which two plans differ, as a person reads them."""
        named = [
            (field.name, getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
            if field.name != "outside"
        ]
        # The address of a player may change; which players have an address may not.
        here, there = ({one.name for one in plan.invitations} for plan in (self, other))
        named.append(("players at addresses", sorted(here), sorted(there)))
        return [
            f"{name} ({'rules or names differ' if name == 'games' else f'{mine} and {others}'})"
            for name, mine, others in named
            if mine != others
        ]


def plan_from_json(value: Mapping[str, object]) -> TournamentPlan:
    """The plan that was logged."""
    known = {field.name for field in fields(TournamentPlan)}
    strange = sorted(set(value) - known)
    if strange:
        raise PlanError(f"unknown setting {strange[0]!r}: logged by another version of the program")
    raw: dict[str, object] = dict(value)
    games, players, test = raw.pop("games"), raw.pop("players"), raw.pop("sprt", None)
    assert isinstance(games, list)
    assert isinstance(players, list)
    plan = TournamentPlan(
        tuple(PlannedGame(**{**game, "roles": tuple(game["roles"])}) for game in games),
        tuple(players),
        sprt=Sequential(**test) if isinstance(test, dict) else None,
    )
    raw["outside"] = tuple(raw.get("outside", ()))  # type: ignore[arg-type]
    raw["schedule"] = ScheduleKind(str(raw.get("schedule", plan.schedule)))
    raw["seatings"] = Seatings(str(raw.get("seatings", plan.seatings)))
    return replace(plan, **raw)  # type: ignore[arg-type]
