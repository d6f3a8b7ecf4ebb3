"""``include``: modules and packages, found along a path of folders, each read once, each in a namespace.

All texts lie one after the other in one long text, so that a span says where it is whatever its module; the
sheet's own text is the first, and keeps its places.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..._paths import games_folder
from ..kif import read_nodes
from ..near_names import suggestion
from ..quoting import quoted
from ..source import Diagnostic, RulesError, Severity, Source, Span
from ..syntax import MAX_BYTES, Node, NodeKind, load_source
from .arithmetic import BUILT_IN
from .words import RESERVED, is_integer

VARIABLE = "WDLIB"
"""The environment variable that lists the folders of modules."""
ENDINGS = (".kif", ".wdl")
MOST_MODULES = 200
_PLAIN = re.compile(r"(?!.*\.\.)[^\s/\\:]+")


@dataclass(frozen=True)
class ModulePath:
    """The folders in which modules are looked for, the first one first."""

    folders: tuple[Path, ...] = ()

    @classmethod
    def of_environment(cls, sheet: Path | None = None) -> ModulePath:
        """The folders of ``WDLIB``, in which ``.`` is the current one; where it names none, the folder of the
        sheet and the current one. The library that comes with Ludorum is the last."""
        named = [Path(folder) for folder in os.environ.get(VARIABLE, "").split(os.pathsep) if folder]
        default = [sheet.parent, Path(".")] if sheet is not None else [Path(".")]
        return cls((*(named or default), own_modules()))

    @classmethod
    def of_library(cls) -> ModulePath:
        """The modules of Ludorum alone: for rules of strangers, who must not read files of the machine."""
        return cls((own_modules(),))

    def find(self, package: str, module: str) -> Path | None:
        for folder in self.folders:
            for ending in ENDINGS:
                path = folder / package / (module + ending)
                if path.is_file():
                    return path
        return None

    def names(self) -> list[str]:
        """All modules that can be included, as they are written."""
        found: dict[str, None] = {}
        for folder in self.folders:
            for path in [*_listed(folder, "*"), *_listed(folder, "*/*")]:
                if path.suffix in ENDINGS:
                    package = path.parent.relative_to(folder).name
                    found[f"{package}:{path.stem}" if package else path.stem] = None
        return list(found)


def own_modules() -> Path:
    """The folder of the modules that come with Ludorum."""
    return games_folder() / "wdlib"


def _listed(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(folder.glob(pattern))
    except OSError:
        return []


@dataclass
class Texts:
    """Texts of several files as one, and where each begins."""

    main: Source
    _files: list[tuple[int, Source]] = field(default_factory=list)
    _length: int = 0

    def __post_init__(self) -> None:
        self.add(self.main)

    def add(self, source: Source) -> int:
        """Append a text; returns its offset."""
        base = self._length
        self._files.append((base, source))
        self._length += len(source.text) + 1
        return base

    @property
    def length(self) -> int:
        return self._length

    @property
    def whole(self) -> Source:
        """All of it, under the name of the sheet."""
        return Source(self.main.name, "\n".join(source.text for _, source in self._files))

    def placed(self, fault: Diagnostic) -> Diagnostic:
        """A fault of the whole, at its place in its own file."""
        base, source = next(one for one in reversed(self._files) if one[0] <= fault.span.start)
        return replace(fault, span=Span(fault.span.start - base, fault.span.end - base), source=source)


@dataclass(frozen=True)
class Expanded:
    """The statements of a sheet and of all its modules, in which names have their full form."""

    nodes: tuple[Node, ...]
    texts: Texts
    modules: tuple[str, ...]
    built_in: tuple[str, ...]
    """Those of the modules whose relations are made by `number_rows`: nothing is written in them."""
    faults: tuple[Diagnostic, ...]


def expand_includes(main: Source, path: ModulePath) -> Expanded:
    """Read a sheet and all modules that it includes, directly or not: each once, where it is first named."""
    return _Expansion(main, path).run()


class _Expansion:
    def __init__(self, main: Source, path: ModulePath) -> None:
        self._path = path
        self._texts = Texts(main)
        self._faults: list[Diagnostic] = []
        self._loaded: dict[str, None] = {}
        self._built_in: list[str] = []

    def run(self) -> Expanded:
        nodes, faults = read_nodes(self._texts.main)
        self._faults += faults
        found = list(self._expand(nodes))
        modules, built_in = tuple(self._loaded), tuple(self._built_in)
        return Expanded(tuple(found), self._texts, modules, built_in, tuple(self._faults))

    def _expand(self, nodes: Iterable[Node]) -> Iterator[Node]:
        # Without recursion: modules may include each other in long rows.
        work = [("", iter(nodes))]
        while work:
            name, rest = work[-1]
            node = next(rest, None)
            if node is None:
                work.pop()
            elif node.kind is NodeKind.LIST and node.head == "include":
                module = self._named(node)
                if module is None:
                    continue
                if module in self._loaded:
                    if any(module == other for other, _ in work):
                        self._note_circle(node, module)
                    continue
                work.append((module, iter(self._load(node, module))))
            else:
                yield qualified(node, name) if name else node

    def _named(self, node: Node) -> str | None:
        """The module that an ``include`` names."""
        names = node.items[1:]
        if len(names) != 1 or names[0].kind is not NodeKind.SYMBOL:
            self._fault(
                "W04", node, "`include` takes the name of one module", "write (include package:module)"
            )
            return None
        name = names[0].name
        parts = name.split(":")
        if len(parts) > 2 or not all(map(_PLAIN.fullmatch, parts)):
            message = f"{quoted(name)} is no name of a module"
            hint = "write (include module) or (include package:module); folders are named by WDLIB alone"
            self._fault("W09", names[0], message, hint)
            return None
        if name.endswith(".kif"):
            self._fault("W09", names[0], f"{quoted(name)} has the ending of a file",
                        f"write (include {name.removesuffix('.kif')})")  # fmt: skip
            return None
        return name

    def _load(self, node: Node, name: str) -> list[Node]:
        """The statements of a module, at their place in the whole text; none where it cannot be read."""
        self._loaded[name] = None
        package, _, module = name.rpartition(":")
        path = self._path.find(package, module)
        if path is None:
            near = suggestion(name, self._path.names())
            hint = (
                near or f"modules are looked for in {', '.join(map(str, self._path.folders)) or 'no folder'}"
            )
            self._fault("W09", node, f"there is no module {quoted(name)}", hint)
            return []
        try:
            source = load_source(path, f"{name} ({path.name})")
        except RulesError as error:
            reason = error.diagnostics[0]
            self._fault("W09", node, f"the module {quoted(name)}: {reason.message}", reason.hint)
            return []
        if len(self._loaded) > MOST_MODULES or self._texts.length + len(source.text) > MAX_BYTES:
            hint = f"at most {MOST_MODULES} modules of {MAX_BYTES // 2**20} MB in all are read"
            self._fault("W09", node, "too much is included", hint)
            return []
        if name in BUILT_IN and own_modules().resolve() in path.resolve().parents:
            self._built_in.append(name)
        nodes, faults = read_nodes(source)
        base = self._texts.add(source)
        self._faults += faults
        return [moved(one, base) for one in nodes]

    def _note_circle(self, node: Node, name: str) -> None:
        message = f"{quoted(name)} includes itself, directly or by way of others; it is read once"
        self._fault("include-circle", node, message, "", Severity.NOTE)

    def _fault(
        self, code: str, node: Node, message: str, hint: str, severity: Severity = Severity.ERROR
    ) -> None:
        fault = Diagnostic(code, severity, node.span, message, hint, Source(self._texts.main.name, ""))
        self._faults.append(self._texts.placed(fault))


def moved(node: Node, base: int) -> Node:
    """A piece of syntax, so many characters further on."""
    span = Span(node.span.start + base, node.span.end + base)
    return Node(node.kind, span, node.name, tuple(moved(item, base) for item in node.items))


def qualified(node: Node, module: str) -> Node:
    """A statement of a module in which names have the module's name in front."""
    if node.kind is NodeKind.LIST:
        return replace(node, items=tuple(qualified(item, module) for item in node.items))
    if node.kind is NodeKind.VARIABLE or ":" in node.name or node.name in RESERVED or is_integer(node.name):
        return node
    return replace(node, name=f"{module}:{node.name}")


def mangled(names: Sequence[str]) -> dict[str, str]:
    """Names without colons for players that cannot read them, by full name: reversible."""
    taken = {name for name in names if ":" not in name}
    found: dict[str, str] = {}
    for name in names:
        if ":" in name:
            short = name.replace(":", "_")
            while short in taken:
                short += "_"
            taken.add(short)
            found[name] = short
    return found
