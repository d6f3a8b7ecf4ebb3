"""What a change costs and what a symptom weighs: how unlikely it is that an author made that slip.

One scale for both, so that they can be added: the best repair is the one whose changes cost least together
with the symptoms that are left. Ten is one plain slip of the hand. Nothing here is a probability; the order
of the numbers is what matters, and the reasons stand beside them.
"""

from __future__ import annotations

# -- changes ----------------------------------------------------------------------------------------------

SLIP = 10
"""One letter of a name, one bracket, one `true` or `does`: the slips that happen every day."""
FARTHER = 5
"""For each letter more: two slips in one word are rarer."""
OTHER_KIND = 6
"""The new name never occurs in such a place elsewhere."""
ARGUMENT = 11
"""An argument too few or too many, or two swapped: takes a line of thought, not of typing."""
DOUBLED = 8
"""The discount for an argument too many that repeats its neighbour: a slip of the hand."""
MISFIT = 3
"""An argument that this place has never held in the rest of the sheet."""
UNUSUAL = 1
"""A variable whose name this place has never held: authors name the same thing alike."""
ODD_LAYOUT = 2
"""A bracket whose lines are not indented like their neighbours."""
NEGATION = 16
"""A forgotten `not`, or one too many."""
CONDITION = 14
"""A condition that was left out."""
NEW_VARIABLE = 2
"""A condition that introduces a new variable."""
FACT = 13
"""A fact that was left out."""
RULE = 18
"""A rule that was left out."""
GUESS = 8
"""Added where nothing in the sheet says the same in another place."""

# -- symptoms ---------------------------------------------------------------------------------------------

UNREADABLE = 1000
"""Text that is no rule: other faults show only once it can be read."""
ERROR = 100
"""A violation of GDL; play that gets stuck, is over at the start, or ends without a goal value."""
ENDLESS = 60
"""No random game came to its end: some good games are that long."""
WARNING = 40
"""A condition that can never hold or a relation never used: nearly always a slip."""
SUSPICION = 22
"""A name that looks like a slip for another."""
OPEN_QUESTION = 3
"""A finding that many good sheets have too, such as a variable that occurs once: it only breaks ties."""

HARD = 20
"""The weight from which on a symptom is reason enough to change a sheet."""
