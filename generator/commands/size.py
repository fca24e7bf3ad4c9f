"""`trainform size`: memory by part, layout and time of a job on given hardware."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

if TYPE_CHECKING:
    from generator.errors import Problem
    from generator.sizing.given_hardware import Given
    from generator.spec import Spec

# Where the cure of a refusal stands in the spec, by its reason; a refusal without a place is a verdict, not a fault.
PLACES = {"precision": "workload.precision", "framework": "workload.framework", "layout": "workload.global_batch"}


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option("--gpu", help="Card, `A100-80GB` or a canonical name.")
@click.option("--gpus-per-node", type=click.IntRange(1, 64), default=1, show_default=True)
@click.option("--nodes", type=click.IntRange(1, 10000), default=1, show_default=True)
@click.option("--interconnect", type=click.Choice(["nvlink", "pcie"]), help="Link between the cards of a node.")
@click.option("--network-gbps", type=click.FloatRange(0.1, 100000), help="Gb/s of one node, all network cards.")
@click.option("--rdma/--no-rdma", default=None, help="Whether nodes talk over RDMA.")
@click.option("--instance", metavar="TYPE", help="An instance type instead of a card; takes --nodes only.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(
    spec: Path,
    gpu: str | None,
    gpus_per_node: int,
    nodes: int,
    interconnect: Literal["nvlink", "pcie"] | None,
    network_gbps: float | None,
    rdma: bool | None,
    instance: str | None,
    form: Literal["text", "json"],
) -> None:
    """Memory by part, layout and time on given hardware.

    Exit code 0 when there is an answer, also when the job does not fit; 2 when the job cannot run there as it is
    written (precision, framework, global batch).
    """
    import msgspec

    from generator.errors import InputError, Problem
    from generator.sizing.fit_report import fit_json, fit_text
    from generator.sizing.given_hardware import give_hardware
    from generator.sizing.layout import find_fit
    from generator.spec import load_spec
    from generator.workload import derive

    if (gpu is None) == (instance is None):
        raise InputError(Problem(message="give either --gpu or --instance", hint="--gpu A100-80GB --gpus-per-node 8"))
    loaded = load_spec(spec)
    workload = derive(loaded)
    if gpu is not None:
        given = give_hardware(
            gpu,
            gpus_per_node=gpus_per_node,
            nodes=nodes,
            interconnect=interconnect,
            network_gbps=network_gbps,
            rdma=rdma,
        )
    else:
        given = _instance_hardware(loaded, str(instance), nodes)
    fit = find_fit(workload, given.hardware)
    told = (*workload.assumptions, *given.assumptions, *fit.assumptions)
    fit = msgspec.structs.replace(fit, assumptions=told)
    if form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(fit_json(fit)), indent=2).decode())
    elif fit.reason not in PLACES:
        click.echo(fit_text(fit, workload))
    if fit.reason in PLACES:
        raise InputError(_problem(loaded, fit.reason, fit.message, [way.change for way in fit.would_fit]))


def _problem(spec: Spec, reason: str, message: str, cures: list[str]) -> Problem:
    """The fault at its place in the spec, or in the spec as a whole where it comes from a default."""
    from generator.errors import Place, Problem

    place = spec.source.places.get(PLACES[reason]) or Place(file=spec.source.file)
    return Problem(message=message, where=place, hint="; ".join(cures) or None)


def _instance_hardware(spec: Spec, name: str, nodes: int) -> Given:
    """The hardware of an instance type of one of the spec's clouds, or of any."""
    from generator.catalog import load_types
    from generator.clouds import cloud_ids
    from generator.errors import InputError, Problem
    from generator.selection.shapes import hardware_of
    from generator.sizing.given_hardware import Given

    clouds = spec.where.clouds or cloud_ids()
    for cloud in clouds:
        row = load_types(cloud).get(name)
        if row is not None:
            if row.gpus and row.gpu is None:
                raise InputError(Problem(message=f"the card of {name!r} is not known: {row.gpu_note}"))
            return Given(hardware=hardware_of(row, nodes), assumptions=())
    import difflib

    known = [key for cloud in clouds for key in load_types(cloud)]
    near = difflib.get_close_matches(name, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "`trainform catalog list` names all types"
    raise InputError(Problem(message=f"unknown instance type {name!r}", hint=hint))
