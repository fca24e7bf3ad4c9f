"""The table stack x step that stands before the closing lines of a run."""

from tests.engine.summary import journeys


def test_a_row_a_stack_and_a_column_a_step() -> None:
    """Steps stand in the order they were taken, what a stack did not come to is a dash; no journey is no table."""
    taken = [("b/cloud", "init", "1.0 s"), ("b/cloud", "up", "FAILED"), ("a/cloud", "init", "12.5 s")]
    assert journeys(taken) == [
        "stack    init    up",
        "a/cloud  12.5 s  -",
        "b/cloud  1.0 s   FAILED",
    ]
    assert journeys([]) == []
