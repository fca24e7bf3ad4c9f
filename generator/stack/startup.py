"""What a node does at its start: cloud-init with the scripts of templates/, and launch.sh around the user's command."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import msgspec

from generator.sizing.advice import describe
from generator.spec.field_kinds import LAUNCH_VARIABLES
from generator.stack.blueprint import Blueprint
from generator.stack.cards import cards_of, has_nvidia
from generator.stack.literals import Code, sh
from generator.stack.templating import TEMPLATES, StackFile, render_text

JOB_ENV = "/etc/trainform/job.env"
NODE_ENV = "/etc/trainform/node.env"
LAUNCH = "/usr/local/bin/trainform-launch"
MASTER_PORT = 29500
# What of the notice before a spot node is taken back is kept for copying the checkpoint out and for ending.
GRACE_SHARE = 0.8
GRACE_WITHOUT_NOTICE_S = 300


class StartFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that cloud-init writes, with what it is for."""

    path: str
    text: str
    why: str | None = None  # None: the text says it itself
    runs: bool = False


class Startup(msgspec.Struct, frozen=True, kw_only=True):
    """What a cloud adds to a node's start: settings (exported to every script), its scripts, steps and files.

    `scripts` are paths under templates/; `steps` names of scripts, in order.
    """

    settings: tuple[tuple[str, str], ...]
    scripts: tuple[str, ...]
    steps: tuple[str, ...]
    files: tuple[StartFile, ...] = ()
    passed: tuple[str, ...] = ()  # names of variables that a container gets besides the contract's


class _CloudInit(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    files: tuple[StartFile, ...]


class _Launch(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    how: str
    words: tuple[tuple[str, ...], ...]  # lines of the command
    variables: tuple[str, ...]
    note: str | None
    arguments: tuple[tuple[str, ...], ...]
    environment: tuple[tuple[str, str], ...]
    card: str
    setup: str | None
    torchrun: bool
    elastic: bool
    spare: bool
    resumes: bool
    results: bool
    image: str | None
    docker_options: tuple[tuple[str, ...], ...]
    passed: tuple[str, ...]


class Directories(msgspec.Struct, frozen=True, kw_only=True):
    """Where the job finds its data, and puts its checkpoints or (preprocessing) its results on a node."""

    data: str
    checkpoints: str
    results: str


# Scripts that read the same on every cloud; the others stand in the cloud's own folder.
SHARED_SCRIPTS = frozenset({"stage", "disks", "devices", "container", "toolkit", "notice"})


def script_paths(cloud_id: str, names: Iterable[str]) -> tuple[str, ...]:
    """Paths under templates/ of these scripts of a node's start."""
    return tuple(f"{'shared' if name in SHARED_SCRIPTS else cloud_id}/startup/trainform-{name}" for name in names)


def grace_seconds(notice_s: int | None, pool: bool) -> int:
    """Seconds a job has to save after SIGTERM: most of the cloud's notice in a pool, else a fixed time."""
    return int(notice_s * GRACE_SHARE) if pool and notice_s else GRACE_WITHOUT_NOTICE_S


def directories(blueprint: Blueprint) -> Directories:
    """Where data and checkpoints lie: /scratch (NVMe), /data (disk), /shared (file system), else on the system disk."""
    homes = {"local": "/scratch", "disk": "/data", "file_system": "/shared", "nas": "/shared"}
    home = "/var/lib/trainform"
    data = homes.get(blueprint.data.place, home)
    to = blueprint.checkpoints.to if blueprint.checkpoints else "bucket"
    if to == "bucket":  # written beside the data first where that is a disk of the node's own, then copied out
        saved = data if data in {"/scratch", "/data"} else home
    elif to == "local":
        saved = "/scratch" if any(choice.kind == "local" for choice in blueprint.storage) else home
    else:
        saved = homes[to]
    return Directories(data=f"{data}/dataset", checkpoints=f"{saved}/checkpoints", results=f"{data}/results")


def job_settings(blueprint: Blueprint, notice_s: int | None) -> tuple[tuple[str, str], ...]:
    """The launch contract's variables and what the shared scripts read, the same on every node."""
    nodes, where, gpus = blueprint.nodes, directories(blueprint), blueprint.candidate.type.gpus
    return (
        ("HOME", "/root"),
        ("TRAINFORM_JOB", blueprint.name),
        ("TRAINFORM_ROLE", nodes.role),
        ("TRAINFORM_DATA_DIR", where.data),
        ("TRAINFORM_CHECKPOINT_DIR", where.checkpoints),
        *((("TRAINFORM_RESULTS_DIR", where.results),) if nodes.role == "prep" else ()),
        ("TRAINFORM_GRACE_SECONDS", str(grace_seconds(notice_s, nodes.pool))),
        ("NNODES", str(nodes.count)),
        *((("GPUS", str(gpus)),) if gpus else ()),
        *cards_of(blueprint).variables,
        ("MASTER_PORT", str(MASTER_PORT)),
    )


def starts_job(blueprint: Blueprint) -> bool:
    """True when the node starts the user's command by itself."""
    return bool(blueprint.launch.words) and blueprint.nodes.role != "dev"


def cloud_init(blueprint: Blueprint, startup: Startup) -> StackFile:
    """The `#cloud-config` of every node: its files, and the unit that makes the node ready."""
    saves = blueprint.checkpoints is not None and blueprint.nodes.role != "dev"
    stages = blueprint.data.place != "none"
    enabled = ["trainform-stage.service"] if stages or starts_job(blueprint) else []
    units = ["trainform-setup.service", *enabled]
    if saves:
        units += ["trainform-checkpoints.service", "trainform-checkpoints.timer"]
        enabled += ["trainform-checkpoints.timer"]
    if starts_job(blueprint):
        enabled += ["trainform-job.service"]
    if any(path.endswith("/trainform-notice") for path in startup.scripts):  # not every cloud tells the node
        units += ["trainform-notice.service"]
        enabled += ["trainform-notice.service"]
    steps = list(startup.steps)
    scripts = list(startup.scripts)
    if blueprint.launch.image:
        runtime = ("container", "toolkit") if has_nvidia(blueprint) else ("container",)
        steps += [f"trainform-{name}" for name in runtime]
        scripts += script_paths(blueprint.candidate.type.cloud, runtime)
    if saves:
        scripts += ["shared/startup/trainform-checkpoints"]
    if blueprint.nodes.role == "prep":
        scripts += ["shared/startup/trainform-results"]
    if blueprint.nodes.elastic:
        scripts += ["shared/startup/trainform-lead"]
        units += ["trainform-lead.service", "trainform-lead.timer"]
        enabled += ["trainform-lead.timer"]
    setup = render_text("shared/startup/trainform-setup.jinja", None, steps=steps, enabled=enabled)
    settings = "".join(f"export {key}={sh(value)}\n" for key, value in startup.settings)
    files = [
        StartFile(
            path=JOB_ENV, text=settings, why="Facts of the job, the same on every node; every script reads them."
        ),
        StartFile(path="/usr/local/bin/trainform-setup", text=setup, runs=True),
        *(_script(path) for path in scripts),
        *startup.files,
        *_layout_files(blueprint),
        *(_unit(blueprint, name, saves, startup) for name in units),
    ]
    if starts_job(blueprint):
        files.append(_unit(blueprint, "trainform-job.service", saves, startup))
    view = _CloudInit(name=blueprint.name, files=tuple(files))
    return StackFile(name="cloud-init.yaml", text=render_text("shared/cloud-init.yaml.jinja", view))


def launch_script(blueprint: Blueprint, startup: Startup) -> StackFile:
    """launch.sh: the launch contract of the job (CONTRACTS section 4)."""
    nodes, launch, cards = blueprint.nodes, blueprint.launch, cards_of(blueprint)
    gpus = blueprint.candidate.type.gpus
    torchrun = nodes.role == "train" and gpus > 0
    contract = ("TRAINFORM_JOB", "TRAINFORM_DATA_DIR", "TRAINFORM_CHECKPOINT_DIR", "TRAINFORM_GRACE_SECONDS")
    passed = [
        *contract,
        *(["TRAINFORM_RESULTS_DIR"] if nodes.role == "prep" else []),
        "MASTER_ADDR",
        "MASTER_PORT",
        "NODE_RANK",
        "NNODES",
        *startup.passed,
        *(key for key, _ in cards.variables),
    ]
    if blueprint.checkpoints:
        passed.append("TRAINFORM_RESUME_FROM")
    if blueprint.data.place == "bucket":
        passed.append("TRAINFORM_DATA_URL")
    passed += [key for key, _ in launch.flags.environment] if launch.flags else []
    view = _Launch(
        name=blueprint.name,
        how=f": {nodes.count} x {gpus} {cards.word}s, {layout_text(blueprint)}" if torchrun else "",
        words=option_lines(launch.words),
        variables=LAUNCH_VARIABLES,
        note=launch.flags.note or None if launch.flags else None,
        arguments=option_lines(launch.flags.arguments) if launch.flags else (),
        environment=launch.flags.environment if launch.flags else (),
        card=cards.word,
        setup=cards.setup,
        torchrun=torchrun,
        elastic=blueprint.nodes.elastic,
        spare=nodes.spare > 0,
        resumes=blueprint.checkpoints is not None,
        results=nodes.role == "prep",
        image=launch.image,
        docker_options=option_lines(cards.options),
        passed=tuple(dict.fromkeys(passed)),
    )
    return StackFile(name="launch.sh", text=render_text("shared/launch.sh.jinja", view))


def option_lines(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Words in lines for reading: each option begins one and has its values beside it."""
    lines: list[tuple[str, ...]] = []
    for word in words:
        if not lines or word.startswith("-"):
            lines.append((word,))
        else:
            lines[-1] += (word,)
    return tuple(lines)


def layout_text(blueprint: Blueprint) -> str:
    """The layout of the choice in a line."""
    layout = blueprint.candidate.fit.layout
    return "no layout" if layout is None else describe(layout)


@functools.cache
def _static(path: str) -> str:
    return (TEMPLATES / path).read_text(encoding="utf-8")


def _script(path: str) -> StartFile:
    """A script of templates/ as it stands there."""
    text = _static(path)
    name = path.rpartition("/")[2]
    library = not text.startswith("#!")
    folder = "/usr/local/lib" if library else "/usr/local/bin"
    return StartFile(path=f"{folder}/{name}", text=text, runs=not library)


def _unit(blueprint: Blueprint, name: str, saves: bool, startup: Startup) -> StartFile:
    if name == "trainform-job.service":
        before = ["trainform-lead join"] * blueprint.nodes.elastic + ["trainform-checkpoints restore"] * saves
        text = render_text(
            f"shared/units/{name}.jinja",
            None,
            before=[Code(command) for command in before],
            after=[Code("trainform-checkpoints finish")] * saves
            + [Code("trainform-results")] * (blueprint.nodes.role == "prep"),
            restart="always" if blueprint.nodes.role == "infer" else "on-failure",
            stop_seconds=dict(startup.settings)["TRAINFORM_GRACE_SECONDS"],
        )
    else:
        text = _static(f"shared/units/{name}")
    return StartFile(path=f"/etc/systemd/system/{name}", text=text)


def _layout_files(blueprint: Blueprint) -> tuple[StartFile, ...]:
    launch = blueprint.launch
    files = []
    if blueprint.candidate.fit.layout is not None and blueprint.nodes.role != "dev":
        why = "The layout that was sized, for a program that reads it."
        files.append(StartFile(path="/etc/trainform/layout.json", text=launch.layout + "\n", why=why))
    for name, text in launch.flags.files if launch.flags else ():
        files.append(
            StartFile(
                path=f"/etc/trainform/{name}",
                text=text if text.endswith("\n") else text + "\n",
                why="What launch.sh passes on.",
            )
        )
    return tuple(files)
