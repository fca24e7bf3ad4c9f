"""What a change of the spec does to a Baidu stack that is up, and which line of a program a preview names."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.preview import preview
from generator.replacement.steps import foretold_steps
from generator.resources import StackState
from tests.clouds.baiducloud.test_stacks import Stack

MODULE = Path(__file__).parents[3] / "templates" / "baiducloud" / "baiducloud.py"
# What a job stands on or keeps; nodes and node groups may be made anew.
LASTING = (
    "vpc:Vpc",
    "subnet:Subnet",
    "securityGroup:",
    "eip:Eip",
    "natGateway:",
    "bosBucket:",
    "cds:Cds",
    "cfs:Cfs",
    "ccev2Cluster:",
)


def stack(folder: Path, base: str, **values: Any) -> StackState:
    """The preview of the stack that a spec with these values leads to."""
    folder.mkdir()
    return Stack(folder, base, **values).state


@pytest.mark.parametrize("base", ["lora", "pretrain"])
def test_no_change_of_the_workload_replaces_what_lasts(tmp_path: Path, base: str) -> None:
    """The provider replaces what bears a changed tag, so tags of networks, buckets and disks are set once."""
    before = stack(tmp_path / "before", base, tags={"team": "nlp"})
    after = stack(tmp_path / "after", base, tags={"team": "vision"}, **{"data.size": "500GiB"})
    steps = foretold_steps(before, after)
    lasting = [step for step in steps if any(kind in step.resource.type for kind in LASTING)]
    assert len(lasting) >= 5
    assert {step.resource.name for step in lasting if step.op not in {"same", "update"}} == set()


def test_a_preview_names_the_program_s_own_line(tmp_path: Path) -> None:
    """Not the module's, of a resource and of an error: a person mends what they wrote."""
    shutil.copy(MODULE, tmp_path)
    (tmp_path / "Pulumi.yaml").write_text("name: demo\nruntime: python\n")
    program = tmp_path / "__main__.py"
    program.write_text('import baiducloud\n\nbaiducloud.Vpc("vpc", name="demo", cidr="10.0.0.0/16")\n')
    (vpc,) = (one for one in preview(tmp_path).resources if one.name == "vpc")
    assert (vpc.file, vpc.line) == ("__main__.py", 3)
    program.write_text('import baiducloud\n\nbaiducloud.Vpc("vpc", name="demo", cidr=10)\n')
    with pytest.raises(InputError) as raised:
        preview(tmp_path)
    (problem,) = raised.value.problems
    assert problem.where is not None
    assert (Path(problem.where.file).name, problem.where.line) == ("__main__.py", 3)
    assert "cidr: 10, where text is due" in problem.message
