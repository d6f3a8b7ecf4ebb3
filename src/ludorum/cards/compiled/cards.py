"""A compiled card game: tables as bytes, from positions and back, and many random games a second."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..._core import CardKernel
from ..language.config import USUAL, MachineConfig
from ..language.deck import SUITS, fits
from ..language.melds import low_value
from ..language.rules import Rules
from ..language.terms import PASS, Term
from ..machine.position import DISCARD, PACK, PACK_INDEX, STACK, CardPosition
from .bytecode import compile_program
from .codes import CARD, UNSET
from .program import BOTTOM, NotCompiled, Program, point_values, rank_values

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
    """The results of many random games; goals and scores by player, on average."""

    games: int
    decisions: int
    options: int
    steps: int
    broken_off: int
    goals: tuple[float, ...]
    scores: tuple[float, ...]


class CompiledCards:
    """The fast machine of a chart. A table is ``bytes``; an option is a card's number, -1 or a choice."""

    def __init__(
        self,
        rules: Rules,
        config: MachineConfig = USUAL,
        symbols: Sequence[str] = (),
        expressions: Iterable[Term] = (),
    ) -> None:
        """``symbols`` and ``expressions``: see ``compile_program``."""
        self.program: Program = compile_program(rules, None, symbols, expressions)
        self.config = config
        self.parts = _parts(self.program, config)
        """The arguments of the kernel, for others that run the same program."""
        self.kernel = CardKernel(self.parts)
        self._addresses = self.program.addresses
        self._names = _slot_names(self.program)
        self._first_slots = _first_slots(self.program)
        self._known_slots: dict[Term, int | None] = {}
        self._known_codes: dict[Term, int] = {}
        codes = self.program.codes
        self._physical: dict[Term, list[int]] = {}  # the lowest last, to be taken first
        for card in range(len(codes.kind_of) - 1, -1, -1):
            self._physical.setdefault(codes.kinds[codes.kind_of[card]], []).append(card)

    def random_games(self, count: int, seed: int = 0) -> RandomGames:
        """Games from the start with random moves; CardsError where the chart fails."""
        return self._tally(self.kernel.random_games(count, seed))

    def playouts(self, table: bytes, count: int, seed: int = 0) -> RandomGames:
        """The same from a table."""
        return self._tally(self.kernel.playouts(table, count, seed))

    def table_of(self, position: CardPosition) -> bytes:
        """A position between two steps as a table: its node is done next."""
        slots = list(self._first_slots)
        templates: dict[int, list[int]] = {}
        for name, value in position.variables.items():
            if (name.name, len(name.args)) in self.program.templates:
                templates[self._template_of(name)] = self._fitting(value)
                continue
            at = self._slot_of(name)
            if at is not None:
                slots[at] = self._code(value)
        return self.kernel.pack(
            self._addresses[position.node], slots, self._places(position), position.decisions, templates
        )

    def position_of(self, table: bytes) -> dict[str, object]:
        """The contents of a table, in terms: node, variables and places (the pack as the set of undrawn
        cards)."""
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
        """The options of the player that is asked, with the machine's numbers for them."""
        codes = self.program.codes
        found = self.kernel.unpack(table)
        if found["status"] == 2:
            return {codes.term(code): at for at, code in enumerate(found["options_of_choice"])}
        return {
            PASS if card < 0 else codes.kinds[codes.kind_of[card]]: card
            for card in self.kernel.options(table)
        }

    def _slot_of(self, name: Term) -> int | None:
        """The slot of a variable, cached: players make tables of many worlds."""
        if name not in self._known_slots:
            self._known_slots[name] = self._find_slot(name)
        return self._known_slots[name]

    def _code(self, value: Term) -> int:
        found = self._known_codes.get(value)
        if found is None:
            found = self._known_codes[value] = self.program.codes.code(value)
        return found

    def _find_slot(self, name: Term) -> int | None:
        codes, first = self.program.codes, len(self.program.initial)
        if name.name in ("rankValue", "pointValue"):
            ranks = list(rank_values(codes))
            code = codes.part(name, 0)
            if name.name == "rankValue":
                return first + ranks.index(code)
            points_at = first + len(ranks)
            if code & 7 == CARD:
                return points_at + (code >> 3)
            if code in ranks:
                return points_at + len(codes.kinds) + ranks.index(code)
            suits = list(dict.fromkeys(codes.part(card, 1) for card in codes.kinds))
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

    def _places(self, position: CardPosition) -> list[list[int]]:
        """Physical cards by place: of equal cards any."""
        free = {kind: list(cards) for kind, cards in self._physical.items()}
        found: list[list[int]] = [[] for _ in self.program.places]
        known = [one for one in position.order[position.index :] if one is not None]
        below = _below(position) if BOTTOM in self.program.places else []
        in_pack = [*position.undrawn, *known[: len(known) - len(below)]]
        for place, at in self.program.places.items():
            cards = in_pack if place is PACK else below if place is BOTTOM else position.cards(place)
            found[at] = [free[card].pop() for card in cards]
        return found

    def _tally(self, found: dict[str, object]) -> RandomGames:
        from ..language.faults import CardsError

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


def _below(position: CardPosition) -> list[Term]:
    """The cards that lie in the pack below all undrawn ones, in their order."""
    found: list[Term] = []
    for one in reversed(position.order[position.index :]):
        if one is None:
            break
        found.append(one)
    return found[::-1]


def _first_slots(program: Program) -> list[int]:
    """All slots of a new game: variables, the order of ranks, and no points of the chart's own."""
    codes = program.codes
    ranks = rank_values(codes)
    suits = {codes.part(card, 1) for card in codes.kinds}
    return [*program.initial, *ranks.values(), *[UNSET] * (len(codes.kinds) + len(ranks) + len(suits))]


def _slot_names(program: Program) -> dict[int, Term]:
    from ..language.language import Type

    found: dict[int, Term] = {}
    for (name, arity), (begin, size, kind) in program.slots.items():
        for at in range(size):
            index = program.codes.index_term(at, size, kind is Type.PLAYER)
            found[begin + at] = Term(name) if arity == 0 else Term(name, (index,))
    return found


def _most_decisions(program: Program, config: MachineConfig) -> int:
    own = program.rules.decision_limit
    return min(config.most_decisions if own is None else own, 2**31 - 1)


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
        "bottom": program.places.get(BOTTOM, -1),
        "score": slot("score"),
        "remaining": slot("cardsRemaining"),
        "middle": slot("middle"),
        "passed": slot("passed"),
        "team": slot("team"),
        "dealt": slot("numberOfCards", 0),
        "index": slot(PACK_INDEX.name, 0),
        "recycle": config.recycle,
        "recycle_slot": program.slots["recycle", 0][0] if ("recycle", 0) in program.slots else -1,
        "most_decisions": _most_decisions(program, config),
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
