"""The CrossGuard door: `pulumi preview --policy-pack "$(trainform policies)"` starts this, and nothing else does."""

import os
import sys
from pathlib import Path

# The engine runs this folder as a program; the packages beside it are found whether installed or in a checkout.
sys.path.append(str(Path(__file__).resolve().parents[1]))

from pulumi_policy import EnforcementLevel, PolicyPack

from policies.pack import policies
from policies.rules import chosen_rules

own = os.environ.get("TRAINFORM_RULES")  # a folder of rules of your own, as `check --rules` takes it
rules = chosen_rules(Path(own) if own else None)
PolicyPack(name="trainform", policies=policies(rules), enforcement_level=EnforcementLevel.ADVISORY)
