"""C99 syntax: identifiers, numbers, strings, constant tables, and formulas as statements."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

_WIDTH = 110
_KEYWORDS = frozenset({
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
})  # fmt: skip


def identifier(name: str) -> str:
    """The name, if it is valid in C; else a ValueError."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) or name in _KEYWORDS:
        raise ValueError(
            f"name is {name!r}; a name in C has letters, digits and _, starts with a letter, and is no keyword."
        )
    return name


def real(value: float) -> str:
    """A float literal that reads back exactly.

    >>> real(1.0), real(-0.1), real(1e-30)
    ('1.0f', '-0.100000001f', '1e-30f')
    """
    digits = f"{float(np.float32(value)):.9g}"
    return f"{digits}f" if any(mark in digits for mark in ".e") else f"{digits}.0f"


def string(text: str) -> str:
    r"""A string literal in UTF-8.

    >>> print(string('say "é"??='))
    "say \"\303\251\"\?\?="
    """
    plain = set(range(32, 127)) - set(b'"\\?')
    codes = (chr(b) if b in plain else f"\\{chr(b)}" if b in b'"\\?' else f"\\{b:03o}" for b in text.encode())
    return f'"{"".join(codes)}"'


def comment(text: str) -> str:
    """Text that cannot end a comment."""
    return " ".join(text.replace("*/", "* /").replace("/*", "/ *").split())


class ConstantTable(NamedTuple):
    """A constant array of one or two dimensions."""

    name: str
    kind: str  # of the elements, in C
    values: np.ndarray

    @property
    def nbytes(self) -> int:
        """On a 32-bit machine."""
        if self.values.dtype.kind == "U":
            return sum(4 + len(text.encode()) + 1 for text in self.values.tolist())
        return self.values.nbytes

    def __str__(self) -> str:
        kinds: dict[str, Callable[[Any], str]] = {"f": real, "U": string}
        kind = kinds.get(self.values.dtype.kind, str)
        sizes = "".join(f"[{size}]" for size in self.values.shape)
        flat = ", ".join(kind(value) for value in self.values.ravel().tolist())
        if self.values.ndim == 2:
            rows = (", ".join(map(kind, row)) for row in self.values.tolist())
            flat = ",\n".join("{" + row + "}" for row in rows)
        return f"static const {self.kind} {self.name}{sizes} = {{\n{_wrapped(flat)}\n}};"


def _wrapped(text: str) -> str:
    """Long lines broken after commas between numbers."""
    lines = []
    for line in text.split("\n"):
        while len(line) > _WIDTH and ", " in line[:_WIDTH] and '"' not in line:
            head = line.rfind(", ", 0, _WIDTH) + 1
            lines.append(line[:head])
            line = line[head + 1 :]
        lines.append(line)
    return "\n".join(f"    {line}" for line in lines)


def floats(name: str, values: np.ndarray) -> ConstantTable:
    return ConstantTable(name, "float", np.asarray(values, np.float32))


class StatementWriter:
    """Writes a formula as C statements, each with its own variable."""

    _BINARY = {"add": "+", "sub": "-", "mul": "*", "div": "/"}  # noqa: RUF012
    _CALLS = {  # noqa: RUF012
        "pow": "powf", "exp": "expf", "log": "logf", "sqrt": "sqrtf", "abs": "fabsf", "cos": "cosf", "sin": "sinf",
        "tanh": "tanhf", "min": "fminf", "max": "fmaxf",
    }  # fmt: skip

    def __init__(self) -> None:
        self.lines: list[str] = []

    def constant(self, value: float) -> str:
        return real(value)

    def operation(self, name: str, operands: list[str]) -> str:
        if name == "neg":
            value = f"-{operands[0]}"
        elif name in self._BINARY:
            value = f"{operands[0]} {self._BINARY[name]} {operands[1]}"
        else:
            value = f"{self._CALLS[name]}({', '.join(operands)})"
        new = f"v{len(self.lines)}"
        self.lines.append(f"const float {new} = {value};")
        return new
