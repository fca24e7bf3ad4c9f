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

# Half an hour of idle cores: the job waits for its data, or has ended and is still paid for.
alicloud.cms.Alarm(
    "cpu-idle",
    name=f"{NAME}-cpu-idle",
    project="acs_ecs_dashboard",
    metric="cpu_total",
    metric_dimensions=dimensions,
    period=60,
    escalations_critical={
        "statistics": "Average",
        "comparison_operator": "<",
        "threshold": "20",
        "times": 30,
    },
    contact_groups=receivers,
    effective_interval="00:00-23:59",
    silence_time=3600,
)

# The kernel will end a worker soon.
alicloud.cms.Alarm(
    "memory-full",
    name=f"{NAME}-memory-full",
    project="acs_ecs_dashboard",
    metric="memory_usedutilization",
    metric_dimensions=dimensions,
    period=60,
    escalations_critical={
        "statistics": "Average",
        "comparison_operator": ">",
        "threshold": "95",
        "times": 5,
    },
    contact_groups=receivers,
    effective_interval="00:00-23:59",
    silence_time=3600,
)
