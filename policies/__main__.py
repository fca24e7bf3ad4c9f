"""The CrossGuard door: `pulumi preview --policy-pack "$(trainform policies)"` starts this, and nothing else does."""

import sys
from pathlib import Path

# The engine runs this folder as a program; the packages beside it are found whether installed or in a checkout.
sys.path.append(str(Path(__file__).resolve().parents[1]))

from pulumi_policy import EnforcementLevel, PolicyPack

from policies.pack import policies

PolicyPack(name="trainform", policies=policies(), enforcement_level=EnforcementLevel.ADVISORY)
