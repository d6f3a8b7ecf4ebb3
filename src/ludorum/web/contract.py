"""The values of the API, as its OpenAPI description has them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ..scene import MoveChoice, Scene

_UNSAFE = {chr(code) for code in [*range(9), 11, 12, *range(14, 32), 127]}


def _plain(text: str) -> str:
    """Text that every database and every page can hold."""
    if not _UNSAFE.isdisjoint(text) or any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("has characters that are no text")
    return text


Text = Annotated[str, AfterValidator(_plain)]
Word = Annotated[Text, Field(max_length=200)]


class SentBody(BaseModel):
    """What clients send: a field that is not known is an error, not a surprise."""

    model_config = ConfigDict(extra="forbid")


# -- errors -----------------------------------------------------------------------------------------


class ErrorText(BaseModel):
    code: str
    message: str
    hint: str | None


class ErrorBody(BaseModel):
    error: ErrorText


class ToldFault(BaseModel):
    """A fault of a rule sheet, with its place."""

    code: str
    severity: str
    message: str
    line: int
    column: int
    hint: str


class FaultsBody(ErrorBody):
    faults: list[ToldFault] = []


# -- people -----------------------------------------------------------------------------------------


class User(BaseModel):
    name: str
    is_guest: bool
    is_admin: bool


class Me(BaseModel):
    user: User | None
    csrf: str


class Credentials(SentBody):
    name: Word
    password: Word


class PersonOrPlayer(BaseModel):
    """A player of the server, as it can be chosen."""

    name: str
    summary: str
    for_hidden: bool
    for_realtime: bool = False
    """Whether it can act in games without turns."""
    is_available: bool = True
    """Whether it answers: a player elsewhere may not."""


class NewRemote(SentBody):
    """A player elsewhere that speaks the GGP protocol."""

    name: Word
    url: Word
    """``http://host:port``; what the player speaks may stand before it: ``wdl+http://host:port``"""
    language: Literal["gdl1", "gdl2", "gdl2-2011", "wdl"] | None = None
    """What it speaks; without it, what a game needs."""
    method: Literal["POST", "GET"] = "POST"
    dialect: Literal["ggp-base", "tiltyard", "dresden"] = "ggp-base"
    """The host that it is used to."""


class Remote(BaseModel):
    name: str
    player: str
    """The name by which a seat is given to it."""
    owner: str
    is_mine: bool
    url: str | None
    said: str
    """The name that it gives itself."""
    language: str | None
    answered: int
    """When it answered last, in seconds since 1970."""
    is_reachable: bool
    is_playing: bool


# -- games ------------------------------------------------------------------------------------------


class GameSummary(BaseModel):
    id: str
    title: str
    language: str
    roles: list[str]
    summary: str
    hides: bool
    chance: bool
    seats: int
    kind: Literal["board", "cards", "puzzle", "other"]
    realtime: bool
    """Whether nobody takes turns."""


class GameDetail(GameSummary):
    rules: str
    faults: list[ToldFault]
    owner: str | None


class NewGame(SentBody):
    text: Annotated[Text, Field(min_length=1)]
    title: Annotated[Text, Field(max_length=120)] = ""
    language: Literal["gdl", "fcdl", "wdl"] | None = None


class StartScene(BaseModel):
    scene: Scene


# -- matches ----------------------------------------------------------------------------------------


class Clock(SentBody):
    base: Annotated[float, Field(ge=1, le=86400)] | None = None
    increment: Annotated[float, Field(ge=0, le=3600)] = 0.0


class NewMatch(SentBody):
    game: Word
    seats: Annotated[dict[Word, Word], Field(max_length=64)]
    """By role: ``me``, ``open`` or ``player:NAME``."""
    clock: Clock = Clock()
    think: Annotated[float, Field(ge=0.01, le=60)] = 2.0
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    prepare: Annotated[float, Field(ge=1, le=120)] = 10.0
    """Seconds that players elsewhere may prepare."""
    chat: bool = True
    private: bool = False


class MadeMatch(BaseModel):
    id: str
    links: dict[str, str]


class TakenSeat(SentBody):
    role: Word
    token: Annotated[Text, Field(max_length=100)] | None = None


class GameName(BaseModel):
    id: str
    title: str


class ListedRole(BaseModel):
    role: str
    label: str
    kind: Literal["person", "player", "open"]
    name: str


class ListedMatch(BaseModel):
    id: str
    game: GameName
    roles: list[ListedRole]
    phase: str
    step: int
    open: list[str]
    result: dict[str, int] | None = None


class MatchList(BaseModel):
    matches: list[ListedMatch]
    pages: int


class ViewedGame(GameName):
    hides: bool
    chance: bool


class ClockNow(BaseModel):
    left: float
    running: bool


class ViewedRole(ListedRole):
    is_here: bool
    clock: ClockNow | None
    goal: int | None
    remark: str
    """What is to be said of a player elsewhere that is not just playing."""


class MoveLine(BaseModel):
    model_config = ConfigDict(extra="allow")
    step: int
    words: str


class OfferView(BaseModel):
    what: str
    by: str


class MatchNote(BaseModel):
    """Something that went wrong with a player: a fault, for which a legal move was made, or a fallback."""

    step: int
    role: str
    text: str


class ChatLineView(BaseModel):
    model_config = ConfigDict(extra="allow")
    by: str
    text: str


class RunningClock(BaseModel):
    """The clock of a realtime match."""

    seconds: float
    is_running: bool


class MatchView(BaseModel):
    """A match as one viewer may see it; complete, so that a page needs nothing else."""

    model_config = ConfigDict(extra="allow")
    id: str
    game: ViewedGame
    viewer: str | None
    roles: list[ViewedRole]
    step: int
    phase: Literal["choice", "waiting", "paused", "over", "resigned", "stuck", "open"]
    to_move: list[str]
    is_thinking: bool
    scene: Scene
    choices: list[MoveChoice]
    asked: str
    moves: list[MoveLine]
    offers: list[OfferView]
    premove: str | None
    dropped: str | None
    """A prepared move that was not legal when its time came."""
    spectators: int
    chat: list[ChatLineView] | None
    result: dict[str, int] | None
    rematch: str | None
    realtime: RunningClock | None
    """None where players take turns."""
    tournament: str | None
    """The tournament that the match belongs to."""
    notes: list[MatchNote]
    """The last ones."""
    faults: dict[str, int]
    """How many there were, by role."""


class StepView(BaseModel):
    model_config = ConfigDict(extra="allow")
    step: int
    scene: Scene
    moves: list[MoveLine]


class Premoves(BaseModel):
    """Moves that can be prepared while others choose, and the step that they belong to."""

    step: int
    choices: list[MoveChoice]


class AskedStep(SentBody):
    step: Annotated[int, Field(ge=0, le=1_000_000)] | None = None


class ValuedChoice(BaseModel):
    model_config = ConfigDict(extra="allow")
    move: str
    words: str
    value: float | None
    visits: int | None = None
    proven: bool | None = None


class ValuedWords(BaseModel):
    words: str
    value: float


class AnalysisView(BaseModel):
    model_config = ConfigDict(extra="allow")
    values: dict[str, float]
    choices: list[ValuedChoice]
    line: list[str]
    reasons: list[str]
    features: list[ValuedWords]


class KnowledgeView(BaseModel):
    model_config = ConfigDict(extra="allow")
    sure: list[str]
    possible: list[str]
    worlds: int | None
    is_all: bool
    """Whether ``possible`` and ``worlds`` are complete."""
    opinion: list[ValuedWords]


# -- jobs, ladders, administration ------------------------------------------------------------------


class JobStarted(BaseModel):
    job: str


class Spread(BaseModel):
    mean: float
    low: float
    high: float


class Report(BaseModel):
    """What ten thousand quick games say of a game's design."""

    games: int
    length: Spread
    branching: float
    decisive: float
    """The share of games in which one role gets more than another; of puzzles, that of games won."""
    seats: dict[str, float]
    """The mean goal value of each role."""


class JobView(BaseModel):
    state: Literal["waiting", "running", "done", "failed"]
    progress: float
    result: Report | None
    error: str | None = None


class RatingRow(BaseModel):
    rank: int
    name: str
    kind: Literal["person", "player"]
    rating: float
    low: float
    high: float
    matches: int


class Leaderboard(BaseModel):
    rows: list[RatingRow]


class GameRating(BaseModel):
    game: str
    title: str
    rating: float
    low: float
    high: float
    matches: int


class PlayerPage(BaseModel):
    name: str
    kind: Literal["person", "player"]
    summary: str
    rank: int | None
    rating: float | None
    low: float | None
    high: float | None
    matches: int
    ratings: list[GameRating]
    recent: list[ListedMatch]


class Act(BaseModel):
    at: int
    name: str
    act: str
    subject: str


class Health(BaseModel):
    status: Literal["ok"]
    version: str
    process: str | None = None
    """The process that answers, of several that share a database, and how many of them there are."""
    processes: int = 1
