"""The verbs that write facts."""

from mnemo.enums import Op, Verdict
from mnemo.errors import MnemoError
from mnemo.models import (
    AddReply,
    FeedbackReply,
    PinReply,
    RemoveReply,
    RestoreReply,
    UpdateReply,
)
from mnemo.session import Session
from mnemo.store import Operation, Store
from mnemo.writing.add import DuplicatePolicy, NewFact, add_fact
from mnemo.writing.feedback import rate_fact
from mnemo.writing.pins import pin_fact, unpin_fact
from mnemo.writing.screening import Scrutiny
from mnemo.writing.status import remove_fact, restore_fact
from mnemo.writing.update import Edit, update_fact


class Writing(Session):
    """Storing, changing, retiring, pinning and rating facts."""

    def add(self, *facts: NewFact) -> tuple[AddReply | MnemoError, ...]:
        """Store statements, in order, as one operation.

        One reply a statement; one that could not be stored leaves its error in its place and
        does not stop the others.
        """
        preferences = self.settings.preferences
        policy = DuplicatePolicy(
            preferences.near_duplicate_threshold, preferences.near_duplicate_action
        )

        scrutiny = self._scrutiny()

        def add(store: Store, op: Operation, fact: NewFact) -> AddReply:
            return add_fact(store, op, fact, policy, scrutiny)

        return self._each(Op.ADD, facts, add)

    def update(self, fact_id: int, edit: Edit) -> UpdateReply:
        """Change the given fields of a fact."""
        with self._operation(Op.UPDATE) as (store, op):
            return update_fact(store, op, fact_id, edit, self._scrutiny())

    def _scrutiny(self) -> Scrutiny:
        preferences = self.settings.preferences
        return Scrutiny(preferences.secrets, preferences.quality_gate)

    def remove(self, *fact_ids: int) -> tuple[RemoveReply | MnemoError, ...]:
        """Take facts out of sight, as one operation; `restore` brings them back."""
        return self._each(Op.REMOVE, fact_ids, remove_fact)

    def restore(self, *fact_ids: int) -> tuple[RestoreReply | MnemoError, ...]:
        """Make retired facts active again, as they were."""
        return self._each(Op.RESTORE, fact_ids, restore_fact)

    def pin(self, *fact_ids: int, reason: str = "") -> tuple[PinReply | MnemoError, ...]:
        """Keep facts from being retired by a dream or lowered by learning, and list them first."""

        def pin(store: Store, op: Operation, fact_id: int) -> PinReply:
            return pin_fact(store, op, fact_id, reason=reason)

        return self._each(Op.PIN, fact_ids, pin)

    def unpin(self, *fact_ids: int) -> tuple[PinReply | MnemoError, ...]:
        """Let pinned facts be as any other again; their trust is what it was."""
        return self._each(Op.UNPIN, fact_ids, unpin_fact)

    def feedback(
        self, verdict: Verdict, *fact_ids: int, query: str = ""
    ) -> tuple[FeedbackReply | MnemoError, ...]:
        """Say whether recalled facts were of use; trust moves by +0.05 or -0.10, once for a fact
        that is named twice.

        ``query`` is the search that returned them: the events then name it.
        """

        def rate(store: Store, op: Operation, fact_id: int) -> FeedbackReply:
            return rate_fact(store, op, fact_id, verdict, query=query)

        return self._each(Op.FEEDBACK, tuple(dict.fromkeys(fact_ids)), rate)
