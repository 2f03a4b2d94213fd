"""The store as the rules of a dream see it."""

from mnemo.dream.plan import DreamFact
from mnemo.store import Store


def collect(store: Store, *fact_ids: int) -> list[DreamFact]:
    """The active facts, by id; where facts are named, those, of any status."""
    return [
        DreamFact(
            fact_id=row["fact_id"],
            content=row["content"],
            summary=row["summary"],
            category=row["category"],
            category_locked=bool(row["category_locked"]),
            trust=row["trust"],
            retrieval_count=row["retrieval_count"],
            pinned=bool(row["pinned"]),
            created_at=row["created_at"],
        )
        for row in store.evidence.for_dreaming(*fact_ids)
    ]
