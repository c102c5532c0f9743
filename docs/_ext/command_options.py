"""The directive `command-options`: a section for each command of `kernelstream`, with its help and its options.

It is for Markdown pages, because the help of the commands is Markdown.
"""

from typing import Any

import typer
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def option_table(command: Any) -> list[str]:
    """One row per option: its names and value, and what it does."""
    rows = []
    for option in command.params:
        if option.param_type_name != "option" or getattr(option, "hidden", False):
            continue
        names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
        value = f" {option.metavar}" if option.metavar else ""
        text = " ".join((option.help or "").split()).replace("|", "\\|").replace("<", "&lt;")
        rows.append(f"| {names}{value} | {text} |")
    return ["| option | meaning |", "|---|---|", *rows, ""] if rows else []


def described(command: Any) -> list[str]:
    """The help: paragraphs, and the examples in one block."""
    lines: list[str] = []
    examples: list[str] = []
    for line in (command.help or "").replace("\b", "").splitlines():
        code, tick, note = line.strip().removeprefix("`").partition("`")
        if line.strip().startswith("`kernelstream") or (line.strip().startswith("`") and "| kernelstream" in code):
            examples.append(f"{code}    # {note.strip()}" if tick and note.strip() else code)
        else:
            lines.append(line)
    return [*lines, "", "```text", *examples, "```", ""] if examples else [*lines, ""]


class CommandOptions(SphinxDirective):
    """Written from the program itself, so that it cannot differ from `--help`."""

    def run(self) -> list[nodes.Node]:
        from kernelstream.cli.app import app

        sections: list[nodes.Node] = []
        program: Any = typer.main.get_command(app)
        before = nodes.section(ids=["options-before-the-command"])
        before += nodes.title(text="Options before the command")
        self.state.nested_parse(StringList(option_table(program), source=__file__), 0, before)
        sections.append(before)
        for name, command in program.commands.items():
            if command.hidden:
                continue
            section = nodes.section(ids=[nodes.make_id(f"command-{name}")])
            section += nodes.title(text=f"kernelstream {name}")
            lines = [*described(command), *option_table(command)]
            for sub in getattr(command, "commands", {}).values():
                lines += [f"**kernelstream {name} {sub.name}**", "", *described(sub), *option_table(sub)]
            self.state.nested_parse(StringList(lines, source=__file__), 0, section)
            sections.append(section)
        return sections


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("command-options", CommandOptions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
