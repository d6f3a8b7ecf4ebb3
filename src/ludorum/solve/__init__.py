"""What can be proved: plans, strategies, values and properties, by logic.

Input: a ``Ruleset`` or a ``Game``. Output: plans, strategies and verdicts that can be replayed. May
import ``search``, ``engine``, ``asp`` and ``rules``.
"""
