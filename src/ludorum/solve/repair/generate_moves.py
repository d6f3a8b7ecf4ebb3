"""Rules of `legal` that were left out: above all the move of a role that waits."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.ruleset import Atom, Rule, format_formula
from ...rules.terms import Signature, Term, Variable, format_term
from . import costs
from .focus import Focus
from .proposal import Proposal, added
from .sheet import TextUnderRepair

LEGAL = ("legal", 2)
SHOWN_BY = frozenset({"stuck", "role-without-legal", "missing-legal", "move-never-legal", "never-made"})


def propose_moves(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """Moves for roles that have none, and moves that are listed or done and never legal."""
    if not focus.codes & SHOWN_BY or sheet.reading.unread:
        return
    work = _Moves(sheet)
    for reason, text, cost in (*work.waiting(), *work.listed()):
        yield Proposal(reason, (added(sheet.source, text),), cost)


class _Moves:
    def __init__(self, sheet: TextUnderRepair) -> None:
        self.rules = sheet.rules
        self.legal = self.rules.by_signature.get(LEGAL, ())
        self.made = {_move(rule) for rule in self.legal}

    def waiting(self) -> Iterator[tuple[str, str, int]]:
        """A move without arguments for a role that is not in turn."""
        for move, extra in self._idle_moves().items():
            for control in self._controls():
                why = f"a role that is not in {control} has no move; it may do {move}"
                text = f"(<= (legal ?r {move})\n    (role ?r)\n    (not (true ({control} ?r))))"
                yield why, text, costs.RULE + extra
            for role in self.rules.roles:
                if not any(_is_for(rule, role) for rule in self.legal):
                    yield (
                        f"{role} never has a move; it may do {move}",
                        f"(legal {role} {move})",
                        costs.RULE + extra,
                    )
            why = f"a role has no move in some positions; every role may always do {move}"
            yield why, f"(<= (legal ?r {move})\n    (role ?r))", costs.RULE + extra + 4
            for control in self._controls():
                for one in self.rules.roles:
                    text = f"(<= (legal {one} {move})\n    (not (true ({control} {one}))))"
                    yield f"{one} has no move when it waits; it may do {move}", text, costs.RULE + extra + 3
            if can_move := _can_move(self.legal, ("can_move", 1) in self.rules.by_signature):
                text = f"{can_move}\n(<= (legal ?r {move})\n    (role ?r)\n    (not (can_move ?r)))"
                why = f"a role has no move in some positions; it may do {move} there"
                yield why, text, costs.RULE + extra + costs.GUESS

    def listed(self) -> Iterator[tuple[str, str, int]]:
        """Moves that `input` lists and no rule allows: allowed as listed, in turn where there are turns."""
        for rule in self.rules.by_signature.get(("input", 2), ()):
            if _move(rule) in self.made or None in self.made:
                continue
            head = f"(legal {' '.join(map(format_term, rule.head.args))})"
            body = [format_formula(part) for part in rule.body]
            why = f"`input` lists {format_term(rule.head.args[1])}, which no rule allows"
            for extra, cost in self._turn(rule.head.args[0]):
                lines = [*body, *extra]
                text = f"(<= {head}\n    " + "\n    ".join(lines) + ")" if lines else head
                yield why, text, costs.RULE + cost

    def _turn(self, who: object) -> Iterator[tuple[list[str], int]]:
        yield [], 2
        for control in self._controls():
            yield [f"(true ({control} {who}))"], 1

    def _idle_moves(self) -> dict[str, int]:
        """Moves without arguments: listed or done and never allowed, allowed to others, or `noop`."""
        listed = [rule.head.args[1] for rule in self.rules.by_signature.get(("input", 2), ())]
        done = [
            part.term.args[1]
            for rule in self.rules.rules
            for part in rule.body
            if isinstance(part, Atom) and part.term.signature == ("does", 2)
        ]
        allowed = [rule.head.args[1] for rule in self.legal]
        found: dict[str, int] = {}
        for extra, moves in ((0, [*listed, *done]), (1, allowed)):
            for move in moves:
                if isinstance(move, Term) and not move.args and (extra or move.signature not in self.made):
                    found.setdefault(format_term(move), extra)
        for move in [*listed, *done]:
            if isinstance(move, Term) and not move.args:
                found.setdefault(format_term(move), 2)
        found.setdefault("noop", 2 if found else 1)
        return dict(sorted(found.items(), key=lambda each: each[1])[:4])

    def _controls(self) -> list[str]:
        """Fluents of one argument that initially hold a role: whose turn it is."""
        facts = (rule.head.args[0] for rule in self.rules.by_signature.get(("init", 1), ()))
        return list(dict.fromkeys(
            fact.name
            for fact in facts
            if isinstance(fact, Term) and len(fact.args) == 1 and fact.args[0] in self.rules.roles
        ))  # fmt: skip


def _move(rule: Rule) -> Signature | None:
    move = rule.head.args[1]
    return move.signature if isinstance(move, Term) else None


def _is_for(rule: Rule, role: Term) -> bool:
    who = rule.head.args[0]
    return isinstance(who, Variable) or who is role


def _can_move(legal: tuple[Rule, ...], taken: bool) -> str:
    """Rules that say when a role has a move, by the bodies of its rules; nothing where the name is taken."""
    texts = []
    for rule in () if taken else legal:
        who = rule.head.args[0]
        texts.append(str(Rule(Term("can_move", (who,)), rule.body or (Atom(Term("role", (who,))),))))
    return "\n".join(dict.fromkeys(texts))
