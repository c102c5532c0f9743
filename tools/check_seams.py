"""Private names used across rooms: `make lint` wants none.

A room is a package directly below `kernelstream` (`core/numba` is one of its own). A name with a leading underscore
belongs to the room that defines it; another room that reads it, imports it or inherits it reaches in. Names that no
room defines, such as `_replace` of a NamedTuple, belong to a library and do not count.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "kernelstream"
LIBRARIES = {"_fields", "_replace", "_asdict"}  # of every NamedTuple


def room_of(path: Path, root: Path) -> str:
    """The room of a file: its folder below the package, or the file itself where it stands alone."""
    parts = path.relative_to(root).parts
    return "core.numba" if parts[:2] == ("core", "numba") else Path(parts[0]).stem


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def attributes(tree: ast.AST) -> Iterator[str]:
    """Names that the classes of a module define: methods, class attributes, slots, and what is set on `self`."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(body=body):
                for part in body:
                    match part:
                        case ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                            yield name
                        case ast.Assign(targets=targets, value=value):
                            yield from (target.id for target in targets if isinstance(target, ast.Name))
                            if isinstance(value, ast.Tuple):
                                named = (e.value for e in value.elts if isinstance(e, ast.Constant))
                                yield from (name for name in named if isinstance(name, str))
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name


def module_names(tree: ast.Module) -> Iterator[str]:
    """Names that a module itself defines."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))


def used(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Names that a module reads of objects and imports of modules, each with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name):
                yield node.lineno, name
            case ast.ImportFrom(names=names):
                yield from ((node.lineno, alias.name) for alias in names)


def reach_ins(root: Path = ROOT) -> list[str]:
    """Every use of a private name of another room."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.py"))}
    homes: dict[str, set[str]] = defaultdict(set)
    for path, tree in trees.items():
        for name in {*attributes(tree), *module_names(tree)} - LIBRARIES:
            if is_private(name):
                homes[name].add(room_of(path, root))
    return [
        f"{path.relative_to(root)}:{line}: {name} belongs to {', '.join(sorted(homes[name]))}"
        for path, tree in trees.items()
        for line, name in used(tree)
        if homes.get(name) and room_of(path, root) not in homes[name]
    ]


if __name__ == "__main__":
    found = reach_ins()
    print("\n".join([*found, f"private names used across rooms: {len(found)}"]))
    sys.exit(bool(found))
