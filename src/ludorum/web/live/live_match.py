"""A live match: what its events have made of it.

``apply`` takes an event and never refuses one: whether it may happen is checked before, by the methods that
begin with ``check``. No rules are asked here, so that a match is rebuilt from a journal at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .chat import Chat
from .clocks import RoleClocks
from .events import (
    Advance,
    Answered,
    Began,
    Chatted,
    Created,
    End,
    Ended,
    Joint,
    MatchEvent,
    Moved,
    Offered,
    Premoved,
    Rematched,
    Reopened,
    Seated,
    What,
    WorldEvents,
)
from .offers import Offers, TableOffer
from .plan import Json, MatchPlan, Refused
from .seats import Seats

WHOLE = 100
"""The goal values of all roles together, where people and not the rules decide."""
OFFERED_WHILE_PLAYING: tuple[What, ...] = ("draw", "takeback", "pause")


@dataclass(frozen=True)
class Note:
    """Something that went wrong with a player of the server, for the people at the match."""

    step: int
    role: str
    text: str


class LiveMatch:
    """One match; changed by ``apply`` alone."""

    def __init__(self, plan: MatchPlan, at: float) -> None:
        self.plan = plan
        self.id = plan.id
        self.seats = Seats(plan.seats)
        self.offers = Offers()
        self.chat = Chat(plan.chat)
        self.clocks: RoleClocks | None = None
        self.joints: list[Joint] = []
        self.times: list[float] = [at]
        """When each state was reached."""
        self.world: list[Json] = []
        """What has happened in a realtime match, as its record has it."""
        self.choosers: list[frozenset[str]] = []
        """The roles that had a choice in each step."""
        self.choosing: tuple[str, ...] = ()
        """The roles that have a choice now."""
        self.chosen: dict[str, str] = {}
        """Moves of this step that nobody else may know yet."""
        self.premoves: dict[str, str] = {}
        self.dropped: dict[str, str] = {}
        """Prepared moves that were not legal when their time came, until the role has moved."""
        self.notes: list[Note] = []
        self.end: End | None = None
        self.is_paused = False
        self.has_begun = False
        self.rematch: str | None = None
        self.rematch_is_agreed: TableOffer | None = None
        """Set where all agree on another match that is not made yet."""
        self.takebacks = 0
        """Counts what was taken back: the same step may be reached by other moves."""
        self.last_at = at
        self.events = 1
        """How many events have made the match; the number of the next one."""

    @classmethod
    def rebuilt(cls, events: Iterable[MatchEvent]) -> LiveMatch:
        """The match of some events; ValueError where the first one does not create it."""
        match: LiveMatch | None = None
        for event in events:
            if match is None:
                if not isinstance(event, Created):
                    raise ValueError(f"a match begins by being created, not by {event.kind}")
                match = cls(event.plan, event.at)
            else:
                match.apply(event)
        if match is None:
            raise ValueError("a match without events")
        return match

    # -- what it is -------------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """How many joint moves have been made; in a realtime match how many moves."""
        return len(self.joints) + sum("moves" in event for event in self.world)

    @property
    def version(self) -> tuple[int, int]:
        """Changes with every step, also where one is taken back."""
        return self.takebacks, self.step

    @property
    def is_over(self) -> bool:
        return self.end is not None

    @property
    def is_running(self) -> bool:
        """Whether moves can be made now."""
        return self.has_begun and not self.is_over and not self.is_paused

    @property
    def to_move(self) -> list[str]:
        """Roles whose choice is awaited."""
        return [role for role in self.choosing if role not in self.chosen]

    @property
    def state(self) -> str:
        """``open``, ``live`` or ``over``: for lists of matches."""
        return "over" if self.is_over else "live" if self.has_begun else "open"

    # -- what may happen --------------------------------------------------------------------------------

    def check_running(self) -> None:
        """Refused where no move can be made now."""
        if self.is_over:
            raise Refused("the match is over")
        if not self.has_begun:
            raise Refused("the match has not begun: a seat is still open")
        if self.is_paused:
            raise Refused("the match is paused")

    def check_move(self, role: str, step: object) -> None:
        """Refused where a role cannot choose now; whether its move is legal is not asked here."""
        self.check_running()
        if step != self.step:
            raise Refused("the match has moved on: this choice belongs to another step")
        if role not in self.choosing:
            raise Refused(f"{role} has nothing to choose now")
        if role in self.chosen:
            raise Refused(f"{role} has chosen already")

    def check_offer(self, role: str, what: What, hides: bool, has_chance: bool) -> TableOffer:
        """The offer that a role may make; Refused where it may not."""
        others = frozenset(self.seats.others(role))
        offer = TableOffer(what, role, others)
        if what == "rematch":
            if not self.is_over:
                raise Refused("another match is offered when this one is over")
            if self.rematch is not None:
                raise Refused("the next match is there already")
            return offer
        if what == "resume":
            if self.is_over or not self.is_paused:
                raise Refused("the match is not paused")
            return offer
        self.check_running()
        if what == "draw" and not others:
            raise Refused("the players of this server never agree to a draw")
        if what == "draw" and self.seats.players:
            raise Refused("a draw needs the agreement of all, and players of this server never agree")
        if what == "takeback":
            if hides:
                raise Refused("nothing can be taken back where something is hidden: what was told stays told")
            if has_chance:
                raise Refused("nothing can be taken back where there is chance: what comes would be known")
            if self.seats.remotes:
                told = next(iter(self.seats.remotes.values()))
                raise Refused(f"nothing can be taken back: {told} was told of every move")
            if self.takeback_target(role) is None:
                raise Refused("there is no move to take back")
        return offer

    def takeback_target(self, role: str) -> int | None:
        """The number of steps that stay when the last choice of a role is taken back; None where it had
        none."""
        if role in self.chosen:
            return self.step
        made = (at for at in range(self.step - 1, -1, -1) if role in self.choosers[at])
        return next(made, None)

    # -- what happens -----------------------------------------------------------------------------------

    def apply(self, event: MatchEvent) -> None:
        """Take an event that was accepted."""
        match event:
            case Seated():
                self.seats.take(event.role, event.user, event.name)
            case Began():
                self._begin(event)
            case Moved():
                self._move(event)
            case WorldEvents():
                self.world.extend(event.events)
            case Premoved():
                self._premove(event)
            case Offered():
                others = frozenset(self.seats.others(event.role))
                if self.offers.make(TableOffer(event.what, event.role, others, event.swap)):
                    self._agree(TableOffer(event.what, event.role, frozenset(), event.swap), event.at)
            case Answered():
                self._answer(event)
            case Ended():
                self._finish(event.end, event.at)
            case Rematched():
                self.rematch, self.rematch_is_agreed = event.id, None
                self.offers.drop("rematch")
            case Chatted():
                self.chat.add(event.by, event.text)
            case Reopened():
                if self.clocks is not None:
                    self.clocks.forgive(self.last_at, event.at)
        self.last_at = event.at
        self.events += 1

    def _begin(self, event: Began) -> None:
        self.has_begun = True
        if self.plan.base is not None:
            self.clocks = RoleClocks(self.seats.persons, self.plan.base, self.plan.increment)
        self._advance(event.advance, event.at, frozenset())

    def _premove(self, event: Premoved) -> None:
        self._forget_premove(event.role)
        if event.move is not None:
            self.premoves[event.role] = event.move
        elif event.dropped is not None:
            self.dropped[event.role] = event.dropped

    def _forget_premove(self, role: str) -> None:
        self.premoves.pop(role, None)
        self.dropped.pop(role, None)

    def _move(self, event: Moved) -> None:
        self._forget_premove(event.role)
        self.chosen[event.role] = event.move
        if event.fault:
            self.notes.append(Note(self.step + 1, event.role, event.fault))
        if self.clocks is not None:
            self.clocks.run(self.to_move, event.at)
            self.clocks.add_increment(event.role)
        if event.advance is not None:
            self._advance(event.advance, event.at, frozenset(self.choosing))

    def _advance(self, advance: Advance, at: float, choosers: frozenset[str]) -> None:
        for number, joint in enumerate(advance.joints):
            self.joints.append(joint)
            self.times.append(at)
            self.choosers.append(frozenset() if number else choosers)
        self.chosen.clear()
        self.offers.drop(*OFFERED_WHILE_PLAYING)
        if advance.end is not None:
            self._finish(advance.end, at)
        else:
            self._ask(advance.choosing, at)

    def _ask(self, roles: tuple[str, ...], at: float) -> None:
        self.choosing = roles
        if self.clocks is not None:
            self.clocks.run(self.to_move, at)

    def _finish(self, end: End, at: float) -> None:
        self.end = end
        self.is_paused = False
        self.premoves.clear()
        self.dropped.clear()
        self.chosen.clear()
        self.offers.drop("draw", "takeback", "pause", "resume")
        self._ask((), at)

    def _answer(self, event: Answered) -> None:
        offer = self.offers.get(event.what)
        if offer is None:
            return
        if not event.accept:
            self.offers.drop(event.what)
        elif self.offers.accept(event.role, event.what):
            self._agree(offer, event.at)

    def _agree(self, offer: TableOffer, at: float) -> None:
        """Do what all have agreed on."""
        match offer.what:
            case "draw":
                self._finish(End("draw", shares(self.seats.all, ())), at)
            case "pause":
                self.is_paused = True
                if self.clocks is not None:
                    self.clocks.run((), at)
            case "resume":
                self.is_paused = False
                self._ask(self.choosing, at)
            case "takeback":
                self._take_back(offer.by, at)
            case "rematch":
                self.rematch_is_agreed = offer

    def _take_back(self, role: str, at: float) -> None:
        target = self.takeback_target(role)
        if target is None:
            return
        roles = self.choosing
        if target < self.step:
            roles = tuple(one for one in self.seats.all if one in self.choosers[target])
        del self.joints[target:], self.choosers[target:], self.times[target + 1 :]
        self.notes = [note for note in self.notes if note.step <= target]
        self.chosen.clear()
        self.premoves.clear()
        self.dropped.clear()
        self.takebacks += 1
        self.offers.drop(*OFFERED_WHILE_PLAYING)
        self._ask(roles, at)


def shares(roles: Iterable[str], losers: Iterable[str]) -> dict[str, int]:
    """Goal values where people decide: nothing for those that lost, and the same for all others.

    >>> shares(["red", "yellow"], ["red"])
    {'red': 0, 'yellow': 100}
    """
    lost = set(losers)
    all_roles = list(roles)
    others = len(all_roles) - len(lost & set(all_roles))
    return {role: 0 if role in lost else WHOLE // others for role in all_roles}
