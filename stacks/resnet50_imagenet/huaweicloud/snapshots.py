"""Snapshots daily, kept 7 days: a broken upgrade costs a day, no more (ST005)."""

import pulumi_huaweicloud as huaweicloud

from nodes import nodes
from settings import JOB, NAME

# When, and how many are kept. 3 a.m. is when nobody waits for a disk.
policy = huaweicloud.cbr.Policy(
    "snapshots",
    name=f"{NAME}-snapshots",
    type="backup",
    enabled=True,
    backup_cycle=huaweicloud.cbr.PolicyBackupCycleArgs(interval=1, execution_times=["03:00"]),
    backup_quantity=7,
    time_zone="UTC+08:00",
)
# Joins the policy to the nodes, with all their disks at one moment: a policy alone saves nothing (ST005).
huaweicloud.cbr.Vault(
    "snapshots",
    name=f"{NAME}-snapshots",
    type="server",
    protection_type="backup",
    size=200,  # At least what it backs up; what was not written to takes no room.
    auto_expand=True,
    charging_mode="postPaid",
    policies=[huaweicloud.cbr.VaultPolicyArgs(id=policy.id)],
    resources=[huaweicloud.cbr.VaultResourceArgs(server_id=node.id) for node in nodes],
    tags=JOB,
)
