"""The chart run by clingo: an oracle for the machine, with the same questions to the host.

As in the thesis, the host calls the program with what is known, the program goes on as far as it can, and
where it stops the host adds what was missing and calls again. A step is grounded when those before it are
facts, so nothing has to be guessed; ``max_steps`` bounds how far a call goes and changes nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import clingo

from ...asp.control import Remarks, make_control
from ..language.config import USUAL, MachineConfig
from ..language.deck import counted, sorted_cards, standard_pack
from ..language.faults import CardsError
from ..language.rules import Rules
from ..language.terms import PASS, Term, format_term, player_number
from ..machine.position import CardPosition, opening
from ..machine.reasons import Finished, MaxStep, NeedMove, NeedRandom, NeedShuffle, Publish, Reason
from ..machine.statements import fill_in
from .chart_facts import card_facts, chart_facts, missing_words, needed_sections, variable_rules
from .names import asp_text, term_of

PROGRAM = Path(__file__).with_name("control.lp")
STEPS_A_CALL = 4
"""Steps of one call: a model holds all of them, so that long calls get slower with every step."""


@dataclass(frozen=True)
class ControlState:
    """The state of a game: the step and its node, what holds before it, and the host's answers."""

    step: int
    node: int
    facts: frozenset[str]
    answers: tuple[str, ...] = ()
    is_finished: bool = False
    asked: Reason | None = None


@dataclass(frozen=True)
class Passed:
    """A step that is over: its node and the variables before it."""

    step: int
    node: int
    variables: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.step} {self.node} " + " ".join(f"{name}={value}" for name, value in self.variables)


class Control:
    """Game control by a logic program."""

    def __init__(self, rules: Rules, config: MachineConfig = USUAL) -> None:
        missing = missing_words(rules)
        if missing:
            raise CardsError(f"the program has no rules for {', '.join(missing)}")
        self.rules = rules
        self._text = chart_facts(rules, config)
        self._program = needed_sections(PROGRAM.read_text(encoding="utf-8"), rules) + variable_rules(rules)

    def start(self) -> ControlState:
        """Before the first step, with the variables every game begins with."""
        position = opening(self.rules.start, self.rules.players)
        facts = {
            f"variable({asp_text(name)},{asp_text(value)})" for name, value in position.variables.items()
        }
        facts |= {f"packOf({asp_text(card)},{count})" for card, count in counted(position.composition)}
        return ControlState(0, self.rules.start, frozenset(facts | {"packSize(0)", "decisions(0)"}))

    def advance(self, state: ControlState, max_steps: int = 0) -> tuple[ControlState, Reason, list[Passed]]:
        """Goes on as far as it can: where it stopped, why, and the steps that are over."""
        if state.is_finished:
            return state, Finished(state.step), []
        trace: list[Passed] = []
        cards: frozenset[Term] = frozenset()
        while not max_steps or len(trace) < max_steps:
            before, cards = cards, _cards(state)
            if len(trace) % STEPS_A_CALL == 0 or cards != before:
                run = _Run(self._text + card_facts(cards) + _input(state), self._program)
            after = run.step(state)
            if after is None:
                reason = run.reason(state, self.rules)
                return replace(state, asked=reason), reason, trace
            trace.append(Passed(state.step, state.node, tuple(sorted(variables(state)))))
            state = after
            if state.is_finished:
                return state, Finished(state.step), trace
        return state, MaxStep(state.step), trace

    def supply(self, state: ControlState, answer: object) -> ControlState:
        """A state that contains the host's answer to the last question."""
        match state.asked:
            case NeedRandom(step, size):
                facts = [f"hostEval({step},random({size}),{answer})."]
            case NeedShuffle(step, _):
                assert isinstance(answer, (list, tuple))
                facts = [f"order({step},{at},{asp_text(card)})." for at, card in enumerate(answer)]
            case NeedMove(step, _, options):
                if answer not in options:
                    raise CardsError(f"{answer} is not allowed", state.node)
                assert isinstance(answer, Term)
                facts = [f"chosen({step},{asp_text(answer)})."]
            case Publish(step, _):
                facts = [f"published({step})."]
            case _:
                raise CardsError("nothing was asked in this position", state.node, "call advance first")
        return replace(state, answers=(*state.answers, *facts), asked=None)


class _Run:
    """One call of the program."""

    def __init__(self, facts: str, program: str) -> None:
        self.control, self.remarks = make_control("--warn=no-atom-undefined", "--warn=no-operation-undefined")
        self._load(self.control, self.remarks, facts + program)

    def _load(self, control: clingo.Control, remarks: Remarks, text: str) -> None:
        try:
            control.add("base", [], text)
            control.ground([("base", [])])
        except RuntimeError as error:
            remarks.refuse(error)

    def step(self, state: ControlState) -> ControlState | None:
        """The state after a step, or None where the host is needed."""
        for part in ("before", "step"):
            self.control.ground([(part, [clingo.Number(state.step)])])
        self.remarks.refuse()
        with self.control.solve(yield_=True) as handle:
            model = handle.model()
            if model is None:
                raise CardsError("the rules contradict themselves", state.node)
            self._read(model.symbols(shown=True), state.step)
        self.control.cleanup()
        if "stepComplete" not in self.found:
            return replace(state, is_finished=True) if "finished" in self.found else None
        facts = frozenset(str(fact) for (fact,) in self.found["stepFact"])
        if "finished" in self.found:
            return ControlState(state.step, state.node, facts, (), True)
        ((node,),) = self.found["at"]
        return ControlState(state.step + 1, node.number, facts)

    def _read(self, atoms: Iterable[clingo.Symbol], step: int) -> None:
        """Keeps the program's facts of a step (and of its successor), by name, without the step."""
        self.found: dict[str, list[list[clingo.Symbol]]] = {}
        for atom in atoms:
            name, (when, *rest) = atom.name, atom.arguments
            if when.number == step + (name == "at"):
                self.found.setdefault(name, []).append(rest)

    def reason(self, state: ControlState, rules: Rules) -> Reason:
        """The question to the host at a step that is not complete."""
        for (wanted,) in self.found.get("rubyRanEval", []):
            return NeedRandom(state.step, wanted.arguments[0].number)
        cards = [
            card
            for what, count in self.found.get("needShuffle", [])
            for card in [term_of(what)] * count.number
        ]
        if cards:
            return NeedShuffle(state.step, sorted_cards(cards))
        for (fact,) in self.found.get("currentFact", []):
            text = fact.arguments[0].string
            return Publish(state.step, fill_in(text, _position(state, rules)))
        return self._move(state)

    def _move(self, state: ControlState) -> Reason:
        options = [term_of(option) for (option,) in self.found.get("legal", [])]
        for asked in self.found.get("asks", []):
            who, template = map(term_of, asked)
            cards = [one for one in options if one is not PASS]
            may_pass = PASS in options
            shown = sorted_cards(cards) + ((PASS,) if may_pass else ())
            if shown:
                return NeedMove(state.step, player_number(who) or 0, shown, template, may_pass)
        for (asker,) in self.found.get("asksFor", []):
            offered = [term_of(option) for _, option in sorted(self.found.get("offer", []))]
            return NeedMove(state.step, player_number(term_of(asker)) or 0, tuple(dict.fromkeys(offered)))
        raise CardsError("an expression has no value here, or nothing can be played", state.node)


def variables(state: ControlState) -> Iterator[tuple[str, str]]:
    """All variables with their values, as texts."""
    for name, value in _variables(state.facts):
        yield format_term(name), format_term(value)


def _variables(facts: Iterable[str]) -> Iterator[tuple[Term, Term]]:
    for fact in facts:
        if fact.startswith("variable("):
            name, value = clingo.parse_term(fact).arguments
            yield term_of(name), term_of(value)


def _position(state: ControlState, rules: Rules) -> CardPosition:
    """Variables and cards, for the texts that speak of them."""
    found = opening(state.node, rules.players)
    lying = [clingo.parse_term(fact) for fact in state.facts if fact.startswith("lies(")]
    for place, _, card in sorted((fact.arguments for fact in lying), key=lambda args: args[1]):
        found.put(term_of(place), (term_of(card),))
    found.variables.update(_variables(state.facts))
    return found


def _cards(state: ControlState) -> frozenset[Term]:
    """All cards of the pack, and the usual ones, which charts may always name."""
    packs = (
        clingo.parse_term(fact) for fact in state.facts if fact.startswith(("packOf(", "packCard(", "lies("))
    )
    found = {term_of(arg) for fact in packs for arg in fact.arguments if arg.match("card", 2)}
    return frozenset(found.union(standard_pack()))


def _input(state: ControlState) -> str:
    before = state.step - 1
    lines = [f"at({state.step},{state.node}).", *(f"stepFact({before},{fact})." for fact in state.facts)]
    return "\n".join((*lines, *state.answers)) + "\n"
