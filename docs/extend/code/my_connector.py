"""A connector of your own: new rows of a SQLite table, learned exactly once."""

import sqlite3
import time

from kernelstream.serve.connectors import SourceBatch


class TableSource:
    """Rows of a table in the order of an increasing key. The position is the last key that was learned."""

    BATCH = 500

    def __init__(self, path, table, key="id", until_end=False):
        self.database = sqlite3.connect(path, check_same_thread=False)
        self.database.row_factory = sqlite3.Row
        self.table, self.key, self.until_end = table, key, until_end
        self.part, self.last = f"table:{path}:{table}", -1

    def seek(self, positions):
        """Continue at the position that was stored with the rows, if there is one."""
        self.last = int(positions.get(self.part, self.last))

    def batches(self):
        """Rows as they come; an empty batch while there are none, so that whoever reads can stop."""
        query = f"SELECT * FROM {self.table} WHERE {self.key} > ? ORDER BY {self.key} LIMIT {self.BATCH}"
        while True:
            found = [dict(row) for row in self.database.execute(query, (self.last,))]
            if found:
                self.last = found[-1][self.key]
                places = [f"{self.table}, {self.key} {row.pop(self.key)}" for row in found]
                yield SourceBatch(found, places, {self.part: str(self.last)})
            elif self.until_end:
                return
            else:
                yield SourceBatch()
                time.sleep(0.2)

    def close(self):
        """Called when nothing is read any more."""
        self.database.close()
