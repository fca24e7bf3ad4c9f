"""What the stack's README says that only this cloud knows: finding zone and image, the remote shell, mails, what stays."""

from __future__ import annotations

from generator.blueprint import Blueprint
from generator.clouds.alicloud.view.names import dashed
from generator.clouds.alicloud.view.storage import BUCKETS, RAW_PREFIX, bucket_choices, disk_choice, shared_choice
from generator.view import Kept


def kept(blueprint: Blueprint) -> tuple[Kept, ...]:
    """What is protected: data that a destroy must not take along."""
    found = [
        Kept(what=f"the bucket of {BUCKETS[choice.role][0]}", resource=BUCKETS[choice.role][0], token="alicloud:oss/bucket:Bucket")
        for choice in bucket_choices(blueprint)
    ]
    if shared_choice(blueprint):
        found.append(Kept(what="the shared file system", resource="shared", token="alicloud:nas/fileSystem:FileSystem"))
    if disk_choice(blueprint) and not blueprint.nodes.pool:
        total = blueprint.nodes.count + blueprint.nodes.spare
        found += [
            Kept(what=f"the data disk of node {rank}", resource=f"data-{rank}", token="alicloud:ecs/ecsDisk:EcsDisk")
            for rank in range(total)
        ]
    return tuple(found)


def guide(blueprint: Blueprint) -> tuple[tuple[str, str], ...]:
    """Sections of the README, in order; Markdown made of our own words and of names that the spec's patterns allow."""
    region, kind, name = blueprint.candidate.offer.region, blueprint.candidate.type, dashed(blueprint.name)
    sections = [
        (
            "Finding a zone",
            "Stock is not known offline. These zones sell the type today:\n\n"
            f"    aliyun ecs DescribeAvailableResource --RegionId {region} --DestinationResource InstanceType"
            f" --InstanceType {kind.id}{' --SpotStrategy SpotWithPriceLimit' if blueprint.nodes.pool else ''}\n",
        ),
        (
            "Finding an image",
            ("This type boots by UEFI: the image must too (`BootMode`).\n\n" if kind.boot_mode == "UEFI" else "The default is a dated public image; another one is set with `image`.\n\n")
            + f"    aliyun ecs DescribeImages --RegionId {region} --ImageOwnerAlias system --InstanceType {kind.id} --OSType linux\n\n"
            "An image with GPU drivers (Alibaba Cloud Linux 3 AI Extension Edition) is found the same way; the driver step of"
            " cloud-init then only checks.",
        ),
        (
            "A shell on a node",
            "Without SSH, by the cloud's own session manager (needs only your account's rights):\n\n"
            f"    aliyun ecs DescribeInstances --RegionId {region} --Tag.1.Key trainform-job --Tag.1.Value {blueprint.name}\n"
            f"    ali-instance-cli session -i INSTANCE_ID -r {region}\n\n"
            "There: `journalctl -u trainform-setup -u trainform-job -f`; `systemctl status 'trainform-*'`.",
        ),
    ]
    if blueprint.alarms.email:
        sections.append(
            (
                "Confirm the alarm mail",
                "CloudMonitor sends one mail to the address in the spec after the first `up`; until its link is opened, no alarm arrives.",
            )
        )
    if any(choice.role == "raw" for choice in bucket_choices(blueprint)):
        sections.append(
            (
                "Bringing the data",
                "The spec names no source: put the data set here once, before the nodes start or while they wait.\n\n"
                f"    ossutil cp -r ./dataset/ oss://{name}-raw-SUFFIX/{RAW_PREFIX}\n",
            )
        )
    if blueprint.nodes.pool and blueprint.release:
        sections.append(("Limits", "The task that empties the pool takes a `releaseAt` at most 90 days ahead; set it anew for a longer run."))
    if blueprint.schedule:
        sections.append(
            (
                "Out of hours",
                "A stop by the timer ends the bill for the machine; disks and addresses stay billed, and the machine may find no stock"
                " when it starts again. A stop from the console must choose economical mode itself. The timers end at `scheduleUntil`.",
            )
        )
    return tuple(sections)
