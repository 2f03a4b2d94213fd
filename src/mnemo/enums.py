"""The closed sets: what a fact, an operation or a caller can be. Imports nothing."""

from enum import StrEnum


class Category(StrEnum):
    """The five drawers; every fact lies in exactly one."""

    IDENTITY = "identity"
    CODING_STYLE = "coding_style"
    TOOL_PREF = "tool_pref"
    WORKFLOW = "workflow"
    GENERAL = "general"


class MemoryClass(StrEnum):
    """Whose word a fact is: the user's decision or preference, a fact, or the model's idea."""

    USER_DECISION = "user_decision"
    USER_PREFERENCE = "user_preference"
    FACT = "fact"
    MODEL_SUGGESTION = "model_suggestion"
    MODEL_INFERENCE = "model_inference"


class Status(StrEnum):
    """Where a fact stands; every status but ACTIVE can be restored from."""

    ACTIVE = "active"
    PENDING = "pending"
    MERGED = "merged"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    REMOVED = "removed"


class Actor(StrEnum):
    """Who asked: an agent through the tool, a person at the command line, mnemo by itself."""

    AGENT = "agent"
    USER = "user"
    SYSTEM = "system"


class Op(StrEnum):
    """The kinds of operation: what one call did, and what undo would take back."""

    ADD = "add"
    UPDATE = "update"
    REMOVE = "remove"
    RESTORE = "restore"
    PIN = "pin"
    UNPIN = "unpin"
    FEEDBACK = "feedback"
    LEARN = "learn"
    DREAM = "dream"
    CONFIG = "config"
    UNDO = "undo"
    REDO = "redo"
    PURGE = "purge"


class Track(StrEnum):
    """Whose words a statement is in: the user's own, or the agent's."""

    USER = "user"
    AGENT = "agent"


class Verdict(StrEnum):
    """What a person or an agent thought of a fact that a recall returned."""

    HELPFUL = "helpful"
    UNHELPFUL = "unhelpful"


class Detail(StrEnum):
    """How much of a hit is shown."""

    COMPACT = "compact"
    FULL = "full"


class QualityGate(StrEnum):
    """What becomes of a statement that does not read like one short fact."""

    OFF = "off"  # nothing is said
    HINT = "hint"  # it is stored, and the reply says what is wrong with it
    REJECT = "reject"  # it is refused


class Secrets(StrEnum):
    """What is said of a key, a password or somebody's number in a statement."""

    OFF = "off"
    WARN = "warn"


class Scheduler(StrEnum):
    """What can run a command by the clock."""

    SYSTEMD = "systemd"
    CRON = "cron"
    LAUNCHD = "launchd"
    SCHTASKS = "schtasks"
