"""The directive `command-options`: a section for each command of `kernelstream`, with its help and its options."""

import re
from typing import Any

import click
import typer
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def plain(text: str) -> str:
    """Help without the markup of rich: `[bold]train[/bold]`; what is left is taken literally."""
    text = re.sub(r"\[/?[a-z #0-9]*\]", "", text.replace("\b", ""))
    return re.sub(r"([*`|\\_])", r"\\\1", text).strip()


def option_rows(command: click.Command) -> list[str]:
    """One definition per option: its names and value, its help."""
    rows = []
    for option in command.params:
        if not isinstance(option, click.Option) or option.hidden:
            continue
        names = ", ".join(f"``{name}``" for name in (*option.opts, *option.secondary_opts))
        value = "" if option.is_flag else f" *{plain(option.metavar or option.type.name.upper())}*"
        rows += [f"{names}{value}", f"   {plain(' '.join((option.help or '').split())) or '…'}", ""]
    return rows


class CommandOptions(SphinxDirective):
    """Written from the program itself, so that it cannot differ from `--help`."""

    def run(self) -> list[nodes.Node]:
        from kernelstream.cli.app import app

        group: Any = typer.main.get_command(app)
        sections = []
        for name in group.list_commands(click.Context(group)):
            command = group.get_command(click.Context(group), name)
            if command.hidden:
                continue
            section = nodes.section(ids=[nodes.make_id(f"command-{name}")])
            section += nodes.title(text=f"kernelstream {name}")
            lines = [*self.help_of(command), "", *option_rows(command)]
            for sub in getattr(command, "commands", {}).values():
                lines += [f"**kernelstream {name} {sub.name}**", "", *self.help_of(sub), "", *option_rows(sub)]
            self.state.nested_parse(StringList(lines, source=__file__), 0, section)
            sections.append(section)
        return list(sections)

    def help_of(self, command: click.Command) -> list[str]:
        """Paragraphs before the examples, and the examples as they are typed."""
        text, _, examples = (command.help or "").partition("Examples")
        lines = plain(" ".join(text.split("\n\n")[0].split())).split("\n")
        for paragraph in text.split("\n\n")[1:]:
            lines += ["", plain(" ".join(paragraph.split()))]
        typed = [re.sub(r"\[/?[a-z #0-9]*\]", "", line.replace("\b", "")).strip() for line in examples.splitlines()]
        typed = [line for line in typed if line]
        return [*lines, "", *(["::", "", *(f"   {line}" for line in typed), ""] if typed else [])]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("command-options", CommandOptions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
