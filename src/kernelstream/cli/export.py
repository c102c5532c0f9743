"""`kernelstream export`."""

import json as json_module
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import choices
from .endings import WrongCommand, endings
from .predict import ModelFile
from .screen import size

if TYPE_CHECKING:
    from ..export.c import Header
    from ..export.portable_model import Exportable

Onnx = Annotated[Path | None, typer.Option("--onnx", help="Write an ONNX model there.", show_default=False)]
C = Annotated[Path | None, typer.Option("--c", help="Write a C header there.", show_default=False)]
Int8 = Annotated[bool, typer.Option("--int8", help="Tables of 8 bits in the C header, a quarter of the size.")]
MaxSize = Annotated[
    str | None, typer.Option(help="Refuse if the tables of the C header are larger, e.g. 64KB.", show_default=False)
]
Name = Annotated[
    str | None, typer.Option(help="What names in the C header begin with; else that of the file.", show_default=False)
]


def export(
    model: ModelFile,
    onnx: Onnx = None,
    c: C = None,
    int8: Int8 = False,
    max_size: MaxSize = None,
    name: Name = None,
    json: choices.Json = False,
) -> None:
    """Write a model as ONNX, or as a C header for microcontrollers. Both take raw rows: scaling is included.

    **Examples**

    `kernelstream export income.ks --onnx income.onnx`

    `kernelstream export digits.ks --c digits.h --int8 --max-size 64KB`
    """
    with endings(json):
        limit = _limit(max_size)
        if onnx is None and c is None:
            raise WrongCommand("Say what to write: --onnx FILE, --c FILE, or both.")
        if c is None and (int8 or limit is not None or name is not None):
            raise WrongCommand("--int8, --max-size and --name are about the C header: say --c FILE too.")
        for path in (c, onnx):
            if path is not None and not path.absolute().parent.is_dir():
                raise WrongCommand(f"{path} cannot be written: there is no folder {path.absolute().parent}.")
        from ..saving.atomic_write import replace_file

        source = opened(model)
        found: dict[str, Any] = {}
        files: dict[Path, bytes] = {}
        if c is not None:
            header, dtype = _header(source, c, name, int8)
            found |= {"c": str(c), "dtype": dtype, "text_bytes": header.text_bytes} | header._asdict()
            files[c] = found.pop("text").encode()
        if onnx is not None:
            files[onnx], about = _graph(source)
            found |= {"onnx": str(onnx), "onnx_bytes": len(files[onnx])} | about
        if not json:
            _tell(found)
        if limit is not None and found["table_bytes"] > limit:
            raise _too_large(found, limit)
        for path, data in files.items():
            replace_file(path, data)
        if json:
            print(json_module.dumps(found, ensure_ascii=False))
        else:
            print(f"Written: {', '.join(map(str, files))}.")


def _limit(text: str | None) -> int | None:
    if text is None:
        return None
    from ..budgets.memory import bytes_in

    found = bytes_in(text)
    if found is None:
        raise WrongCommand(f"--max-size is {text!r}; say a size such as 64KB (64,000 bytes) or 64KiB (65,536).")
    return found


def opened(path: Path) -> "Exportable":
    """The model of a file, with its preparation of rows where the file has one."""
    from ..pipeline import StreamPipeline
    from ..pipeline.stream_pipeline import KEY
    from ..saving import read

    saved = read(path)
    return StreamPipeline.load(path) if KEY in saved.description.extra else saved.model


def name_of(path: Path) -> str:
    """A name in C made of that of a file.

    >>> name_of(Path("out/my-digits.2.h")), name_of(Path("3.h"))
    ('my_digits_2', 'model_3')
    """
    name = re.sub(r"[^A-Za-z0-9]+", "_", path.stem).strip("_")
    return name if name[:1].isalpha() else f"model_{name}".rstrip("_")


def _header(source: "Exportable", path: Path, name: str | None, int8: bool) -> "tuple[Header, str]":
    from ..export.c import assemble
    from ..export.c.c_syntax import identifier

    dtype = "int8" if int8 else "float32"
    try:
        chosen = identifier(name_of(path) if name is None else name)
    except ValueError as error:
        raise WrongCommand(f"--{error}") from None
    return assemble(source, chosen, dtype), dtype


def _graph(source: "Exportable") -> tuple[bytes, dict[str, Any]]:
    from ..export.onnx import to_onnx

    made = to_onnx(source)
    names = {"inputs": [i.name for i in made.graph.input], "outputs": [o.name for o in made.graph.output]}
    return made.SerializeToString(), names


def _tell(found: dict[str, Any]) -> None:
    if "c" in found:
        tables = f"tables of {found['table_bytes']:,} bytes in {found['dtype']}"
        print(f"C header: {tables}, {size(found['text_bytes'])} of text")
        if found["changed"] is not None:
            print(f"8 bits change the label of {100 * found['changed']:.1f} % of points between support vectors")
    if "onnx" in found:
        names = f"inputs {', '.join(found['inputs'])}; outputs {', '.join(found['outputs'])}"
        print(f"ONNX: {size(found['onnx_bytes'])}; {names}")


def _too_large(found: dict[str, Any], limit: int) -> ValueError:
    way = "Train with a smaller --budget"
    if found["dtype"] != "int8":
        way = "Say --int8, or train with a smaller --budget"
    return ValueError(
        f"The tables take {found['table_bytes']:,} bytes, and --max-size allows {limit:,}; nothing was written. {way}."
    )
