"""The embedded preview: what a program makes, and what is wrong with it, without an engine."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from generator.errors import InputError, Problem
from generator.preview import preview
from generator.program.values import SECRET, UNKNOWN
from generator.resources import Resource, StackState

PROJECT = """
name: p
runtime: {name: python}
config:
  alicloud:region: {value: cn-beijing}
  zone: {type: string}
  size: {type: integer, default: 40}
  releaseAt: {type: string}
"""


def stack(folder: Path, program: str, project: str = PROJECT, **files: str) -> Path:
    """A stack folder with this program."""
    (folder / "Pulumi.yaml").write_text(project)
    (folder / "__main__.py").write_text("import pulumi\nimport pulumi_alicloud as ali\n" + textwrap.dedent(program))
    for name, text in files.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))
    return folder


def faults(folder: Path, program: str, **more: str) -> list[Problem]:
    """What the preview of this program complains of."""
    with pytest.raises(InputError) as caught:
        preview(stack(folder, program, **more))
    return list(caught.value.problems)


def named(state: StackState, name: str) -> Resource:
    """The resource of this name."""
    return next(entry for entry in state.resources if entry.name == name)


def test_resources_and_references(tmp_path: Path) -> None:
    """Inputs, places, references, protection and outputs are told; ids are unknown, and what is unknown stays so."""
    state = preview(
        stack(
            tmp_path,
            """
            from network import vpc
            config = pulumi.Config()
            switch = ali.vpc.Switch("sw", vpc_id=vpc.id, cidr_block="10.0.0.0/24", zone_id=config.require("zone"))
            both = pulumi.Output.all(vpc.id, switch.id).apply(lambda ids: ",".join(ids))
            ali.ecs.EcsDisk("disk", size=config.require_int("size"), category="cloud_essd", description=both,
                            zone_id=switch.zone_id, opts=pulumi.ResourceOptions(protect=True))
            pulumi.export("vpc", vpc.id)
            pulumi.export("trainform", {"run_hours": 3.5})
            """,
            network='import pulumi_alicloud as ali\n\nvpc = ali.vpc.Network("vpc", cidr_block="10.0.0.0/16")\n',
        )
    )
    vpc, switch, disk = named(state, "vpc"), named(state, "sw"), named(state, "disk")
    assert vpc.urn == "urn:pulumi:dev::p::alicloud:vpc/network:Network::vpc"
    assert (vpc.file, vpc.line) == ("network.py", 3)
    assert switch.inputs == {"cidrBlock": "10.0.0.0/24", "vpcId": UNKNOWN, "zoneId": UNKNOWN}
    assert switch.property_dependencies["vpcId"] == (vpc.urn,)
    assert disk.inputs["size"] == 40
    assert disk.inputs["zoneId"] is UNKNOWN
    assert set(disk.property_dependencies["description"]) == {vpc.urn, switch.urn}
    assert disk.protect
    assert not vpc.protect
    assert state.outputs == {"vpc": UNKNOWN, "trainform": {"run_hours": 3.5}}
    assert state.config["p:releaseAt"] == "2030-01-01T00:00:00Z"


def test_same_answer_twice(tmp_path: Path) -> None:
    """The order of registrations leaves no trace."""
    folder = stack(
        tmp_path, "for n in range(6): ali.vpc.Network(f'v{n}', cidr_block='10.0.0.0/16', tags={'b': '1', 'a': '2'})\n"
    )
    assert preview(folder) == preview(folder)


def test_component(tmp_path: Path) -> None:
    """A child of a component has the component's type in its URN, as the engine writes it."""
    program = """
        class Pair(pulumi.ComponentResource):
            def __init__(self, name):
                super().__init__("my:index:Pair", name)
                ali.vpc.Network("inner", cidr_block="10.0.0.0/16", opts=pulumi.ResourceOptions(parent=self))
        Pair("pair")
    """
    inner = named(preview(stack(tmp_path, program)), "inner")
    assert inner.urn == "urn:pulumi:dev::p::my:index:Pair$alicloud:vpc/network:Network::inner"


def test_secrets_never_leave_the_program(tmp_path: Path) -> None:
    """A secret input is known to be one, and its value is nowhere; one computed from it is secret too."""
    program = """
        secret = pulumi.Output.secret("hunter2")
        ali.ecs.EcsDisk("disk", disk_name=secret, tags={"x": secret.apply(lambda s: s + "!")}, size=40)
        pulumi.export("s", secret)
    """
    state = preview(stack(tmp_path, program))
    assert named(state, "disk").inputs["diskName"] is SECRET
    assert state.outputs == {"s": SECRET}
    assert "hunter2" not in repr(state)


def test_stack_file_of_a_person(tmp_path: Path) -> None:
    """`stack` takes a person's values; what only their passphrase opens is unknown and secret."""
    program = """
        config = pulumi.Config()
        ali.ecs.EcsDisk("disk", zone_id=config.require("zone"), size=config.require_int("size"),
                        disk_name=config.require_secret("name"), tags={"at": config.require("releaseAt")})
    """
    folder = stack(tmp_path, program)
    (folder / "Pulumi.prod.yaml").write_text(
        "config:\n  p:zone: cn-beijing-l\n  p:size: 77\n  name: {secure: AAAB}\n  p:releaseAt: 2027-01-31T00:00:00Z\n"
    )
    disk = named(preview(folder, stack="prod"), "disk")
    assert (disk.inputs["zoneId"], disk.inputs["size"]) == ("cn-beijing-l", 77)
    assert disk.inputs["tags"] == {"at": "2027-01-31T00:00:00Z"}
    assert disk.inputs["diskName"] in {SECRET, UNKNOWN}
    with pytest.raises(InputError, match=r"no Pulumi\.test\.yaml") as caught:
        preview(folder, stack="test")
    assert caught.value.problems[0].hint == "there are: prod"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            'data_disks=[{"size": 100, "categry": "cloud_essd"}]',
            "dataDisks[0].categry: no such argument; did you mean category?",
        ),
        ('system_disk_size="40"', "systemDiskSize: text where a whole number is due"),
        ("system_disk_size=40.5", "systemDiskSize: a number where a whole number is due"),
        ("instance_name=7", "instanceName: a number where text is due"),
        ("system_disk_encrypted='yes'", "systemDiskEncrypted: text where true or false is due"),
        ("security_groups='sg-1'", "securityGroups: text where a list is due"),
        ("security_groups=[1]", "securityGroups[0]: a number where text is due"),
        ("tags={'n': 1}", "tags.n: a number where text is due"),
        ('network_interfaces={"queue_pair_numbr": 1}', "networkInterfaces.queue_pair_numbr: no such argument"),
        ("instance_type={'a': 1}", "instanceType: a block where text is due"),
        ("instance_name=pulumi.Output.secret(7)", "instanceName: a number where text is due"),
    ],
)
def test_inputs_against_the_sdk(tmp_path: Path, arguments: str, words: str) -> None:
    """An input of a wrong name or type is refused with its path and line, at any depth."""
    found = faults(tmp_path, f'ali.ecs.Instance("node", {arguments})\n')
    assert words in found[0].message
    assert found[0].where is not None
    assert found[0].where.line == 3
    assert "hunter" not in found[0].message


def test_arguments_of_another_name(tmp_path: Path) -> None:
    """A resource whose arguments the SDK calls by another name is checked too."""
    found = faults(tmp_path, 'ali.cs.KubernetesAddon("a", cluster_id="c", name="n", version=3)\n')
    assert "version: a number where text is due" in found[0].message


def test_duplicate_names(tmp_path: Path) -> None:
    """Two resources of one type and name are refused, at the second."""
    found = faults(tmp_path, 'for _ in "ab":\n    ali.vpc.Network("vpc", cidr_block="10.0.0.0/16")\n')
    assert [entry.message for entry in found] == ["two resources of type alicloud:vpc/network:Network are named 'vpc'"]


def test_dangling_reference(tmp_path: Path) -> None:
    """A reference to what the program does not make is refused."""
    program = """
        from pulumi.resource import DependencyResource
        ghost = DependencyResource("urn:pulumi:dev::p::alicloud:vpc/network:Network::ghost")
        ali.vpc.Network("vpc", cidr_block="10.0.0.0/16", opts=pulumi.ResourceOptions(depends_on=[ghost]))
    """
    assert "refers to urn:pulumi:dev::p::alicloud:vpc/network:Network::ghost" in faults(tmp_path, program)[0].message


def test_all_faults_at_once(tmp_path: Path) -> None:
    """Every fault of the program is told in one run, also those before it raised."""
    found = faults(
        tmp_path, 'ali.ecs.EcsDisk("a", size="x")\nali.ecs.EcsDisk("b", size="y")\nraise ValueError("late")\n'
    )
    assert len(found) == 3
    assert found[2].message == "the program raised ValueError: late"


@pytest.mark.parametrize(
    ("program", "words", "line"),
    [
        ("raise ValueError('broken on purpose')", "ValueError: broken on purpose", 3),
        ("ali.vpc.Network('v', cidr='x')", "unexpected keyword argument 'cidr'", 3),
        ("pulumi.Config().require('nowhere')", "needs the config value 'p:nowhere'", 3),
        ("pulumi.log.error('told by the program')", "told by the program", None),
        ("import sys; sys.exit(3)", "raised SystemExit: 3", 3),
        ("import os; os._exit(4)", "ended the process (exit code 4)", None),
        ("import not_there", "ModuleNotFoundError: No module named 'not_there'", 3),
        ("def f(:", "SyntaxError", 3),
        ("ali.get_zones().zones[0]", "raised", 3),
        ("pulumi.Output.from_input(1).apply(lambda _: 1 / 0)", "ZeroDivisionError", 3),
    ],
)
def test_program_that_fails(tmp_path: Path, program: str, words: str, line: int | None) -> None:
    """A program that raises is a message with its place."""
    found = faults(tmp_path, program + "\n")
    assert words in found[0].message
    assert found[0].where is not None
    assert found[0].where.line == line


def test_question_to_the_cloud(tmp_path: Path) -> None:
    """The output form of a question is answered with unknown; the plain form fails with that hint."""
    program = """
        zones = ali.get_zones_output(available_instance_type="x")
        ali.vpc.Switch("sw", zone_id=zones.zones[0].id, cidr_block="10.0.0.0/24", vpc_id="vpc-1")
    """
    assert named(preview(stack(tmp_path, program)), "sw").inputs["zoneId"] is UNKNOWN
    found = faults(tmp_path, "ali.get_zones().zones[0]\n")
    assert "alicloud:index/getZones:getZones" in (found[0].hint or "")


def test_program_that_hangs(tmp_path: Path) -> None:
    """A program that does not end is stopped with all it started, and named."""
    program = """
        import subprocess, sys
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open("child.pid", "w").write(str(child.pid))
        while True: pass
    """
    folder = stack(tmp_path, program)
    with pytest.raises(InputError, match="did not end within 3 s"):
        preview(folder, time_limit_s=3)
    child = int((folder / "child.pid").read_text())
    state = Path(f"/proc/{child}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"


def test_prints_are_not_the_answer(tmp_path: Path) -> None:
    """What a program prints, and what it writes to the descriptors themselves, does not disturb."""
    program = "import os\nprint('{}')\nos.write(1, b'junk')\nali.vpc.Network('v', cidr_block='10.0.0.0/16')\n"
    assert named(preview(stack(tmp_path, program)), "v").inputs == {"cidrBlock": "10.0.0.0/16"}


def test_leaves_nothing_behind(tmp_path: Path) -> None:
    """A preview writes nothing into the folder, not even byte code, and runs in the folder."""
    program = "import sub\nassert open('Pulumi.yaml').read()\n"
    folder = stack(tmp_path, program, sub="X = 1\n")
    before = sorted(folder.rglob("*"))
    preview(folder)
    assert sorted(folder.rglob("*")) == before


def test_modules_of_the_program_come_first(tmp_path: Path) -> None:
    """A program's own module wins over one of ours of the same name, and does not meet ours."""
    state = preview(stack(tmp_path, "import catalog\npulumi.export('x', catalog.X)\n", catalog="X = 1\n"))
    assert state.outputs == {"x": 1}


def test_pulumi_environment_is_not_inherited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Config in the environment of the person does not change the answer."""
    monkeypatch.setenv("PULUMI_CONFIG", '{"p:zone": "from-outside"}')
    program = "import os\npulumi.export('seen', [k for k in os.environ if k.startswith('PULUMI_')])\n"
    assert preview(stack(tmp_path, program)).outputs == {"seen": []}


@pytest.mark.parametrize(
    ("project", "words"),
    [
        ("name: p\nruntime: nodejs\n", "language is 'nodejs'"),
        ("name: [p\n", "not valid YAML"),
        ("- a\n", "must be a mapping"),
        ("runtime: python\n", "needs a `name`"),
        ("name: p\nruntime: python\nmain: other\n", "the program 'other' is missing"),
        ("name: p\nruntime: python\nconfig:\n  n: {type: integer}\n", "config value 'p:n' has no default"),
    ],
)
def test_project_file(tmp_path: Path, project: str, words: str) -> None:
    """A project file that cannot serve is a message."""
    assert words in faults(tmp_path, "", project=project)[0].message


def test_folder_that_is_no_stack(tmp_path: Path) -> None:
    """A folder without a project, and one that is not there, are told apart."""
    for folder, words in ((tmp_path, "has no Pulumi.yaml"), (tmp_path / "none", "does not exist")):
        with pytest.raises(InputError, match=words):
            preview(folder)


def test_missing_sdk(tmp_path: Path) -> None:
    """Without the cloud's SDK the message names the extra to install."""
    folder = stack(tmp_path, "")
    hide = tmp_path / "hide"
    hide.mkdir()
    (hide / "sitecustomize.py").write_text(
        "import sys\nclass No:\n    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'pulumi_alicloud': raise ModuleNotFoundError(name, name=name)\n"
        "sys.meta_path.insert(0, No())\n"
    )
    run = subprocess.run(
        [sys.executable, "-m", "generator", "preview", str(folder)],
        env={**os.environ, "PYTHONPATH": str(hide)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "the SDK of Alibaba Cloud is not installed" in run.stderr
    assert "[alicloud]'" in run.stderr
    assert "Traceback" not in run.stderr
