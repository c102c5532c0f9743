"""A reader of your own: logs with key=value pairs in each line."""

from kernelstream.readers import Format, TypedRowReader, register_format


def pairs(line):
    """The pairs of a line: b"temp=21.5 state=ok" has {"temp": 21.5, "state": "ok"}."""
    found = {}
    for word in line.decode().split():
        key, mark, text = word.partition("=")
        if not mark:
            raise ValueError(f"{word!r} is not of the form key=value")
        try:
            found[key] = float(text)
        except ValueError:
            found[key] = text or None
    return found


class LogfmtReader(TypedRowReader):
    """The first line names the columns; a key that is missing in a later line is a missing value."""

    def __init__(self, source, options):
        super().__init__(source, options, list(pairs(source.head.splitlines()[0])))

    def rows(self):
        for number, line in enumerate(self.source.as_file(), 1):
            try:
                found = pairs(line)
            except ValueError as error:
                raise ValueError(f"{self.source.name}, line {number:,}: {error}.") from None
            yield [found.get(name) for name in self.names]


register_format("logfmt", Format(LogfmtReader, suffixes=(".logfmt",)))
