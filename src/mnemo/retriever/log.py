"""Every search leaves a row in the log, as best it can: a log that cannot be written is said on
stderr and is never the reason that a search fails.
"""

import logging
from collections.abc import Sequence
from datetime import datetime

from mnemo.models import Hit
from mnemo.store import Recalled, Store, StoreError

_log = logging.getLogger("mnemo")


def log_retrieval(store: Store, query: str, hits: Sequence[Hit], *, now: datetime) -> None:
    """Keep the raw query with the ids and scores as they were returned, and count the recall."""
    try:
        store.retrievals.log(query, [Recalled(h.fact_id, h.score) for h in hits], now=now)
    except StoreError as error:
        _log.warning("this search could not be logged: %s", error)
