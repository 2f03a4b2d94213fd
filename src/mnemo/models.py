"""The values that travel between the rooms, frozen.

Nothing here knows a database or a protocol. A reply's field without a default is always in the
answer; a field with a default is left out where it holds that default, so that an answer says
only what there is to say (`Reply.as_json`).
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

from mnemo import times

Stamp = Annotated[str | None, PlainSerializer(times.shown)]
# Steps of 0.05 leave a tail such as 0.6000000000000001, which is of no use to anybody.
Trust = Annotated[float, PlainSerializer(lambda trust: round(trust, 4), when_used="json")]


class Frozen(BaseModel):
    """A value: cannot be changed, compares by content."""

    # Built when first used: a process needs few of the models, and building takes time.
    model_config = ConfigDict(frozen=True, defer_build=True)


class Fact(Frozen):
    """One stored statement with all its columns. Times are as stored: UTC."""

    fact_id: int
    content: str
    category: str
    tags: tuple[str, ...]
    summary: str | None
    trust_score: Trust
    retrieval_count: int
    helpful_count: int
    unhelpful_count: int
    last_retrieved_at: Stamp
    created_at: Stamp
    updated_at: Stamp
    date: str | None
    status: str
    status_reason: str | None
    merged_into: int | None
    pinned: bool
    pin_reason: str | None
    memory_class: str
    source_ref: str | None
    project_id: str | None
    summary_source: str | None
    flags: tuple[str, ...]
    # Bookkeeping of learning, not shown.
    discounted: int = Field(exclude=True)
    learn_retrievals: int = Field(exclude=True)
    learn_helpful: int = Field(exclude=True)
    # No column: the facts that were merged into this one, where somebody asked for them.
    absorbed: tuple[int, ...] = ()
    # No column: the names of the people and things that it names, likewise.
    entities: tuple[str, ...] = ()


class Reply(Frozen):
    """An answer as it goes out through a door."""

    def as_json(self) -> dict[str, Any]:
        """The answer as plain JSON values, without the fields that have nothing to say."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)


class Similar(Frozen):
    """Another fact, and how close it is: 0 … 1."""

    fact_id: int
    similarity: float
    contrast: str = ""


class AddReply(Reply):
    """What became of one statement that was to be stored."""

    fact_id: int
    status: str
    category: str
    memory_class: str = "fact"
    reason: str = ""
    warnings: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    similar_to: tuple[Similar, ...] = ()
    conflicts_with: tuple[Similar, ...] = ()


class Hit(Frozen):
    """One fact that a search found, in its compact form."""

    fact_id: int = Field(serialization_alias="factId")
    display: str
    category: str
    trust_score: float = Field(serialization_alias="trustScore")
    score: float


class Explanation(Frozen):
    """The parts of a hit's score."""

    fts: float
    jaccard: float
    relevance: float
    penalty: float
    match_on: str


class ExplainedHit(Explanation, Hit):
    """A compact hit with the parts of its score."""


class FullHit(Hit):
    """One fact that a search found, with everything a reader may want next."""

    content: str
    summary: str | None
    tags: tuple[str, ...]
    status: str
    date: str | None
    created_at: Stamp
    flags: tuple[str, ...]


class ExplainedFullHit(Explanation, FullHit):
    """A full hit with the parts of its score."""


class SearchReply(Reply):
    """The facts that a search found, best first."""

    results: tuple[ExplainedFullHit | FullHit | ExplainedHit | Hit, ...]
    count: int
    notes: tuple[str, ...] = ()


class Named(Frozen):
    """How a fact has to do with a name that was asked for."""

    via: str | tuple[str, ...] = ""  # "entity" or "text"; the names that bridge
    covered: tuple[str, ...] = ()  # of several names those that it names, where not all


class NamedHit(Named, Hit):
    """A compact hit of a question by name."""


class FullNamedHit(Named, FullHit):
    """A full hit of a question by name."""


class NamedReply(Reply):
    """The facts that a question by name found, best first."""

    results: tuple[FullNamedHit | NamedHit, ...]
    count: int
    notes: tuple[str, ...] = ()


class FactsReply(Reply):
    """Whole records. ``total`` counts what matched, also beyond this page; ``missing`` are ids that
    were asked for and that no fact has.
    """

    facts: tuple[Fact, ...]
    count: int
    total: int
    missing: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


class UpdateReply(Reply):
    """What an update did."""

    updated: bool
    fact_id: int
    note: str = ""
    warnings: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


class RemoveReply(Reply):
    """Whether a fact was taken out of sight; it can be restored."""

    fact_id: int
    removed: bool
    note: str = ""


class RestoreReply(Reply):
    """That a retired fact is active again, and what it was before."""

    restored: bool
    fact_id: int
    origin: str = Field(serialization_alias="from")
    notes: tuple[str, ...] = ()


class PinReply(Reply):
    """Whether a fact is pinned now."""

    fact_id: int
    pinned: bool
    note: str = ""


class ConfigReply(Reply):
    """Settings as they hold now, where they are written, and which of them a change changed."""

    path: str
    settings: dict[str, Any]
    changed: tuple[str, ...] = ()


class FeedbackReply(Reply):
    """What a rating changed."""

    fact_id: int
    old_trust: float = Field(serialization_alias="oldTrust")
    new_trust: float = Field(serialization_alias="newTrust")
    helpful_count: int = Field(serialization_alias="helpfulCount")
    note: str = ""


class LongFact(Frozen):
    """A fact whose match text is long enough to cost it rank."""

    id: int
    content_length: int
    penalty: float
    has_summary: bool


class TrustChange(Frozen):
    """One change of trust that learn made or would make."""

    id: int
    rule: str
    reason: str  # the same for a person: what was seen
    old_trust: float
    new_trust: float


class LearnReply(Reply):
    """What learn changed; the four counts sum to the active facts."""

    promoted: int
    demoted: int
    aged: int
    unchanged: int
    long_facts: tuple[LongFact, ...]
    dry_run: bool = False
    changes: tuple[TrustChange, ...] = ()


class StatusReply(Reply):
    """Where the store is and how it stands."""

    version: str
    db_path: str
    schema_version: int
    facts: dict[str, int]
    categories: dict[str, int]
    log_rows: int
    index_pending: int
    last_learn_at: Stamp
    last_dream_at: Stamp
    settings: dict[str, Any] = {}  # that differ from their defaults
    notes: tuple[str, ...] = ()
