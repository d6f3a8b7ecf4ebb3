"""Card games from flow charts: people draw the rules, and the machine runs them.

``parse_chart`` and ``compile_chart`` turn a drawing into rules, ``Machine`` walks through them node by node,
``CardGame`` is the same as a ``Game`` like any other. May import engine, search, asp and rules.
"""
