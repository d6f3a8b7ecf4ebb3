"""A compiled card game: tables as bytes, from positions and back, and many random games a second."""

from __future__ import annotations

from dataclasses import dataclass

from ..._core import CardKernel
from ..deck import SUITS, fits
from ..machine import USUAL, MachineConfig
from ..melds import low_value
from ..position import DISCARD, PACK, PACK_INDEX, STACK, Position
from ..rules import Rules
from ..terms import PASS, Term
from .bytecode import NotCompiled, Program, compile_program, point_values, rank_values
from .codes import UNSET

FAULTS = (
    "",
    "a variable has no value yet",
    "a whole number is needed",
    "a player is needed",
    "a card is needed",
    "a number is out of range",
    "nobody can move: no card fits",
    "there are not enough cards",
    "nothing is divided by 0",
    "the chart goes round in a circle",
    "a condition is neither true nor false",
    "an expression is too deep",
    "this is not in the pack",
)


@dataclass(frozen=True)
class RandomGames:
    """What many random games came to; goals and scores by player, on average."""

    games: int
    decisions: int
    options: int
    steps: int
    broken_off: int
    goals: tuple[float, ...]
    scores: tuple[float, ...]


class CompiledCards:
    """The fast machine of a chart. A table is ``bytes``; an option is a card's number, -1 or a choice."""

    def __init__(self, rules: Rules, config: MachineConfig = USUAL) -> None:
        self.program: Program = compile_program(rules)
        self.config = config
        self.kernel = CardKernel(_parts(self.program, config))
        self._addresses = self.program.addresses
        self._names = _slot_names(self.program)

    def random_games(self, count: int, seed: int = 0) -> RandomGames:
        """Games from the start with random moves; CardsError where the chart fails."""
        return self._tally(self.kernel.random_games(count, seed))

    def playouts(self, table: bytes, count: int, seed: int = 0) -> RandomGames:
        """The same from a table."""
        return self._tally(self.kernel.playouts(table, count, seed))

    def table_of(self, position: Position) -> bytes:
        """A position between two steps as a table: its node is done next."""
        codes = self.program.codes
        slots = list(self.program.initial)
        slots += [rank_values(codes)[code] for code in rank_values(codes)]
        ranks = list(rank_values(codes))
        suits = list(dict.fromkeys(codes.part(card, 1) for card in codes.kinds))
        points_at = len(slots)
        slots += [UNSET] * (len(codes.kinds) + len(ranks) + len(suits))
        templates: dict[int, list[int]] = {}
        for name, value in position.variables.items():
            if (name.name, len(name.args)) in self.program.templates:
                templates[self._template_of(name)] = self._fitting(value)
                continue
            at = self._slot_of(name, ranks, suits, points_at)
            if at is not None:
                slots[at] = codes.code(value)
        return self.kernel.pack(
            self._addresses[position.node], slots, self._places(position), position.decisions, templates
        )

    def position_of(self, table: bytes) -> dict[str, object]:
        """What a table holds, in terms: node, variables and places (the pack as the set of undrawn cards)."""
        found = self.kernel.unpack(table)
        codes = self.program.codes
        variables = {
            name: codes.term(found["slots"][at])
            for at, name in self._names.items()
            if found["slots"][at] != UNSET and codes.term(found["slots"][at]) is not name
        }
        places = {
            place: tuple(codes.kinds[codes.kind_of[card]] for card in found["places"][at])
            for place, at in self.program.places.items()
        }
        return {**found, "variables": variables, "places": places}

    def options(self, table: bytes) -> dict[Term, int]:
        """What the player that is asked may do, with the numbers the machine knows it by."""
        codes = self.program.codes
        found = self.kernel.unpack(table)
        if found["status"] == 2:
            return {codes.term(code): at for at, code in enumerate(found["options_of_choice"])}
        return {
            PASS if card < 0 else codes.kinds[codes.kind_of[card]]: card
            for card in self.kernel.options(table)
        }

    def _slot_of(self, name: Term, ranks: list[int], suits: list[int], points_at: int) -> int | None:
        codes = self.program.codes
        if name.name == "rankValue":
            return len(self.program.initial) + ranks.index(codes.part(name, 0))
        if name.name == "pointValue":
            code = codes.part(name, 0)
            if code & 7 == 2:
                return points_at + (code >> 3)
            if code in ranks:
                return points_at + len(codes.kinds) + ranks.index(code)
            return points_at + len(codes.kinds) + len(ranks) + suits.index(code)
        found = self.program.slots.get((name.name, len(name.args)))
        if found is None:
            return None
        if not name.args:
            return found[0]
        assert isinstance(name.args[0], Term)
        return found[0] + codes.index(name.args[0], found[1])

    def _template_of(self, name: Term) -> int:
        begin, size = self.program.templates[name.name, len(name.args)]
        if not name.args:
            return begin
        assert isinstance(name.args[0], Term)
        return begin + self.program.codes.index(name.args[0], size)

    def _fitting(self, template: Term) -> list[int]:
        codes = self.program.codes
        return [card for card, kind in enumerate(codes.kind_of) if fits(codes.kinds[kind], template)]

    def _places(self, position: Position) -> list[list[int]]:
        """Physical cards by place: of equal cards any."""
        codes = self.program.codes
        free: dict[Term, list[int]] = {}
        for card in range(len(codes.kind_of) - 1, -1, -1):
            free.setdefault(codes.kinds[codes.kind_of[card]], []).append(card)
        found: list[list[int]] = [[] for _ in self.program.places]
        known = [one for one in position.order[position.index :] if one is not None]
        for place, at in self.program.places.items():
            cards = (*position.undrawn, *known) if place is PACK else position.cards(place)
            found[at] = [free[card].pop() for card in cards]
        return found

    def _tally(self, found: dict[str, object]) -> RandomGames:
        from ..faults import CardsError

        if found["failed"]:
            fault, node = found["fault"], found["fault_node"]
            assert isinstance(fault, int)
            assert isinstance(node, int)
            raise CardsError(f"{FAULTS[fault]} in {self.program.rules.caption(node)}", node)
        games = found["games"]
        assert isinstance(games, int)
        goals, scores = found["goals"], found["scores"]
        assert isinstance(goals, list)
        assert isinstance(scores, list)
        counts = {key: found[key] for key in ("decisions", "options", "steps", "broken_off")}
        return RandomGames(
            games,
            goals=tuple(goal / games for goal in goals),
            scores=tuple(score / games for score in scores),
            **counts,  # type: ignore[arg-type]
        )


def _slot_names(program: Program) -> dict[int, Term]:
    from ..language import Type

    found: dict[int, Term] = {}
    for (name, arity), (begin, size, kind) in program.slots.items():
        for at in range(size):
            index = program.codes.index_term(at, size, kind is Type.PLAYER)
            found[begin + at] = Term(name) if arity == 0 else Term(name, (index,))
    return found


def _parts(program: Program, config: MachineConfig) -> dict[str, object]:
    codes = program.codes
    kinds = codes.kinds
    ranks = rank_values(codes)

    def slot(name: str, arity: int = 1) -> int:
        return program.slots[name, arity][0]

    return {
        "code": program.code,
        "initial": program.initial,
        "players": program.players,
        "places": len(program.places),
        "templates": sum(size for _, size in program.templates.values()),
        "stack": program.places[STACK],
        "discard": program.places[DISCARD],
        "pack": program.places[PACK],
        "score": slot("score"),
        "remaining": slot("cardsRemaining"),
        "middle": slot("middle"),
        "passed": slot("passed"),
        "team": slot("team"),
        "dealt": slot("numberOfCards", 0),
        "index": slot(PACK_INDEX.name, 0),
        "recycle": config.recycle,
        "most_decisions": config.most_decisions,
        "kind_of": codes.kind_of,
        "rank_of": [codes.part(card, 0) for card in kinds],
        "suit_of": [codes.part(card, 1) for card in kinds],
        "suits": [codes.code(suit) for suit in SUITS],
        "rank_codes": list(ranks),
        "rank_values": list(ranks.values()),
        "points": point_values(codes),
        "low_values": [low_value(card) for card in kinds],
    }


__all__ = ["CompiledCards", "NotCompiled", "RandomGames"]
