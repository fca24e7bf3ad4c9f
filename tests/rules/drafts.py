"""Stacks for tests of rules, written as one resource a line; a resource given as a value is a reference to it."""

from __future__ import annotations

from typing import Any

from generator.program.values import UNKNOWN
from generator.resources import STACK_TYPE, Resource, StackState
from policies.finding import Finding, Report
from policies.judge import judge

TODAY = "2026-11-30"
TRAIN = {"trainform-role": "train", "trainform-job": "j"}
ROOT = "urn:pulumi:dev::p::pulumi:pulumi:Stack::p-dev"


class Draft:
    """A stack of one cloud under construction."""

    def __init__(
        self, package: str = "alicloud", region: str = "cn-beijing", outputs: dict[str, Any] | None = None
    ) -> None:
        self.package = package
        self.config = {f"{package}:region": region} if region else {}
        self.outputs = {} if outputs is None else {"trainform": outputs}
        self.resources: list[Resource] = []

    def add(self, kind: str, name: str, /, protect: bool = False, **inputs: Any) -> Resource:
        """A resource of a kind without its package; its inputs in the provider's own words."""
        depends = {key: tuple(urns) for key, value in inputs.items() if (urns := _urns(value))}
        resource = Resource(
            urn=f"urn:pulumi:dev::p::{self.package}:{kind}::{name}",
            type=f"{self.package}:{kind}",
            name=name,
            inputs={key: _value(value) for key, value in inputs.items() if value is not None},
            property_dependencies=depends,
            protect=protect,
            file="__main__.py",
            line=len(self.resources) + 1,
        )
        self.resources.append(resource)
        return resource

    def state(self) -> StackState:
        """The stack, with its root."""
        root = Resource(urn=ROOT, type=STACK_TYPE, name="p-dev", inputs={}, outputs=self.outputs)
        return StackState(
            project="p",
            stack="dev",
            source="draft",
            resources=tuple(sorted((root, *self.resources), key=lambda entry: entry.urn)),
            config=dict(self.config),
            outputs=self.outputs,
        )

    def report(self) -> Report:
        """What all rules say of it."""
        return judge(self.state(), today=TODAY)

    def findings(self, rule: str) -> list[Finding]:
        """What one rule says of it."""
        return [finding for finding in self.report().findings if finding.rule == rule]

    def verdicts(self, rule: str) -> list[tuple[str, str]]:
        """Verdict and name of the resource, of all that one rule says."""
        return [(finding.verdict, finding.name) for finding in self.findings(rule)]


def _urns(value: Any) -> list[str]:
    if isinstance(value, Resource):
        return [value.urn]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [urn for item in items for urn in _urns(item)]


def _value(value: Any) -> Any:
    if isinstance(value, Resource):
        return UNKNOWN
    if isinstance(value, dict):
        return {key: _value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_value(item) for item in value]
    return value


INSTANCE = "ecs/instance:Instance"
INSTANCE_SET = "ecs/ecsInstanceSet:EcsInstanceSet"
TEMPLATE = "ecs/ecsLaunchTemplate:EcsLaunchTemplate"
OLD_TEMPLATE = "ecs/launchTemplate:LaunchTemplate"
GROUP = "ess/scalingGroup:ScalingGroup"
CONFIGURATION = "ess/scalingConfiguration:ScalingConfiguration"
NODE_POOL = "cs/nodePool:NodePool"
DISK = "ecs/ecsDisk:EcsDisk"
OLD_DISK = "ecs/disk:Disk"
DISK_ATTACHMENT = "ecs/ecsDiskAttachment:EcsDiskAttachment"
POLICY = "ecs/autoSnapshotPolicy:AutoSnapshotPolicy"
POLICY_ATTACHMENT = "ecs/ecsAutoSnapshotPolicyAttachment:EcsAutoSnapshotPolicyAttachment"
SWITCH = "vpc/switch:Switch"
NETWORK = "vpc/network:Network"
ALARM = "cms/alarm:Alarm"
A10 = "ecs.gn7i-c16g1.4xlarge"  # one card, no RDMA
A100_ERDMA = "ecs.ebmgn7ex.32xlarge"
CPU = "ecs.g7.2xlarge"
GPU_IMAGE = "aliyun_3_x64_20G_ai_ext_20250101.vhd"
PLAIN_IMAGE = "aliyun_3_x64_20G_alibase_20240819.vhd"


def node(draft: Draft, name: str = "node", **inputs: Any) -> Resource:
    """A GPU machine without a fault of its own, but for what `inputs` change."""
    sound = {
        "instanceType": A10,
        "imageId": GPU_IMAGE,
        "systemDiskCategory": "cloud_essd",
        "systemDiskPerformanceLevel": "PL1",
        "systemDiskSize": 100,
        "tags": TRAIN | {"trainform-checkpoint-every": "20min", "trainform-checkpoint-to": "bucket"},
    }
    return draft.add(INSTANCE, name, **sound | inputs)


def pool(draft: Draft, name: str = "pool", size: int = 2, **inputs: Any) -> Resource:
    """A scaling group with its configuration; `inputs` change the configuration, which is returned."""
    network = draft.add(SWITCH, f"{name}-switch", zoneId="cn-beijing-l")
    group = draft.add(GROUP, f"{name}-group", minSize=0, maxSize=size, desiredCapacity=size, vswitchIds=[network])
    sound = {
        "scalingGroupId": group,
        "instanceTypes": [A10],
        "imageId": GPU_IMAGE,
        "systemDiskCategory": "cloud_essd",
        "active": True,
        "tags": TRAIN | {"trainform-checkpoint-every": "20min", "trainform-checkpoint-to": "bucket"},
    }
    return draft.add(CONFIGURATION, name, **sound | inputs)
