"""Alarms on the figures that cost money, and people who are told."""

import json

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

from nodes import nodes
from settings import JOB, NAME

# Somebody to write to, who can neither log in nor call anything. The address must be confirmed once, by a mail.
person = tencentcloud.cam.User(
    "oncall",
    name=f"{NAME}-oncall",
    email="ops@example.com",
    console_login=False,
    use_api=False,
    force_delete=True,
    remark="Is told when a node idles or fails",
    tags=JOB,
)
# Alarms go to groups, so that others can join.
people = tencentcloud.cam.Group(
    "oncall",
    name=f"{NAME}-oncall",
    remark="People who run the job",
)
# Puts the one into the other.
members = tencentcloud.cam.GroupMembership(
    "oncall",
    group_id=people.id,
    user_names=[person.name],
)
receivers = people.id.apply(int)
# How they are told, at any hour of any day.
notice = tencentcloud.monitor.AlarmNotice(
    "oncall",
    name=f"{NAME}-oncall",
    notice_type="ALL",
    notice_language="en-US",
    user_notices=[
        tencentcloud.monitor.AlarmNoticeUserNoticeArgs(
            receiver_type="GROUP",
            group_ids=[receivers],
            notice_ways=["EMAIL"],
            start_time=0,
            end_time=86399,
            weekdays=[1, 2, 3, 4, 5, 6, 7],
        ),
    ],
)
# One breach is enough, and nobody is told twice an hour.
alarms = tencentcloud.monitor.AlarmPolicy(
    "nodes",
    policy_name=NAME,
    monitor_type="MT_QCE",
    namespace="cvm_device",
    enable=1,
    project_id=0,
    conditions=tencentcloud.monitor.AlarmPolicyConditionsArgs(
        is_union_rule=0,
        rules=[
            # Below 70 % means waiting for data or network; below 30 % for half an hour, nothing runs (MO002).
            tencentcloud.monitor.AlarmPolicyConditionsRuleArgs(
                metric_name="GpuUtil",
                operator="lt",
                value="30",
                period=60,
                continue_period=30,
                notice_frequency=3600,
                is_power_notice=0,
            ),
            # The next larger batch, or a leak, ends the job: told while it still runs.
            tencentcloud.monitor.AlarmPolicyConditionsRuleArgs(
                metric_name="GpuMemUsage",
                operator="gt",
                value="97",
                period=60,
                continue_period=5,
                notice_frequency=3600,
                is_power_notice=0,
            ),
        ],
    ),
    notice_ids=[notice.id],
)
# A policy watches nothing until objects are bound to it.
tencentcloud.monitor.PolicyBindingObject(
    "nodes",
    policy_id=alarms.id,
    dimensions=[
        tencentcloud.monitor.PolicyBindingObjectDimensionArgs(
            dimensions_json=node.id.apply(lambda instance: json.dumps({"unInstanceId": instance})),
            region="ap-nanjing",
        )
        for node in nodes
    ],
    # Its id is the policy's: made first and deleted after, a new list of nodes would unbind itself.
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)
