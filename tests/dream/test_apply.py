"""How a plan is written: in short transactions, each of whole steps."""

from contextlib import closing

from mnemo.dream.apply import BATCH_CHANGES
from mnemo.dream.cycle import Caller, run_dream
from mnemo.enums import Actor
from mnemo.settings import Settings
from mnemo.store import Store
from tests.store.scratch import NOW, Sql, fill

PAIRS = 120


def test_no_transaction_changes_more_than_a_hundred_facts_or_half_a_pair(
    settings: Settings, sql: Sql
) -> None:
    lamps = [f"The lamp in room {room} is red" for room in range(PAIRS)]
    with closing(Store(settings.database, now=NOW)) as store:
        fill(store, [*lamps, *(f"{lamp}, as before" for lamp in lamps)])
        before = [0]

        def look() -> None:
            [(retired,)] = sql("SELECT count(*) FROM facts WHERE status = 'merged'")
            [(changed,)] = sql(
                "SELECT count(*) FROM changes JOIN operations USING (op_id) WHERE kind = 'dream'"
            )
            assert changed == 2 * retired, "a pair changes together"
            assert changed - before[-1] <= BATCH_CHANGES
            before.append(changed)

        dreamed = run_dream(store, Caller(NOW, Actor.USER, "s", look))

    assert dreamed.deleted == PAIRS
    assert len(before) > 2 * PAIRS / BATCH_CHANGES


def test_counters_and_tags_of_many_that_become_one_add_up(settings: Settings, sql: Sql) -> None:
    text = "The lamp in the hall is red"
    with closing(Store(settings.database, now=NOW)) as store:
        fill(
            store,
            [
                {"content": text + "." * number, "retrieval_count": 40, "tags": f"t{number}"}
                for number in range(5)
            ],
        )
        dreamed = run_dream(store, Caller(NOW, Actor.USER, "s"))
    assert dreamed.deleted == 4
    [(count, tags)] = sql("SELECT retrieval_count, tags FROM facts WHERE status = 'active'")
    assert count == 200, "though it is protected after the second"
    assert set(tags.split(",")) == {"t0", "t1", "t2", "t3", "t4"}
