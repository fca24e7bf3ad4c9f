"""Alarms on the figures that cost money, and people who are told."""

import pulumi_alicloud as alicloud

from settings import JOB, NAME

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

# Members of a pool come and go: the rules are kept in a template, and a group that finds its members by tag applies it.
rules = alicloud.cms.MetricRuleTemplate(
    "nodes",
    metric_rule_template_name=NAME,
    alert_templates=[
        {
            "category": "ecs",
            "namespace": "acs_ecs_dashboard",
            "metric_name": "gpu_gpu_usedutilization",
            # Below 70 % means waiting for data or network; below 30 % for half an hour, nothing runs (MO002).
            "rule_name": f"{NAME}-gpu-idle",
            "escalations": {
                "critical": {
                    "statistics": "Average",
                    "comparison_operator": "LessThanThreshold",
                    "threshold": "30",
                    "times": "30",
                },
            },
        },
        {
            "category": "ecs",
            "namespace": "acs_ecs_dashboard",
            "metric_name": "gpu_memory_freeutilization",
            # The next larger batch, or a leak, ends the job: told while it still runs.
            "rule_name": f"{NAME}-gpu-memory-full",
            "escalations": {
                "critical": {
                    "statistics": "Average",
                    "comparison_operator": "LessThanThreshold",
                    "threshold": "3",
                    "times": "5",
                },
            },
        },
    ],
)
# Whoever bears the job's tag is a member, from its first minute.
alicloud.cms.DynamicTagGroup(
    "nodes",
    tag_key="trainform-job",
    match_expresses=[{"tag_value": JOB["trainform-job"], "tag_value_match_function": "equals"}],
    match_express_filter_relation="and",
    contact_group_lists=receivers,
    template_id_lists=[rules.id],
)
