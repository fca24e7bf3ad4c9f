"""Public infrastructure files restated as Pulumi, with the verdicts that a person who does this job would give."""

from tests.rules.drafts import INSTANCE, Draft

EIP, ASSOCIATION = "ecs/eipAddress:EipAddress", "ecs/eipAssociation:EipAssociation"
GROUP, GROUP_RULE = "ecs/securityGroup:SecurityGroup", "ecs/securityGroupRule:SecurityGroupRule"


def verdicts(draft: Draft) -> set[tuple[str, str]]:
    """Rule and verdict of all that is said."""
    return {(finding.rule, finding.verdict) for finding in draft.report().findings}


def denied(draft: Draft) -> set[str]:
    """The rules that deny."""
    return {rule for rule, verdict in verdicts(draft) if verdict == "deny"}


def c028() -> Draft:
    """MarshalW/pytorch-vm-proto: a spot T4 machine in Singapore, open to the world, with an address of its own."""
    draft = Draft(region="ap-southeast-1")
    group = draft.add(GROUP, "group", name="vm")
    draft.add(
        GROUP_RULE,
        "all",
        type="ingress",
        ipProtocol="tcp",
        portRange="1/65535",
        cidrIp="0.0.0.0/0",
        securityGroupId=group,
    )
    machine = draft.add(
        INSTANCE,
        "vm",
        instanceType="ecs.gn6i-c8g1.2xlarge",
        imageId="m-t4n0000000000000000a",
        systemDiskCategory="cloud_efficiency",
        systemDiskSize=40,
        spotStrategy="SpotAsPriceGo",
        securityGroups=[group],
    )
    address = draft.add(EIP, "address", bandwidth="100")
    draft.add(ASSOCIATION, "address", allocationId=address, instanceId=machine)
    return draft


def c029() -> Draft:
    """zhaoyingjun/for-mooc: a spot T4 machine in Wulanchabu with a cap, released after an hour."""
    draft = Draft(region="cn-wulanchabu")
    draft.add(
        INSTANCE,
        "vm",
        instanceType="ecs.gn6i-c4g1.xlarge",
        imageId="m-0jl0000000000000000a",
        systemDiskCategory="cloud_efficiency",
        systemDiskSize=40,
        spotStrategy="SpotWithPriceLimit",
        spotPriceLimit=3,
        autoReleaseTime="2026-11-30T09:00:00Z",
    )
    return draft


def c038() -> Draft:
    """alibabacloud-automation/terraform-alicloud-ecs-gpu-instance: a prepaid V100 machine, tagged by its facts."""
    draft = Draft(region="cn-beijing")
    draft.add(
        INSTANCE,
        "gpu",
        instanceType="ecs.gn6v-c8g1.2xlarge",
        imageId="aliyun_3_x64_20G_alibase_20240819.vhd",
        systemDiskCategory="cloud_essd",
        systemDiskSize=200,
        instanceChargeType="PrePaid",
        period=1,
        internetMaxBandwidthOut=10,
        password="Example-Password-1",
        tags={"trainform-role": "train"},
    )
    return draft


def test_c028_spot_machine_without_tags() -> None:
    """C028: hybrid disk warn, checkpoints unknown without tags, private image unknown, no alarm warn, type known."""
    found = verdicts(c028())
    assert {("ST002", "warn"), ("SP001", "unknown"), ("IM001", "unknown"), ("MO002", "warn")} <= found
    assert "SZ001" not in {rule for rule, _ in found}


def test_c029_spot_machine_with_cap() -> None:
    """C029: hybrid disk warn, checkpoints unknown without tags, and denied once it is tagged as training."""
    assert {("ST002", "warn"), ("SP001", "unknown")} <= verdicts(c029())
    assert denied(c029()) <= set()
    tagged = c029()
    machine = tagged.resources[0]
    machine.inputs["tags"] = {"trainform-role": "train"}
    assert ("SP001", "deny") in verdicts(tagged)


def test_c038_prepaid_machine() -> None:
    """C038: no snapshot policy warn, no alarm warn; the type exists."""
    found = verdicts(c038())
    assert {("ST005", "warn"), ("MO002", "warn")} <= found
    assert "SZ001" not in {rule for rule, _ in found}
