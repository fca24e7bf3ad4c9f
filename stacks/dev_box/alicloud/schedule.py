"""Runs MON-FRI 09:00 to 19:00; stopped and unbilled otherwise (CO001)."""

import json

import pulumi
import pulumi_alicloud as alicloud

from nodes import nodes
from settings import JOB, NAME, SCHEDULE_UNTIL

# What the timers act as; they may start and stop machines of this job and nothing else.
timer_role = alicloud.ram.Role(
    "timer",
    role_name=f"{NAME}-timer",
    assume_role_policy_document=json.dumps(
        {
            "Version": "1",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": "sts:AssumeRole",
                    "Principal": {"Service": ["oos.aliyuncs.com"]},
                },
            ],
        }
    ),
)
# By tag, so that no other machine can be stopped by mistake.
timer_policy = alicloud.ram.Policy(
    "timer",
    policy_name=f"{NAME}-timer",
    policy_document=json.dumps(
        {
            "Version": "1",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": ["ecs:StartInstance", "ecs:StopInstance"],
                    "Resource": "*",
                    "Condition": {"StringEquals": {"ecs:tag/trainform-job": JOB["trainform-job"]}},
                },
                {
                    "Effect": "Allow",
                    "Action": ["ecs:DescribeInstances"],
                    "Resource": "*",
                },
            ],
        }
    ),
)
# Joins the two.
may_stop = alicloud.ram.RolePolicyAttachment(
    "timer",
    role_name=timer_role.role_name,
    policy_name=timer_policy.policy_name,
    policy_type="Custom",
)


def timer(name: str, cron: str, api: str, more: dict[str, str]) -> None:
    """A template that waits for a clock and calls one ECS API; its execution is what waits, one a machine."""
    parameters = {"OOSAssumeRole": {"Type": "String"}, "instanceId": {"Type": "String"}}
    clock = {"Type": "cron", "Expression": cron, "EndDate": SCHEDULE_UNTIL, "TimeZone": "Asia/Shanghai"}
    call = {"Service": "Ecs", "API": api, "Parameters": {"InstanceId": "{{ instanceId }}"} | more}
    content = {
        "FormatVersion": "OOS-2019-06-01",
        "RamRole": "{{ OOSAssumeRole }}",
        "Parameters": parameters,
        "Tasks": [
            {"Name": "clock", "Action": "ACS::TimerTrigger", "Properties": clock},
            {"Name": "call", "Action": "ACS::ExecuteApi", "Properties": call},
        ],
    }
    # The ready-made template of the cloud stops a machine without ending its bill; this one says how to stop it.
    template = alicloud.oos.Template(
        name,
        template_name=f"{NAME}-{name}",
        auto_delete_executions=True,  # Otherwise the waiting execution blocks a destroy.
        content=json.dumps(content),
        tags=JOB,
    )
    for rank, node in enumerate(nodes):
        # It waits from now on; the role must be able to act before the first call.
        alicloud.oos.Execution(
            f"{name}-{rank}",
            template_name=template.template_name,
            mode="Automatic",
            description=f"{NAME} {name}",
            parameters=pulumi.Output.json_dumps({"OOSAssumeRole": timer_role.role_name, "instanceId": node.id}),
            opts=pulumi.ResourceOptions(depends_on=[may_stop]),
        )


timer("evening", "0 0 19 ? * MON-FRI", "StopInstance", {"StoppedMode": "StopCharging"})
timer("morning", "0 0 9 ? * MON-FRI", "StartInstance", {})
