"""Engines: a ``Ruleset`` in, a ``Game`` with its ``State``s out. May import ``rules`` and ``asp``.

``game`` is the constitution all engines keep; ``reference`` is the slow and obviously right one.
"""
