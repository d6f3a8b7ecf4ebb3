"""WDL, the world description language: GDL with chance, hidden parts, realtime and modules (Kulick 2009).

Comes in: a text. Goes out: a ``WdlSheet``, whose ``master`` rules know everything, whose ``description`` of a
role is what that role is told, and a GDL-II ``Ruleset`` of the same game, which every engine plays.

``modules`` follows ``include``, ``statements`` tells the forms of statements apart, ``sheet`` puts them
together, ``check`` finds faults, ``draws`` and ``views`` say what a move becomes.
"""
