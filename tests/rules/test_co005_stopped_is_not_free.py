"""CO005: what a stopped machine still costs is known."""

import json

from tests.rules.drafts import DISK, DISK_ATTACHMENT, Draft, node

DEV = {"trainform-role": "dev"}
CONTENT = json.dumps(
    {
        "Tasks": [
            {"Action": "ACS::TimerTrigger"},
            {
                "Action": "ACS::ExecuteApi",
                "Properties": {"API": "StopInstance", "Parameters": {"StoppedMode": "StopCharging"}},
            },
        ]
    }
)


def test_disks_of_a_machine_that_stops() -> None:
    """The disks of a machine with a timetable are added up, also those attached to it."""
    draft = Draft()
    machine = node(draft, tags=DEV, systemDiskSize=100)
    assert draft.verdicts("CO005") == []
    template = draft.add("oos/template:Template", "evening", content=CONTENT)
    draft.add("oos/execution:Execution", "evening", templateName=template, parameters=machine)
    disk = draft.add(DISK, "disk", category="cloud_essd", size=400)
    draft.add(DISK_ATTACHMENT, "disk", diskId=disk, instanceId=machine)
    assert [(entry.verdict, entry.message) for entry in draft.findings("CO005")] == [
        ("info", "500 GiB of disks are billed while it is stopped")
    ]
