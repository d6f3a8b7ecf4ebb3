"""A realtime sheet as one of rounds, approximately: a round is what happens until the next tick of the clock.

In each round every role may make one move or stay. The moves are made one after the other, in the order of
the roles, each if it is still legal then; the tick follows. So rules are read several times in a round: by
each role's move, by the tick, and to find out whether the game is over between them.

    held_0  --move of the first role-->  held_1  --move of the second-->  held_2  --tick-->  next
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..check.analysis import ANYTHING, signature_of
from ..dependencies import Dependencies
from ..ruleset import Atom, Distinct, Formula, Not, Rule
from ..source import Diagnostic, RulesError, Severity
from ..terms import Signature, Term, Variable
from ..unused_name import names_of_rules
from .master_form import CLOCK, driven_rules
from .plain_form import resolved_rule
from .rewriting import free_name, with_other_relations
from .sheet import RANDOM_FACT, WdlSheet
from .statements import Settings, WdlStatement
from .views import bare

MOST_TICKS = 1000
"""Signals of the clock after which the time is up, unless another number is asked for: ten seconds."""

TRUE, DOES, LEGAL = ("true", 1), ("does", 2), ("legal", 2)
INIT, NEXT, TERMINAL = ("init", 1), ("next", 1), ("terminal", 0)
FACT, PLAYER, MOVE = Variable("fact"), Variable("player"), Variable("move")
NUMBER, LATER = Variable("number"), Variable("later")


def rounds_of_ticks(sheet: WdlSheet, ticks: int = MOST_TICKS) -> WdlSheet:
    """The sheet as a game of rounds that ends after so many signals of the clock, if not before."""
    rules = _Rounds(sheet, ticks).rules()
    return replace(sheet, statements=tuple(map(WdlStatement, rules)), settings=Settings())


class _Rounds:
    def __init__(self, sheet: WdlSheet, ticks: int) -> None:
        self._sheet = sheet
        self._ticks = ticks
        self._taken = names_of_rules(sheet.master)
        self._rules = sheet.master.rules[: len(sheet.master.rules) - len(sheet.numbers)]
        self._edges = Dependencies(sheet.master).edges
        self._changing = self._leading_to({TRUE, DOES, CLOCK})
        stay, now, after = (self._name(stem) for stem in ("stay", "now", "after"))
        self._stay, self._now, self._after = Term(stay), now, after
        self._held = [self._name(f"held_{at}") for at in range(len(sheet.roles) + 1)]
        self._over = self._name("over")

    def rules(self) -> Iterator[Rule]:
        yield from (rule for rule in self._rules if rule.signature != NEXT)
        yield _rule(Term("legal", (PLAYER, self._stay)), Atom(Term("role", (PLAYER,))))
        yield from self._clock()
        for at in range(len(self._sheet.roles)):
            yield from self._move(at)
        yield from self._signal()

    def _name(self, stem: str) -> str:
        found = free_name(self._taken, stem)
        self._taken.add(found)
        return found

    def _clock(self) -> Iterator[Rule]:
        """The clock as a fact that counts, and the end of the time."""
        yield Rule(Term("init", (Term(self._now, (Term("0"),)),)))
        yield _rule(Term("clock", (NUMBER,)), Atom(Term("true", (Term(self._now, (NUMBER,)),))))
        for number in range(self._ticks):
            yield Rule(Term(self._after, (Term(str(number)), Term(str(number + 1)))))
        yield _rule(Term("terminal"), Atom(Term("true", (Term(self._now, (Term(str(self._ticks)),)),))))

        counts = Term(self._name("counts"), (FACT,))
        yield _rule(Term(counts.name, (Term(self._now, (NUMBER,)),)), Atom(Term("clock", (NUMBER,))))
        yield _rule(Term(self._held[0], (FACT,)), Atom(Term("true", (FACT,))), Not(Atom(counts)))

    # -- what happens in a round --------------------------------------------------------------------------

    def _move(self, at: int) -> Iterator[Rule]:
        """What the move of a role makes of the facts that the roles before it have left."""
        role, before, after = self._sheet.roles[at], self._held[at], self._held[at + 1]
        doing, acts = self._name(f"doing_{at + 1}"), Atom(Term(self._name(f"acts_{at + 1}")))
        copied = {NEXT, LEGAL, TERMINAL, RANDOM_FACT} if at else {NEXT}
        names = self._copy_names(copied, f"by_{at + 1}", {TRUE: before, DOES: doing})
        yield from self._copies(names)
        meant: list[Formula] = [Atom(Term("does", (role, MOVE))), Distinct(MOVE, self._stay)]
        if at:
            possible = self._name(f"possible_{at + 1}")
            yield from self._possible(possible, names)
            meant += [Atom(Term(possible, (role, MOVE))), Not(Atom(Term(names[TERMINAL])))]
        yield _rule(Term(doing, (role, MOVE)), *meant)
        yield _rule(acts.term, Atom(Term(doing, (PLAYER, MOVE))))
        yield _rule(Term(after, (FACT,)), Atom(Term(names[NEXT], (FACT,))), acts)
        yield _rule(Term(after, (FACT,)), Atom(Term(before, (FACT,))), Not(acts))

    def _possible(self, possible: str, names: Mapping[Signature, str]) -> Iterator[Rule]:
        """The moves that are legal now, as rules are told of them."""
        for rule in self._rules:
            if rule.signature == LEGAL:
                resolved = resolved_rule(rule, self._sheet.names)
                head = Term(possible, tuple(map(bare, resolved.head.args)))
                yield with_other_relations(Rule(head, resolved.body), names)

    def _signal(self) -> Iterator[Rule]:
        """What the signal of the clock makes of what all moves have left, if the game is not over before."""
        left, over = self._held[-1], Atom(Term(self._over))
        last = self._copy_names({TERMINAL}, "at_last", {TRUE: left})
        yield from self._copies(last)
        yield _rule(over.term, Atom(Term(last[TERMINAL])))
        clock = self._name("clock_next")
        yield _rule(
            Term(clock, (LATER,)), Atom(Term("clock", (NUMBER,))), Atom(Term(self._after, (NUMBER, LATER)))
        )
        yield _rule(Term("next", (Term(self._now, (LATER,)),)), Atom(Term(clock, (LATER,))), Not(over))
        yield _rule(Term("next", (Term(self._now, (NUMBER,)),)), Atom(Term("clock", (NUMBER,))), over)
        yield _rule(Term("next", (FACT,)), Atom(Term(left, (FACT,))), over)
        names = self._copy_names(
            {NEXT}, "by_clock", {TRUE: left, CLOCK: clock, DOES: self._name("nobody_does")}
        )
        yield from self._copies(names)
        if self._sheet.settings.tick_inertia:
            yield from self._inert(left, names, over)
        else:
            yield _rule(Term("next", (FACT,)), Atom(Term(names[NEXT], (FACT,))), Not(over))

    def _inert(self, left: str, names: Mapping[Signature, str], over: Atom) -> Iterator[Rule]:
        """Of each form of facts that the clock makes now, what it makes; of others, what was."""
        driven: dict[Signature, list[Rule]] = {}
        for rule in dict.fromkeys(driven_rules(self._sheet)):
            driven.setdefault(self._form(rule), []).append(rule)
        heads = (rule for rule in self._rules if rule.signature in (NEXT, INIT))
        for name, arity in dict.fromkeys(map(self._form, heads)):
            fact = Term(name, tuple(Variable(f"x{at}") for at in range(arity)))
            kept, rules = Atom(Term(left, (fact,))), driven.get((name, arity), [])
            drives = Atom(Term(self._name(f"{name}_driven")))
            for rule in rules:
                yield with_other_relations(Rule(drives.term, rule.body), names)
            if rules:
                yield _rule(Term("next", (fact,)), Atom(Term(names[NEXT], (fact,))), drives, Not(over))
                yield _rule(Term("next", (fact,)), kept, Not(drives), Not(over))
            else:
                yield _rule(Term("next", (fact,)), kept, Not(over))

    def _form(self, rule: Rule) -> Signature:
        found = signature_of(rule.head.args[0])
        if found == ANYTHING:
            message = "with `tick-inertia`, facts of any form cannot be counted by rounds"
            hint = "write a rule for each form of facts"
            fault = Diagnostic(
                "T03", Severity.ERROR, rule.node.span, message, hint, self._sheet.master.source
            )
            raise RulesError([self._sheet.texts.placed(fault)])
        return found

    # -- copies of rules ----------------------------------------------------------------------------------

    def _copy_names(
        self, roots: set[Signature], suffix: str, given: Mapping[Signature, str]
    ) -> dict[Signature, str]:
        """Names for all that changes and that some relations depend on, and these relations."""
        changing = roots | (self._needed_for(roots) & self._changing) - {TRUE, DOES, CLOCK}
        return {**{one: self._name(f"{one[0]}_{suffix}") for one in sorted(changing)}, **given}

    def _copies(self, names: Mapping[Signature, str]) -> Iterator[Rule]:
        for rule in self._rules:
            if rule.signature in names:
                copied = with_other_relations(rule, names)
                yield Rule(Term(names[rule.signature], rule.head.args), copied.body)

    def _leading_to(self, found: set[Signature]) -> set[Signature]:
        """Some relations, and all that depend on them."""
        while more := {edge.head for edge in self._edges if edge.body in found} - found:
            found = found | more
        return found

    def _needed_for(self, found: set[Signature]) -> set[Signature]:
        """Some relations, and all that they depend on."""
        while more := {edge.body for edge in self._edges if edge.head in found} - found:
            found = found | more
        return found


def _rule(head: Term, *body: Formula) -> Rule:
    return Rule(head, body)
