"""Kinds of features, one a file: each file registers a function (``evaluate.feature.feature_kind``).

Importing this package imports every file in its folder, so a new file needs no other change.
"""

from importlib import import_module
from pkgutil import iter_modules

for _found in iter_modules(__path__):
    import_module(f"{__name__}.{_found.name}")
