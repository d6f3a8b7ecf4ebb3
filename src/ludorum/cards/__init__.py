"""Card games from flow charts: people draw the rules, the machine walks through them.

``parse_chart`` and ``compile_chart`` bring a drawing to rules, ``Machine`` walks through them node by node,
``CardGame`` is the same as a ``Game`` like any other. May import engine, search, asp and rules.
"""
