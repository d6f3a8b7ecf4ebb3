"""``ludorum rehearse``: a player as a host sees it, without a host and without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    STRONGEST,
    GameArgument,
    JsonOption,
    LenientOption,
    SeedOption,
    clock_option,
    player_option,
    print_json,
    readable_errors,
    show_log,
)

if TYPE_CHECKING:
    from ..arena.match.match import Match
    from ..engine.game import Game
    from ..players import Guard
    from ..rules.terms import Term

DEFAULT_CLOCK = "100,60"
HELP = """\
  play         ask the player for its move; the others move at random
  play MOVES   the same, the others making these moves, in the order of their roles: play (mark 1 1)
  help         this text
  quit         leave"""


def run(
    game: GameArgument,
    who: Annotated[
        str | None, player_option("--as", f"the player; without it asp, and {STRONGEST} for charts")
    ] = None,
    role: Annotated[str | None, typer.Option("--role", help="which role it plays; the first one")] = None,
    clock: Annotated[str, clock_option()] = DEFAULT_CLOCK,
    seed: SeedOption = 0,
    lenient: LenientOption = False,
    as_json: JsonOption = False,
) -> None:
    """Try a player out: every message it would get is shown, and it moves when you type ``play``."""
    from ..arena.match.match import Match
    from ..arena.protocol import format_message
    from ..arena.protocol.messages import Start
    from ..cards.machine.game import CardGame
    from ..engine.load import load_game
    from ..players import Guard, make_player
    from .match_text import clocks_from

    show_log()
    with readable_errors(as_json):
        loaded = load_game(game, "auto", lenient)
        start_clock, play_clock = clocks_from(clock, None, DEFAULT_CLOCK)
        own = loaded.info.players[0] if role is None else loaded.role(role)
        if own not in loaded.info.players:
            raise ValueError(f"{own} is played by chance; name another role")
        is_chart = isinstance(loaded, CardGame)
        guard = Guard(make_player(who or (STRONGEST if is_chart else "asp"), seed))
        match = Match(loaded, seed, match_id="rehearsal")
        rules = _rules_text(loaded)
        start = Start(match.match_id, own, rules, start_clock, play_clock)
        session = _Rehearsal(match, own, guard, play_clock, as_json)
        try:
            session.say({"message": format_message(start)}, format_message(start))
            guard.start(loaded, own, start_clock)
            session.say({"reply": "ready", "trouble": guard.trouble}, guard.trouble or "ready")
            session.listen()
        finally:
            guard.stop()
            close = getattr(loaded, "close", None)
            if close is not None:
                close()


def _rules_text(game: Game) -> str:
    """The rules as a host sends them, on one line."""
    from ..cards.machine.game import CardGame
    from ..cards.wire import write_wired
    from ..rules.ruleset import format_kif

    if isinstance(game, CardGame):
        return write_wired(game)
    assert game.rules is not None
    return " ".join(format_kif(game.rules.as_sent).split())


class _Rehearsal:
    """A match in which the person types when the next move is due."""

    def __init__(self, match: Match, role: Term, guard: Guard, seconds: float, as_json: bool) -> None:
        self.match = match
        self.role = role
        self.guard = guard
        self.seconds = seconds
        self.as_json = as_json

    @property
    def game(self) -> Game:
        return self.match.game

    def say(self, value: dict[str, object], text: str) -> None:
        if self.as_json:
            print_json(value)
        else:
            typer.echo(text)

    def listen(self) -> None:
        from ..arena.match.goals_text import goals_text

        while not self.match.is_over:
            try:
                word, _, rest = input("" if self.as_json else "rehearse> ").strip().partition(" ")
            except EOFError:
                return
            if word == "quit":
                return
            if word == "play":
                try:
                    self._play(rest)
                except ValueError as error:
                    self.say({"error": str(error)}, str(error))
            elif word:
                self.say({"help": HELP}, HELP)
        goals = dict(zip(map(str, self.game.roles), self.match.state.goals(), strict=True))
        self.say({"goals": goals}, f"over after {len(self.match.moves)} moves: {goals_text(goals.items())}")

    def _play(self, typed: str) -> None:
        from .._core import SplitMix64
        from ..engine.sight import position_of

        state = self.match.state
        others = [role for role in self.game.info.players if role is not self.role]
        moves = dict(zip(others, self._read(typed, others), strict=True)) if typed else {}
        asked = self._message()
        self.say({"message": asked}, asked)
        answer = self.guard.choose(position_of(state, self.role), self.seconds)
        chance = SplitMix64((self.match.seed + len(self.match.moves)) % 2**64)
        for role in others:
            legal = state.legal(role)
            moves.setdefault(role, legal[chance.below(len(legal))])
        self.match.play(moves | {self.role: answer.move})
        decision = self.guard.player.decision
        found: dict[str, object] = {"reply": str(answer.move), "fault": answer.fault}
        note = f"   [{answer.fault}]" if answer.fault else ""
        if decision is not None:
            found |= {"value": decision.value, "proven": decision.proven}
            note = note or f"   (value {decision.value:g}{', proved' if decision.proven else ''})"
        self.say(found, f"{answer.move}{note}")

    def _message(self) -> str:
        """The message that a host would send now: the joint move, or percepts where something is hidden."""
        from ..arena.protocol import format_message
        from ..arena.protocol.messages import Play, PlayPercepts

        notice = self.match.notice(self.role)
        if self.match.game.tells_joint_moves:
            return format_message(Play(self.match.match_id, notice.joint))
        return format_message(PlayPercepts(self.match.match_id, notice.step, notice.own, notice.percepts))

    def _read(self, typed: str, others: list[Term]) -> tuple[Term, ...]:
        from ..rules.kif import parse_term

        terms = parse_term(f"(moves {typed})").args
        if len(terms) != len(others):
            names = ", ".join(map(str, others))
            raise ValueError(f"play needs a move of each of the others, {names}, or none at all")
        for role, move in zip(others, terms, strict=True):
            if move not in self.match.state.legal(role):
                raise ValueError(f"{move} is not legal for {role}")
        return terms  # type: ignore[return-value]
