"""`kernelstream export`."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .exit_status import UsageError, exit_on_error
from .input_files import check_inputs
from .model_options import Json
from .output_files import check_outputs
from .predict import ModelFile
from .printable import printable
from .terminal import out, print_json, size

if TYPE_CHECKING:
    from ..export.c import Header
    from ..export.portable_model import Exportable

Onnx = Annotated[Path | None, typer.Option("--onnx", help="ONNX file to write.", show_default=False)]
C = Annotated[Path | None, typer.Option("--c", help="C header to write.", show_default=False)]
Int8 = Annotated[
    bool,
    typer.Option(
        "--int8",
        help="Store the C tables in 8 bits, about a third of the size. (default: as train --deploy-size)",
    ),
]
MaxSize = Annotated[str | None, typer.Option(help="Maximum size of the C tables, e.g. 64KB.", show_default=False)]
Name = Annotated[
    str | None, typer.Option(help="Prefix of names in the C header. (default: the file name)", show_default=False)
]


def export(
    model: ModelFile,
    onnx: Onnx = None,
    c: C = None,
    int8: Int8 = False,
    max_size: MaxSize = None,
    name: Name = None,
    json: Json = False,
) -> None:
    """Export a model to ONNX or to a C header for microcontrollers, with the scaling of rows.

    **Examples**

    `kernelstream export income.ks --onnx income.onnx`

    `kernelstream export digits.ks --c digits.h --int8 --max-size 64KB`
    """
    with exit_on_error(json):
        limit = _limit(max_size)
        if onnx is None and c is None:
            raise UsageError("Nothing to write: use --onnx FILE, --c FILE, or both.")
        if c is None and (int8 or limit is not None or name is not None):
            raise UsageError("--int8, --max-size and --name need --c FILE.")
        check_outputs({"--c": c, "--onnx": onnx}, [model])
        check_inputs(model)
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
            _print(found)
        if limit is not None and found["table_bytes"] > limit:
            raise _too_large(found, limit)
        for path, data in files.items():
            replace_file(path, data)
        if json:
            print_json(found)
        else:
            out().print(f"Written: {', '.join(printable(str(path)) for path in files)}.")


def _limit(text: str | None) -> int | None:
    if text is None:
        return None
    from ..budgets.memory import bytes_in

    found = bytes_in(text)
    if found is None:
        raise UsageError(f"--max-size is {text!r}; use a size such as 64KB (64,000 bytes) or 64KiB (65,536).")
    return found


def opened(path: Path) -> "Exportable":
    """The model of a file, with its preparation of rows if the file has one."""
    from ..pipeline import StreamPipeline
    from ..pipeline.stream_pipeline import KEY
    from ..saving import read

    saved = read(path)
    return StreamPipeline.load(path) if KEY in saved.description.extra else saved.model


def name_of(path: Path) -> str:
    """An identifier in C from the name of a file.

    >>> name_of(Path("out/my-digits.2.h")), name_of(Path("3.h"))
    ('my_digits_2', 'model_3')
    """
    name = re.sub(r"[^A-Za-z0-9]+", "_", path.stem).strip("_")
    return name if name[:1].isalpha() else f"model_{name}".rstrip("_")


def _header(source: "Exportable", path: Path, name: str | None, int8: bool) -> "tuple[Header, str]":
    from ..export.c import assemble, chosen_dtype
    from ..export.c.c_syntax import identifier

    dtype = "int8" if int8 else chosen_dtype(source)
    try:
        chosen = identifier(name_of(path) if name is None else name)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    return assemble(source, chosen, dtype), dtype


def _graph(source: "Exportable") -> tuple[bytes, dict[str, Any]]:
    from ..export.onnx import to_onnx

    made = to_onnx(source)
    names = {"inputs": [i.name for i in made.graph.input], "outputs": [o.name for o in made.graph.output]}
    return made.SerializeToString(), names


def _print(found: dict[str, Any]) -> None:
    if "c" in found:
        tables = f"{found['table_bytes']:,} bytes of {found['dtype']} tables"
        out().print(f"C header: {tables}, {size(found['text_bytes'])} of source text")
        if found["changed"] is not None:
            out().print(f"int8 changes the label of {100 * found['changed']:.1f} % of points between support vectors")
    if "onnx" in found:
        names = f"inputs {', '.join(found['inputs'])}; outputs {', '.join(found['outputs'])}"
        out().print(f"ONNX: {size(found['onnx_bytes'])}; {names}")


def _too_large(found: dict[str, Any], limit: int) -> ValueError:
    way = "Train with a smaller --budget"
    if found["dtype"] != "int8":
        way = "Use --int8, or train with a smaller --budget"
    return ValueError(
        f"The tables take {found['table_bytes']:,} bytes, and --max-size allows {limit:,}; nothing was written. {way}."
    )
