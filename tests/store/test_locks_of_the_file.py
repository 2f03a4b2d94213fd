import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from mnemo.store.connection import connect

ANOTHER_PROGRAM = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT count(*) FROM t").fetchone()
connection.close()
"""


def test_opening_the_file_a_second_time_does_not_let_another_program_drop_our_log(
    tmp_path: Path,
) -> None:
    path = tmp_path / "facts.db"
    with closing(connect(path)) as first, closing(connect(path)):
        first.execute("PRAGMA journal_mode=WAL")
        first.execute("CREATE TABLE t(x)")
        subprocess.run([sys.executable, "-c", ANOTHER_PROGRAM, str(path)], check=True)
        first.execute("INSERT INTO t VALUES (1)")
        with closing(sqlite3.connect(path)) as fresh:
            assert fresh.execute("SELECT x FROM t").fetchall() == [(1,)]
