"""The heart of a stack, __main__.py: which modules it brings together, and what it gives out, on any cloud."""

from __future__ import annotations

from typing import Any

import msgspec

from generator.clouds import find_cloud
from generator.sizing.profiles import default_toolchain, find_profile
from generator.stack.blueprint import Blueprint
from generator.stack.literals import Code
from generator.stack.storage import BUCKETS, bucket_choices


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """A stack output and the Python expression of its value."""

    name: str
    value: Code


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """The names of shared/__main__.py.jinja. `effects`: modules whose resources register themselves."""

    name: str
    cloud: str
    title: str
    origin: str
    effects: tuple[str, ...]
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    exports: tuple[Export, ...]
    facts: dict[str, Any]


def program(
    blueprint: Blueprint,
    modules: set[str],
    title: str,
    *,
    effects: frozenset[str],
    private_address: str,
    public_address: str,
) -> Program:
    """__main__.py of the modules that there are.

    `effects`: those whose resources no other module needs; the addresses: this cloud's attributes of a node, of an EIP.
    """
    imports: list[tuple[str, tuple[str, ...]]] = []
    exports: list[Export] = []
    cloud = find_cloud(blueprint.candidate.type.cloud)
    if "pool" in modules:
        imports.append(("pool", ("pool",)))
        exports.append(Export(name="pool", value=Code("pool.id")))
    if "nodes" in modules:
        imports.append(("nodes", ("nodes",)))
        exports.append(Export(name="nodes", value=Code(f"[node.{private_address} for node in nodes]")))
    if "buckets" in modules:
        made = tuple(BUCKETS[choice.role][0] for choice in bucket_choices(blueprint))
        imports.append(("buckets", tuple(sorted(made))))
        url = f'"{cloud.bucket_scheme}://{{}}".format'
        exports += [Export(name=name, value=Code(f"{name}.bucket.apply({url})")) for name in made]
    if "file_system" in modules:
        imports.append(("file_system", ("shared",)))
        exports.append(Export(name="file_system", value=Code("shared.id")))
    if "disks" in modules:
        imports.append(("disks", ("disks",)))
        exports.append(Export(name="disks", value=Code("[disk.id for disk in disks]")))
    if "access" in modules:
        imports.append(("access", ("public_address",)))
        exports.append(Export(name="public_address", value=Code(f"public_address.{public_address}")))
    if blueprint.nodes.role == "infer":
        imports.append(("network", ("security_group",)))
        exports.append(Export(name="security_group", value=Code("security_group.id")))
    return Program(
        name=blueprint.name,
        cloud=cloud.title,
        title=title,
        origin=f"Generated from {blueprint.spec_file} by `trainform generate`; why these choices: SELECTION.md. "
        "Edit the spec, not this file.",
        effects=tuple(sorted(modules & effects)),
        imports=tuple(sorted(imports)),
        exports=tuple(exports),
        facts=sized_facts(blueprint),
    )


def sized_facts(blueprint: Blueprint) -> dict[str, Any]:
    """The stack output `trainform` (CONTRACTS section 4); what does not apply to the job is left out."""
    candidate, fit = blueprint.candidate, blueprint.candidate.fit
    facts: dict[str, Any] = {"spec_sha256": blueprint.spec_sha256}
    if fit.precision and fit.layout:
        facts |= {"precision": fit.precision, "profile": blueprint.workload.profile}
        facts |= {"framework": chain} if (chain := toolchain(blueprint)) else {}
    if fit.memory:
        facts |= {
            "gpu_memory_bound_gib": round(fit.memory.bound, 1),
            "gpu_memory_usable_gib": round(fit.memory.usable, 1),
        }
    facts["run_hours"] = round(candidate.hours, 1)
    if fit.storage.read_mbps >= 1:
        facts["read_mbps"] = round(fit.storage.read_mbps)
    if fit.storage.checkpoint_gib:
        facts["checkpoint_gib"] = round(fit.storage.checkpoint_gib, 1)
    if fit.time and fit.layout:
        facts["exposed_ratio"] = round(fit.time.exposed_ratio, 2)
    if fit.layout and fit.layout.tensor > 1:
        facts["tensor_parallel"] = fit.layout.tensor
    return facts


def toolchain(blueprint: Blueprint) -> str | None:
    """The wheels that run: the user's, else the newest that the profile has for this card."""
    card = blueprint.candidate.fit.hardware.gpu
    if blueprint.workload.toolchain or card is None:
        return blueprint.workload.toolchain
    chain = default_toolchain(find_profile(blueprint.workload.profile), card)
    return chain.name if chain else None
