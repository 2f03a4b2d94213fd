"""Memory: the whole public Python API, one method a verb.

Each method is one operation or one read, and raises a `MnemoError` that says what is wrong and
what to do; the store is as it was then. How the file is opened and shared is the session's.
"""

from mnemo.memory.asking import LIST_CAP, LIST_LIMIT, Asking
from mnemo.memory.graph import Graph
from mnemo.memory.keeping import Keeping
from mnemo.memory.narrowing import Narrowing
from mnemo.memory.past import Past
from mnemo.memory.upkeep import Upkeep
from mnemo.memory.writing import Writing

__all__ = ["LIST_CAP", "LIST_LIMIT", "Memory", "Narrowing"]


class Memory(Writing, Asking, Graph, Upkeep, Past, Keeping):
    """The memory in one database file."""
