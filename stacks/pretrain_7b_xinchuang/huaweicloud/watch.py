"""Alarms on the figures that cost money, and people who are told."""

import pulumi_huaweicloud as huaweicloud

from settings import JOB, NAME

# Alarms go to topics, so that others can join.
oncall = huaweicloud.smn.Topic(
    "oncall",
    name=f"{NAME}-oncall",
    display_name=f"{NAME} on-call",
    tags=JOB,
)
# The address must be confirmed once, by a mail.
huaweicloud.smn.Subscription(
    "oncall",
    topic_urn=oncall.topic_urn,
    protocol="email",
    endpoint="ops@example.com",
    remark="Is told when a node idles or fails",
)
receiver = oncall.topic_urn

# Below 70 % means waiting for data or network; below 30 % for half an hour, nothing runs (MO002).
huaweicloud.aom.AlarmRule(
    "gpu-idle",
    name=f"{NAME}-gpu-idle",
    namespace="TRAINFORM.NODE",
    metric_name="gpuUtil",
    dimensions=[huaweicloud.aom.AlarmRuleDimensionArgs(name="job", value=JOB["trainform-job"])],  # As nodes report.
    unit="Percent",
    period=900000,  # Milliseconds.
    evaluation_periods=2,
    statistic="average",
    comparison_operator="<",
    threshold="30",
    alarm_level=2,
    alarm_action_enabled=True,
    alarm_actions=[receiver],
)

# The next larger batch, or a leak, ends the job: told while it still runs.
huaweicloud.aom.AlarmRule(
    "gpu-memory-full",
    name=f"{NAME}-gpu-memory-full",
    namespace="TRAINFORM.NODE",
    metric_name="gpuMemUsedRate",
    dimensions=[huaweicloud.aom.AlarmRuleDimensionArgs(name="job", value=JOB["trainform-job"])],  # As nodes report.
    unit="Percent",
    period=60000,  # Milliseconds.
    evaluation_periods=5,
    statistic="average",
    comparison_operator=">",
    threshold="97",
    alarm_level=2,
    alarm_action_enabled=True,
    alarm_actions=[receiver],
)
