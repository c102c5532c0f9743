"""Tables and queries of SQLite and DuckDB databases, read only and row by row."""

import sqlite3
from abc import abstractmethod
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ClassVar

from .bad_lines import shown
from .byte_source import ByteSource
from .schema import Options, listed
from .typed_rows import Row, TypedRowReader

_DENIED = ("not authorized", "authorization denied")  # by the authorizer of SQLite
_FETCHED = 1024  # rows at a time
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


class SqlReader(TypedRowReader):
    """A query is a single SELECT statement, or the name of a table; none is needed if there is one table.

    The connection can neither write nor open another file. Positions are numbers of rows: a run that is resumed runs
    the query again.
    """

    numbers_in_text = True
    database: ClassVar[str]  #: as messages name it
    errors: tuple[type[Exception], ...] = ()
    tables: ClassVar[str]  #: a query for their names

    def __init__(self, source: ByteSource, options: Options):
        self._path, self.source, self._statement = source.local_path(f"a {self.database} database"), source, ""
        with self._connected() as connection:
            self._statement = self._select(connection, options.query)
            names = self._column_names(connection)
        super().__init__(source, options, names)

    @abstractmethod
    def connect(self, path: str) -> Any:
        """A connection that can only read this file."""

    def _select(self, connection: Any, query: str | None) -> str:
        if query is not None and len(query.split()) > 1:
            return query.strip().rstrip(";")
        found = [str(name) for (name,) in connection.execute(self.tables).fetchall()]
        if query is None and len(found) != 1:
            raise ValueError(
                f"{self.source.name} has {len(found)} tables. Name one, or write a SELECT statement, with --query. "
                f"Tables: {listed(found) or 'none'}."
            )
        name = found[0] if query is None else query
        if name not in found:
            raise ValueError(f"{self.source.name} has no table {name!r}. Tables: {listed(found) or 'none'}.")
        quoted = name.replace('"', '""')
        return f'SELECT * FROM "{quoted}"'

    def _column_names(self, connection: Any) -> list[str]:
        self.check_statement(connection, self._statement)
        names = [str(column[0]) for column in connection.execute(self._statement).description or ()]
        twice = [name for i, name in enumerate(names) if name in names[:i]]
        if twice:
            raise ValueError(
                f"{self.source.name}: two columns of the query are named {twice[0]!r}. Rename one with AS."
            )
        if not names:
            raise self._not_a_select()
        return names

    def check_statement(self, connection: Any, statement: str) -> None:
        """A ValueError if this is not a single SELECT statement."""

    def _not_a_select(self) -> ValueError:
        return ValueError(f"--query must be a single SELECT statement, or the name of a table of {self.source.name}.")

    def rows(self) -> Generator[Row]:
        with self._connected() as connection:
            cursor = connection.execute(self._statement)
            while found := cursor.fetchmany(_FETCHED):
                yield from found

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        try:
            with closing(self.connect(self._path)) as connection:
                yield connection
        except self.errors as error:
            if any(text in str(error) for text in _DENIED):
                raise self._not_a_select() from None
            what = f"the query {shown(self._statement)} failed" if self._statement else "it cannot be opened"
            raise ValueError(f"{self.source.name}: {what}: {str(error).splitlines()[0].rstrip('.')}.") from None


class SqliteReader(SqlReader):
    database, errors = "SQLite", (sqlite3.Error, sqlite3.Warning)
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name"

    def connect(self, path: str) -> sqlite3.Connection:
        self._check_length()
        # another thread reads the rows than the one that has inspected them, one after the other
        found = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        found.text_factory = lambda data: data.decode(errors="surrogateescape")
        # the file may be a stranger's: its views and indices may call no function with side effects
        found.execute("PRAGMA trusted_schema = OFF")
        found.execute("PRAGMA cell_size_check = ON")
        found.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY)
        return found

    def _check_length(self) -> None:
        """A ValueError if the file is shorter than it says: SQLite would read the rest as zeros."""
        head = self.source.head
        page, pages = (int.from_bytes(head[start:end]) for start, end in ((16, 18), (28, 32)))
        known = len(head) >= 100 and head[24:28] == head[92:96]  # not in files of versions before 3.7
        if known and self.source.location.size < (1 << 16 if page == 1 else page) * pages:
            raise ValueError(f"{self.source.name} is truncated. Get the file again.")


class DuckdbReader(SqlReader):
    database = "DuckDB"
    tables = "SELECT table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE' ORDER BY table_name"

    def connect(self, path: str) -> Any:
        try:
            import duckdb
        except ImportError:
            raise ImportError('DuckDB databases are read with duckdb: pip install "kernelstream[duckdb]"') from None
        self.errors = (duckdb.Error,)
        config: Any = {"enable_external_access": "false", "lock_configuration": "true", "threads": "1"}
        return duckdb.connect(path, read_only=True, config=config)

    def check_statement(self, connection: Any, statement: str) -> None:
        import duckdb

        found = connection.extract_statements(statement)
        if len(found) != 1 or found[0].type != duckdb.StatementType.SELECT:
            raise self._not_a_select()
