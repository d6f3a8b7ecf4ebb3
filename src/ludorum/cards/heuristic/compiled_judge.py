"""The quick judge: conditions as bytecode, minimax and instances (``_core/cards/judge.hpp``)."""

from __future__ import annotations

from collections.abc import Iterator

from ..._core import CardJudge
from ..analysis import ChartAnalysis, ChartProperty, player_symbol
from ..compiled import CompiledCards
from ..language.terms import PASS, Term, format_term, number, operation, subterms
from ..machine.game import CardGame
from ..machine.position import CardPosition
from .config import ThinkingConfig
from .judge import Instance, Judge, Outcome
from .scheme import Absence, Scheme, for_family, properties_of, schemes_of

PLAIN, ROLE, ABSENT = range(3)
_ROLE_MISMATCH = {"ignore": 0, "count_one": 1, "exclude": 2}


class CompiledJudge(Judge):
    """Worlds come as positions or as tables of ``cards``; the same answers as the readable judge."""

    def __init__(self, game: CardGame, analysis: ChartAnalysis | None, config: ThinkingConfig) -> None:
        """NotCompiled where the chart or one of its conditions has no bytecode."""
        players = game.chart.players
        config = for_family(config, analysis, players)
        self.schemes = schemes_of(analysis, players, config)
        properties = properties_of(analysis, players, config)
        seats = [_plain_name(player_symbol(seat, players)) for seat in range(players)]
        cards = {_plain_name(one.name): None for scheme in self.schemes for one in scheme.symbols}
        self.cards = CompiledCards(
            game.chart,
            game.machine.config,
            [one.name for one in (*seats, *cards)],
            [term for scheme in self.schemes for _, term in _conditions(scheme, config)]
            + [_renamed(one.term) for one in properties],
        )
        header = -1 if analysis is None else analysis.main_loop.header
        self.valuation = self._valuation(seats, properties, header, config)
        """The kernel's valuation of positions."""
        self.kernel = CardJudge(self.cards.parts, self.valuation)
        """The kernel, for searches over tables of ``cards``."""

    def outcomes(
        self, world: CardPosition | bytes, me: int, seed: int, keep_states: bool = False
    ) -> dict[Term, Outcome]:
        table = self._table(world)
        names = {
            option: term for term, option in self.cards.options(self.cards.kernel.run(table, seed)).items()
        }
        return {
            names[option]: Outcome(value, states, state if keep_states else None)
            for option, value, states, state in self.kernel.outcomes(table, me, seed, keep_states)
        }

    def value(self, state: CardPosition | bytes, me: int) -> float:
        return self.kernel.value(self._table(state), me)

    def instances(self, state: CardPosition | bytes, me: int) -> list[Instance]:
        return [
            Instance(self.schemes[at], tuple(map(self._card, cards)), count)
            for at, count, cards in self.kernel.instances(self._table(state), me)
        ]

    def _table(self, state: CardPosition | bytes) -> bytes:
        return state if isinstance(state, bytes) else self.cards.table_of(state)

    def _card(self, physical: int) -> Term:
        codes = self.cards.program.codes
        return PASS if physical < 0 else codes.kinds[codes.kind_of[physical]]

    def _valuation(
        self, seats: list[Term], properties: tuple[ChartProperty, ...], header: int, config: ThinkingConfig
    ) -> dict[str, object]:
        addresses = self.cards.program.expressions
        return {
            "heuristics": [self._heuristic(scheme, config) for scheme in self.schemes],
            "seats": [self._slot(one) for one in seats],
            "properties": [addresses[_renamed(one.term)] for one in properties],
            "signs": [1 if one.direction == "max" else -1 for one in properties],
            "role_mismatch": _ROLE_MISMATCH[config.role_mismatch],
            "active_only": config.active_only,
            "decided": config.decided,
            "header": header,
            "passes": config.passes,
            "most_states": config.most_states,
            "most_tries": config.most_tries,
        }

    def _heuristic(self, scheme: Scheme, config: ThinkingConfig) -> dict[str, object]:
        symbols = [_plain_name(one.name) for one in scheme.symbols]
        conditions = []
        for kind, term in _conditions(scheme, config):
            used = set(subterms(term))
            depth = max((at for at, name in enumerate(symbols, start=1) if name in used), default=0)
            conditions.append((depth, kind, self.cards.program.expressions[term]))
        return {
            "weight": scheme.weight,
            "symbols": [
                (self._slot(name), one.seat) for name, one in zip(symbols, scheme.symbols, strict=True)
            ],
            "conditions": conditions,
        }

    def _slot(self, name: Term) -> int:
        return self.cards.program.slots[name.name, 0][0]


def _conditions(scheme: Scheme, config: ThinkingConfig) -> Iterator[tuple[int, Term]]:
    """The kinds of conditions, and their expressions: of absences, how many cards there are."""
    several = config.role_mismatch == "count_one" and config.role_count > 1 and not config.active_only
    for term in scheme.plain:
        yield PLAIN, _renamed(term)
    for term in scheme.roles:
        yield (ABSENT, _renamed(_how_wrong(term, config))) if several else (ROLE, _renamed(term))
    for absent in scheme.absences:
        yield ABSENT, _renamed(_how_many(absent))


def _how_wrong(role: Term, config: ThinkingConfig) -> Term:
    """0 where two players are the same, else the cost of a wrong role."""
    left, right = (Term("playerNumber", (arg,)) for arg in role.args)
    wrong = Term("min", (number(1), Term("abs", (operation("subtract", left, right),))))
    return operation("multiply", number(config.role_count), wrong)


def _how_many(absent: Absence) -> Term:
    return Term("count", (Term("hand", (absent.who,)), absent.template))


def _plain_name(symbol: Term) -> Term:
    """``otherCard(2)`` as a name without brackets: a slot of its own."""
    return Term(format_term(symbol))


_SYMBOLS = {"me", "myCard", "otherCard", "otherPlayer"}


def _renamed(term: Term) -> Term:
    if term.name in _SYMBOLS:
        return _plain_name(term)
    if not term.args:
        return term
    return Term(term.name, tuple(_renamed(arg) for arg in term.args if isinstance(arg, Term)))
