"""The interface of ``import ludorum``: one function for each thing that people do with a game.

Comes in: a name from the library, the path of a rule sheet, or a ``Game``; goes out: values with a ``repr``
for the terminal and for notebooks. The command line offers the same with words instead of arguments.
"""
