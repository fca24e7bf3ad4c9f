"""`trainform schema` prints the schema as JSON and nothing else."""

import json

import pytest

from generator.cli import main
from generator.spec import schema


def test_the_schema_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """An editor can be pointed at the output."""
    with pytest.raises(SystemExit) as caught:
        main(["schema"])
    assert not caught.value.code
    assert json.loads(capsys.readouterr().out) == schema()
