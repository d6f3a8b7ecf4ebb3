"""What can be proved: plans, strategies, values and properties, by logic.

Comes in: a ``Ruleset`` or a ``Game``; goes out: plans, strategies and verdicts that others can replay. May
import ``search``, ``engine``, ``asp`` and ``rules``.
"""
