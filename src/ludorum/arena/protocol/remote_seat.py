"""A seat whose player is reached over the network by the GGP protocol.

What is sent is a function of the ``Turn``, which holds only what the role may know. Every answer, or its
absence, becomes a ``Reply``.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType

from ...cards.machine.game import CardGame
from ...cards.wire import write_wired
from ...engine.game import Game
from ...rules.kif import parse_kif
from ...rules.ruleset import format_rule
from ...rules.terms import Term, format_term
from ..match.clocks import Clocks
from ..match.match import ErrorCode, Notice, Reply
from ..match.seat import Briefing, Seat, Turn
from ..records.begin import check_match_id
from .client import ExchangeError, Failure, Sent, exchange, format_request, parse_address
from .dialects import DIALECTS, Dialect, Language
from .messages import (
    Abort,
    Info,
    Message,
    MessageError,
    Ping,
    Play,
    PlayPercepts,
    Preview,
    Start,
    Stop,
    StopPercepts,
)
from .replies import InfoReply, excerpt, parse_info_reply, parse_move_reply
from .scramble import ScrambleError, Scrambler, plain_names

EVERYBODY_SEES_ALL = "(<= (sees ?seer (did ?doer ?move)) (role ?seer) (does ?doer ?move))"
"""The rule that turns a game without hidden information into GDL-II, for players that know nothing else."""

_CODES = {
    Failure.UNREACHABLE: ErrorCode.LOST,
    Failure.LATE: ErrorCode.LATE,
    Failure.BROKEN: ErrorCode.LOST,
}


@dataclass(frozen=True)
class Exchange:
    """One question and its answer, in more detail than the match needs."""

    asked: str
    """The keyword of the message."""
    step: int
    text: str
    """The beginning of the reply, or the failure."""
    seconds: float
    """Counted from the last byte sent."""
    connect_seconds: float
    explanation: str = ""
    taunt: str = ""


class RemoteSeat(Seat):
    """One role, played by the player at an address."""

    follows = True

    def __init__(
        self,
        url: str,
        game: Game,
        *,
        language: Language | None = None,
        dialect: Dialect = DIALECTS["ggp-base"],
        scrambler: Scrambler | None = None,
        method: str = "POST",
        name: str = "",
        rejoin: bool = False,
    ) -> None:
        """``language``: what the player speaks; None for the one the game needs.

        ``scrambler``: other words for the names of the game. ``rejoin``: the player is in the match already
        and must not be started again. ValueError where such a player cannot play such a game.
        """
        self.address = parse_address(url)
        self.name = name or str(self.address)
        self.language = language or _language_of(game)
        self.exchanges: list[Exchange] = []
        _refuse(game, self.language, self.name)
        self._scrambler = scrambler or _plain_names(game)
        self._rules = wire_rules(game, self.language, self._scrambler)
        # A player that is in the match already must be able to recognise a repeated question.
        self._dialect = replace(dialect, match_headers=dialect.match_headers or rejoin)
        self._method = method
        self._rejoin = rejoin
        self._bonus: float | None = None
        self._reached = True
        """Whether it could be reached last time; True for a player that was never tried."""

    # -- the match ------------------------------------------------------------------------------------

    async def start(self, briefing: Briefing) -> Reply:
        check_match_id(briefing.match_id)
        if self._rejoin:
            return Reply(text="already in the match")
        clocks = briefing.clocks
        role = self._scrambler.sentence(briefing.role)
        message = Start(briefing.match_id, role, self._rules, clocks.start, clocks.play)
        try:
            sent = await self._tell_in(briefing, message, clocks.start_limit)
        except ExchangeError as error:
            return _failed(error)
        response, said = sent.response, excerpt(sent.response.body)
        # No host uses what a player says to START; that it answered matters.
        if response.status >= 400:
            return Reply(None, ErrorCode.LOST, f"HTTP {response.status} {said}".rstrip(), sent.seconds)
        if not response.complete:
            return Reply(None, ErrorCode.LOST, f"the reply was cut off: {said}", sent.seconds)
        return Reply(text=said, seconds=sent.seconds)

    async def play(self, turn: Turn) -> Reply:
        briefing, step = turn.briefing, turn.notice.step
        message = self._turn(turn, Play, PlayPercepts)
        try:
            sent = await self._tell_in(briefing, message, briefing.clocks.play_limit, step)
        except ExchangeError as error:
            return _failed(error)
        return self._read_move(sent, step)

    async def stop(self, turn: Turn) -> None:
        message = self._turn(turn, Stop, StopPercepts)
        with suppress(ExchangeError):  # noted in the exchanges; a match that is over needs no answer
            await self._tell_in(turn.briefing, message, turn.briefing.clocks.stop_limit, turn.notice.step)

    async def abort(self, briefing: Briefing) -> None:
        with suppress(ExchangeError):
            await self._tell_in(briefing, Abort(briefing.match_id), briefing.clocks.abort_limit)

    # -- besides the match ----------------------------------------------------------------------------

    async def info(self, clocks: Clocks, seconds: float = 2.0) -> InfoReply | None:
        """What the player says about itself; None where it says nothing, as very old players do."""
        try:
            return parse_info_reply((await self._tell(Info(), clocks, seconds)).response.body)
        except ExchangeError:
            return None

    async def ping(self, clocks: Clocks, seconds: float = 2.0) -> bool:
        """Whether a player answers."""
        try:
            return "ready" in (await self._tell(Ping(), clocks, seconds)).response.body.lower()
        except ExchangeError:
            return False

    async def preview(self, clocks: Clocks, seconds: float) -> bool:
        """Show the rules before the match. Many players drop this message, so silence means nothing."""
        try:
            sent = await self._tell(Preview(self._rules, seconds), clocks, seconds)
        except ExchangeError:
            return False
        return sent.response.body.strip().lower() == "ready"

    # -- the wire -------------------------------------------------------------------------------------

    def _turn(
        self,
        turn: Turn,
        open_form: type[Play] | type[Stop],
        hidden_form: type[PlayPercepts] | type[StopPercepts],
    ) -> Message:
        notice, match_id = turn.notice, turn.briefing.match_id
        game = turn.briefing.game
        if self.language is Language.GDL:
            if notice.step and notice.joint is None:
                raise ValueError(f"{self.name} would have to be told what {game.name} hides")
            return open_form(match_id, None if notice.joint is None else self._all(notice.joint))
        percepts = self._all(_percepts(game, notice))
        if self.language is Language.GDL2_2011:
            return open_form(match_id, percepts if notice.step else None)
        own = None if notice.own is None else self._scrambler.sentence(notice.own)
        return hidden_form(match_id, notice.step, own, percepts)

    def _all(self, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(map(self._scrambler.sentence, terms))

    def _read_move(self, sent: Sent, step: int) -> Reply:
        body, seconds = sent.response.body, sent.seconds
        said = excerpt(body)
        try:
            reply = parse_move_reply(body)
            move = self._scrambler.back(reply.move)
        except (MessageError, ScrambleError) as error:
            if sent.response.status >= 400:
                return Reply(None, ErrorCode.LOST, f"HTTP {sent.response.status} {said}".rstrip(), seconds)
            return Reply(None, ErrorCode.ILLEGAL, f"{said} ({error})" if said else str(error), seconds)
        if reply.explanation or reply.taunt:
            last = self.exchanges[-1]
            self.exchanges[-1] = Exchange(
                last.asked, step, said, seconds, sent.connect_seconds, reply.explanation, reply.taunt
            )
        # In the words of the game, also where the player was told others.
        remarks = (("explanation", reply.explanation), ("taunt", reply.taunt))
        text = " ".join([format_term(move), *(f'({kind} "{said}")' for kind, said in remarks if said)])
        return Reply(move, text=excerpt(text), seconds=seconds)

    async def _tell_in(self, briefing: Briefing, message: Message, seconds: float, step: int = 0) -> Sent:
        tags = self._dialect.tags(briefing.match_id, step, briefing.players)
        return await self._tell(message, briefing.clocks, seconds, step, tags)

    async def _tell(
        self,
        message: Message,
        clocks: Clocks,
        seconds: float,
        step: int = 0,
        tags: Mapping[str, str] = MappingProxyType({}),
    ) -> Sent:
        asked = type(message).__name__.lower().removesuffix("percepts")
        body = self._dialect.write(message)
        headers = {**self._dialect.headers(self.address, self.name), **tags}
        request = format_request(self.address, body, headers, self._method)
        if self._bonus is None:
            self._bonus = clocks.connect_bonus
        connect = clocks.connect + self._bonus
        try:
            sent = await exchange(
                self.address,
                request,
                connect_seconds=connect,
                reply_seconds=seconds,
                retry=self._reached,
            )
        except ExchangeError as error:
            self._reached = error.failure is not Failure.UNREACHABLE
            if not self._reached:
                self._bonus = 0.0
            self.exchanges.append(Exchange(asked, step, str(error), error.seconds, 0.0))
            raise
        self._reached = True
        self._bonus -= min(self._bonus, max(0.0, sent.connect_seconds - clocks.connect))
        self.exchanges.append(
            Exchange(asked, step, excerpt(sent.response.body), sent.seconds, sent.connect_seconds)
        )
        return sent


def wire_rules(game: Game, language: Language, scrambler: Scrambler) -> str:
    """The rules as they are sent: one line, no comments, with sight of all moves where a player needs it."""
    if isinstance(game, CardGame):
        return write_wired(game)
    assert game.rules is not None
    rules = game.rules
    if language is not Language.GDL and not _is_hidden(game):
        rules = rules.with_rules((*rules.rules, *parse_kif(EVERYBODY_SEES_ALL).rules))
    return " ".join(" ".join(format_rule(rule).split()) for rule in scrambler.rules(rules).rules)


def _plain_names(game: Game) -> Scrambler:
    """Names that any peer can read; those of a chart stay: only players of ours are sent charts."""
    return Scrambler({}, strict=False) if game.rules is None else plain_names(game.rules)


def _percepts(game: Game, notice: Notice) -> tuple[Term, ...]:
    if _is_hidden(game) or notice.joint is None:
        return notice.percepts
    return tuple(Term("did", (role, move)) for role, move in zip(game.roles, notice.joint, strict=True))


def _is_hidden(game: Game) -> bool:
    return not game.info.is_open


def _language_of(game: Game) -> Language:
    return Language.GDL2 if _is_hidden(game) else Language.GDL


def _refuse(game: Game, language: Language, name: str) -> None:
    if game.rules is None and not isinstance(game, CardGame):
        raise ValueError(f"{game.name} has no rules that could be sent to {name}")
    if language is Language.GDL and _is_hidden(game):
        raise ValueError(
            f"{game.name} hides something, and {name} speaks GDL-I only: it would have to be told every "
            f"move; take a player that speaks GDL-II, or a game in which all is open"
        )


def _failed(error: ExchangeError) -> Reply:
    return Reply(None, _CODES[error.failure], excerpt(str(error)), error.seconds)
