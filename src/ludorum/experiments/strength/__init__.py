"""The strength bench: one player against a ladder of others in games of all kinds, version by version.

Comes in: players, games and how much each may think; goes out: logged matches, a line of results for each
game and opponent, the page of them, and where lost matches were misjudged. It imports ``arena`` and below;
``ludorum bench strength`` is its verb.
"""
