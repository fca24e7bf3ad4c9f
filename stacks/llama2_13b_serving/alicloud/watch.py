"""Alarms on the figures that cost money, and people who are told."""

import json

import pulumi
import pulumi_alicloud as alicloud

from nodes import nodes
from settings import NAME

# The address must be confirmed once, by a mail that CloudMonitor sends to it.
contact = alicloud.cms.AlarmContact(
    "oncall",
    alarm_contact_name=f"{NAME}-oncall",
    describe="People who run the job",
    channels_mail="ops@example.com",
    lang="en",
)
# Alarms go to groups, not to people.
oncall = alicloud.cms.AlarmContactGroup(
    "oncall",
    alarm_contact_group_name=f"{NAME}-oncall",
    contacts=[contact.alarm_contact_name],
)
receivers = [oncall.alarm_contact_group_name]

# Without dimensions a rule would cover every instance of the account.
dimensions = pulumi.Output.all(*[node.id for node in nodes]).apply(
    lambda ids: json.dumps([{"instanceId": instance} for instance in ids])
)

# An hour without a request: fewer nodes would do (MO002).
alicloud.cms.Alarm(
    "gpu-idle",
    name=f"{NAME}-gpu-idle",
    project="acs_ecs_dashboard",
    metric="gpu_gpu_usedutilization",
    metric_dimensions=dimensions,
    period=60,
    escalations_critical={
        "statistics": "Average",
        "comparison_operator": "<",
        "threshold": "5",
        "times": 60,
    },
    contact_groups=receivers,
    effective_interval="00:00-23:59",
    silence_time=3600,
)

# A longer request will be refused: told while it still serves.
alicloud.cms.Alarm(
    "gpu-memory-full",
    name=f"{NAME}-gpu-memory-full",
    project="acs_ecs_dashboard",
    metric="gpu_memory_freeutilization",
    metric_dimensions=dimensions,
    period=60,
    escalations_critical={
        "statistics": "Average",
        "comparison_operator": "<",
        "threshold": "3",
        "times": 5,
    },
    contact_groups=receivers,
    effective_interval="00:00-23:59",
    silence_time=3600,
)
