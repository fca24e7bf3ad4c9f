"""Public infrastructure files restated as Pulumi, with the verdicts that a person who does this job would give."""

from tests.rules.drafts import INSTANCE, NODE_POOL, Draft

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
    """C028: open to the world denied; six warnings; checkpoints unknown without tags, and so is a private image."""
    found = verdicts(c028())
    assert denied(c028()) == {"SE001"}
    warned = {"ST002", "SP002", "MO001", "MO002", "CO002", "SE003"}
    assert {(rule, "warn") for rule in warned} <= found
    assert {("SP001", "unknown"), ("IM001", "unknown")} <= found
    assert "SZ001" not in {rule for rule, _ in found}


def test_c029_spot_machine_with_cap() -> None:
    """C029: few processors and a hybrid disk warned of; cap and release time pass; tagged as training it is denied."""
    found = verdicts(c029())
    assert denied(c029()) == set()
    assert {("SZ002", "warn"), ("ST002", "warn"), ("SP001", "unknown")} <= found
    assert not {"SP002", "SP004", "CO002", "SZ001"} & {rule for rule, _ in found}
    tagged = c029()
    tagged.resources[0].inputs["tags"] = {"trainform-role": "train"}
    assert "SP001" in denied(tagged)


def test_c038_prepaid_machine() -> None:
    """C038: the password is denied; an old card, a public address, no alarm or snapshots warned of; prepaid told."""
    found = verdicts(c038())
    assert denied(c038()) == {"SE002"}
    assert {(rule, "warn") for rule in ("SZ006", "SE003", "MO001", "MO002", "ST005")} <= found
    assert ("CO004", "info") in found
    assert "SZ001" not in {rule for rule, _ in found}


def c032() -> Draft:
    """aliyun/ros-templates ack-ai-fine-tuning: one worker of mixed cards, a capacity store, monitoring switched off."""
    draft = Draft(region="cn-beijing")
    cluster = draft.add("cs/managedKubernetes:ManagedKubernetes", "cluster", clusterSpec="ack.pro.small")
    draft.add(
        NODE_POOL,
        "workers",
        clusterId=cluster,
        instanceTypes=["ecs.gn6i-c24g1.12xlarge", "ecs.gn6v-c8g1.16xlarge", "ecs.gn6i-c24g1.24xlarge"],
        desiredSize="1",
        installCloudMonitor=False,
        systemDiskCategory="cloud_essd",
        systemDiskPerformanceLevel="PL0",
        systemDiskSize=120,
        tags={"trainform-role": "train", "trainform-nodes": "1"},
    )
    draft.add("nas/fileSystem:FileSystem", "data", protocolType="NFS", storageType="Capacity")
    return draft


def test_c032_kubernetes_fine_tuning() -> None:
    """C032: capacity store, mixed cards and no end warned of, monitoring off denied; one node needs no RDMA."""
    found = verdicts(c032())
    assert denied(c032()) == {"MO001"}
    assert {("ST004", "warn"), ("SZ009", "warn"), ("CO002", "warn")} <= found
    assert "NW001" not in {rule for rule, _ in found}


def c034() -> Draft:
    """aliyun/ros-templates chatglm-finetune: a notebook as root on 8080, open to all, on an ended system."""
    draft = Draft(region="cn-beijing")
    group = draft.add(GROUP, "group")
    source = {"cidrIp": "0.0.0.0/0", "securityGroupId": group}
    draft.add(GROUP_RULE, "notebook", type="ingress", ipProtocol="tcp", portRange="8080/8080", **source)
    draft.add(
        INSTANCE,
        "notebook",
        instanceType="ecs.gn7i-c16g1.4xlarge",
        imageId="centos_7_9_x64_20G_alibase_20240628.vhd",
        systemDiskCategory="cloud_essd",
        systemDiskPerformanceLevel="PL1",
        systemDiskSize=1024,
        securityGroups=[group],
        tags={"trainform-role": "dev"},
    )
    return draft


def test_c034_notebook() -> None:
    """C034: ended system and open notebook denied; no timetable, no snapshots warned of; no data disk told."""
    found = verdicts(c034())
    assert denied(c034()) == {"IM001", "SE001"}
    assert {("CO001", "warn"), ("ST005", "warn"), ("ST003", "info")} <= found
    old = c034()
    next(entry for entry in old.resources if entry.name == "notebook" and "imageId" in entry.inputs).inputs[
        "instanceType"
    ] = "ecs.gn5-c8g1.2xlarge"
    assert "SZ006" in {rule for rule, _ in verdicts(old)}


def c031() -> Draft:
    """aliyun/ros-templates aigc-text-generation-video: an A10 demo on spot that serves, with a public address."""
    draft = Draft(region="cn-beijing")
    group = draft.add(GROUP, "group")
    draft.add(
        INSTANCE,
        "demo",
        instanceType="ecs.gn7i-c32g1.8xlarge",
        imageId="aliyun_3_x64_20G_ai_ext_20250101.vhd",
        systemDiskCategory="cloud_essd",
        systemDiskPerformanceLevel="PL1",
        systemDiskSize=500,
        spotStrategy="SpotAsPriceGo",
        internetMaxBandwidthOut=10,
        securityGroups=[group],
        tags={"trainform-role": "infer"},
    )
    return draft


def test_c031_serving_on_spot() -> None:
    """C031: no checkpoint is asked of what serves; no bounds on spot and the public address warned of."""
    found = verdicts(c031())
    assert denied(c031()) == set()
    assert {("SP002", "warn"), ("SE003", "warn")} <= found
    assert not {"SP001", "ST005", "SZ002", "IM001"} & {rule for rule, _ in found}


def test_c035_image_for_processors() -> None:
    """C035: an image built for processors on a machine with cards is denied, and the capacity store warned of."""
    draft = Draft(region="cn-beijing")
    draft.add(
        INSTANCE,
        "dsw",
        instanceType="ecs.gn7i-c8g1.2xlarge",
        imageId="pytorch-training:1.12-cpu-py39",
        systemDiskCategory="cloud_essd",
        securityGroups=["sg-1"],
        tags={"trainform-role": "train"},
    )
    draft.add("nas/fileSystem:FileSystem", "dataset", protocolType="NFS", storageType="Capacity")
    assert denied(draft) == {"IM001"}
    assert ("ST004", "warn") in verdicts(draft)


def test_c037_cluster_without_cards() -> None:
    """C037: a capacity store and a world access rule warned of; without cards RDMA is not applicable, with reason."""
    draft = Draft(region="cn-beijing")
    tags = {"trainform-role": "train", "trainform-nodes": "2", "trainform-job": "hpc"} | {
        "trainform-checkpoint-every": "60min",
        "trainform-checkpoint-to": "file_system",
    }
    switch = draft.add("vpc/switch:Switch", "nodes", zoneId="cn-beijing-l")
    group = draft.add(GROUP, "group")
    for rank in range(2):
        draft.add(
            INSTANCE,
            f"node-{rank}",
            instanceType="ecs.g7.2xlarge",
            imageId="aliyun_3_x64_20G_alibase_20240819.vhd",
            systemDiskCategory="cloud_essd",
            systemDiskPerformanceLevel="PL1",
            vswitchId=switch,
            securityGroups=[group],
            tags=tags,
        )
    draft.add("nas/fileSystem:FileSystem", "shared", protocolType="NFS", storageType="Capacity")
    draft.add("nas/accessRule:AccessRule", "everybody", accessGroupName="g", sourceCidrIp="0.0.0.0/0")
    report = draft.report()
    assert denied(draft) == set()
    assert {("ST004", "warn"), ("SE006", "warn")} <= verdicts(draft)
    assert "node-0 has no accelerators" in [entry.reason for entry in report.not_applicable if entry.rule == "NW001"]
