"""Expressions as a program for a stack; templates become sets of cards."""

from __future__ import annotations

from ...rules.terms import Pattern
from ..language.language import Type
from ..language.terms import ANY, FALSE, TRUE, Term, format_term, is_card, player
from .operations import CODE
from .program import NotCompiled, Program


class Expressions:
    """Appends the code of an expression to the program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.codes = program.codes
        self.code = program.code

    def emit(self, name: str, *numbers: int) -> None:
        self.code += [CODE[name], *numbers]

    def value(self, term: Pattern) -> None:
        assert isinstance(term, Term)
        key = (term.name, len(term.args))
        if not term.args:
            if key in self.program.slots:
                self.emit("load", self.program.slots[key][0])
            else:
                self.emit("push", self._constant(term))
            return
        if term.name in _SPECIAL:
            _SPECIAL[term.name](self, term)
            return
        if key in self.program.slots:
            begin, size, _ = self.program.slots[key]
            self.value(term.args[0])
            self.emit("load_at", begin, size)
            return
        if term.name not in _PLAIN:
            raise NotCompiled(f"{term.name} has no bytecode")
        for arg in term.args:
            self.value(arg)
        self.emit(_PLAIN[term.name])

    def _constant(self, term: Term) -> int:
        try:
            return self.codes.code(term)
        except ValueError as error:
            raise NotCompiled(str(error)) from None

    def _operation(self, term: Term) -> None:
        name = str(term.args[0])
        if name in ("and", "or"):
            self._logic(name == "and", term.args[1], term.args[2])
            return
        self.value(term.args[1])
        self.value(term.args[2])
        self.emit(name)

    def _logic(self, both: bool, left: Pattern, right: Pattern) -> None:
        """Evaluate the right side only where the left one does not decide."""
        self.value(left)
        if not both:
            self.emit("neg")
        self.emit("jump_false", 0)
        otherwise = len(self.code) - 1
        self.value(right)
        self.emit("jump", 0)
        end = len(self.code) - 1
        self.code[otherwise] = len(self.code)
        self.emit("push", self.codes.code(FALSE if both else TRUE))
        self.code[end] = len(self.code)

    def _card(self, term: Term) -> None:
        if all(
            isinstance(arg, Term) and not arg.args and (arg.name, 0) not in self.program.slots
            for arg in term.args
        ):
            self.emit("push", self._constant(term))
            return
        for arg in term.args:
            self.value(arg)
        self.emit("make_card")

    def _of_template(self, term: Term) -> None:
        """A question about cards of a place or one card, and a template."""
        self.template(term.args[1])
        if term.name in ("count", "has"):
            self.place(term.args[0])
        else:
            self.value(term.args[0])
        self.emit(
            {"playerHas": "has_card", "cardInstanceOf": "card_fits", "count": "count", "has": "has_any"}[
                term.name
            ]
        )

    def _of_place(self, term: Term) -> None:
        self.place(term.args[0])
        names = {
            "cards": "cards",
            "top": "top",
            "total": "total",
            "sameRank": "same_rank",
            "deadwood": "deadwood",
            "runLength": "run_length",
        }
        self.emit(names[term.name])

    def _unknown(self, term: Term) -> None:
        raise NotCompiled(f"{term.name} has no bytecode")

    def template(self, term: Pattern, everything: bool = False) -> None:
        assert isinstance(term, Term)
        if everything:
            self.emit("push", self.codes.code(ANY))
            self.emit("push", self.codes.code(ANY))
            self.emit("mask_card")
        elif term.name == "union" and len(term.args) == 2:
            self.template(term.args[0])
            self.template(term.args[1])
            self.emit("mask_or")
        elif is_card(term):
            self.value(term.args[0])
            self.value(term.args[1])
            self.emit("mask_card")
        elif (term.name, len(term.args)) in self.program.templates:
            self.held("mask_load", term)
        else:
            self.value(term)
            self.emit("mask_of_card")

    def place(self, term: Pattern) -> None:
        assert isinstance(term, Term)
        if term.name == "hand" and len(term.args) == 1:
            self.value(term.args[0])
            self.emit("place_hand")
        elif term in self.program.named_piles:
            self._named_pile(term)
        elif term.name == "pile" and len(term.args) == 2:
            self.value(term.args[1])
            self.emit("place_pile", self.program.places[Term("pile", (term.args[0], player(0)))])
        else:
            self.push_place(term)

    def _named_pile(self, term: Term) -> None:
        """A pile whose name is computed in the game: all its possible names, with the place of each."""
        for arg in term.args:
            self.value(arg)
        piles = self.program.named_piles[term]
        rows = [
            code for pile in piles for code in (*map(self._constant, _names(pile)), self.program.places[pile])
        ]
        self.emit("place_among", len(term.args), len(piles), *rows)

    def push_place(self, term: Term) -> None:
        if term not in self.program.places:
            raise NotCompiled(f"{format_term(term)} is no fixed place")
        self.emit("push", self.program.places[term])

    def held(self, operation: str, name: Term) -> None:
        """Loads or stores a template that a variable holds."""
        begin, size = self.program.templates[name.name, len(name.args)]
        if name.args:
            self.value(name.args[0])
        self.emit(operation, begin, size if name.args else 0)

    def slots_of(self, name: Term) -> tuple[int, int, Type]:
        found = self.program.slots.get((name.name, len(name.args)))
        if found is None:
            raise NotCompiled(f"{format_term(name)} is no variable")
        return found


def _names(pile: Term) -> list[Term]:
    return [name for name in pile.args if isinstance(name, Term)]


_PLAIN = {
    "equal": "equal",
    "lessThan": "less",
    "greaterThan": "greater",
    "neg": "neg",
    "player": "to_player",
    "playerNumber": "player_number",
    "nextPlayer": "next_player",
    "suit": "suit",
    "rank": "rank",
    "rankValue": "rank_value",
    "pointValue": "point_value",
    "random": "random",
    "abs": "abs",
    "min": "min",
    "max": "max",
}

_SPECIAL = {
    "operation": Expressions._operation,
    "card": Expressions._card,
    "union": Expressions._unknown,
    "playerHas": Expressions._of_template,
    "cardInstanceOf": Expressions._of_template,
    "count": Expressions._of_template,
    "has": Expressions._of_template,
    **dict.fromkeys(("cards", "top", "total", "sameRank", "runLength", "deadwood"), Expressions._of_place),
}
