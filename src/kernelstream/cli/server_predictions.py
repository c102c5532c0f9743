"""`kernelstream predict --url`: predictions by a server."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .input_files import check_inputs
from .output_files import check_outputs, text_output
from .printable import json_text, without_formula
from .server_url import SentRows, open_model, refuse_rows, rows_to_send
from .terminal import print_skipped

_ROWS = 1000  # of a request


def predict_by_server(
    url: str, data: Sequence[str], output: Path | None, form: str, *, proba: bool, keep: tuple[str, ...],
    escape: bool, skip_bad: bool, reading: dict[str, Any],
) -> None:  # fmt: skip
    """Write one line for each row, in order, as the answers come."""
    check_inputs(None, data)
    from ..readers import RaiseOnBad, SkipBad
    from ..readers.file_stream import expand_names

    files = expand_names(data)
    check_outputs({"-o": output}, list(files), streams=True)
    client, model = open_model(url)
    policy = SkipBad() if skip_bad else RaiseOnBad()
    try:
        with client, text_output(output) as file:
            writer, titles = csv.writer(file, lineterminator="\n"), None
            for sent in rows_to_send(files, reading, policy, _ROWS):
                for line in _lines(client, model, sent, policy, proba, keep, (len(files) > 1, skip_bad)):
                    if form == "jsonl":
                        file.write(json_text(line) + "\n")
                        continue
                    if titles is None:
                        titles = list(line)
                        writer.writerow(titles)
                    writer.writerow([without_formula(value) for value in line.values()] if escape else line.values())
                file.flush()
    finally:
        print_skipped(policy.count, policy.first)


def _lines(
    client: Any, model: str, sent: SentRows, policy: Any, proba: bool, keep: tuple[str, ...], places: tuple[bool, bool]
) -> Iterator[dict[str, Any]]:
    """The columns of the output for each row."""
    from ..client import RequestRefused

    answers: list[Any] | None = None
    while answers is None and sent.rows:
        try:
            answers = (client.predict_proba if proba else client.predict)(model, sent.rows)
        except RequestRefused as error:
            sent = refuse_rows(error, sent, policy)
    several, located = places
    for row, number, answer in zip(sent.rows, sent.lines, answers or [], strict=True):
        absent = next((name for name in keep if name not in row), None)
        if absent is not None:
            raise ValueError(f"{sent.file} has no column {absent!r} to keep. Columns: {', '.join(row)}.")
        line = ({"file": sent.file} if several and located else {}) | ({"line": number} if located else {})
        line |= {name: row[name] for name in keep}
        if proba:
            line |= {"prediction": max(answer, key=answer.__getitem__)}
            line |= {f"probability_{label}": value for label, value in answer.items()}
        else:
            line |= {"prediction": answer}
        yield line
