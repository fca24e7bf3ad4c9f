"""The rules, one a file, found by their file names; `load_rules` reads a person's folder the same way."""

from __future__ import annotations

import functools
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from generator.errors import InputError, Place, Problem
from policies.ruling import Rule

FOLDER = Path(__file__).parent
PARTS = ("ID", "SEVERITY", "TITLE", "WHY", "SOURCE", "NEEDS", "SUBJECT", "check")


@functools.cache
def our_rules() -> tuple[Rule, ...]:
    """The rules of this package, by id."""
    return load_rules(FOLDER, package=__name__)


def chosen_rules(own: Path | None) -> tuple[Rule, ...]:
    """Our rules and those of a person's folder, by id; InputError when an id is taken twice."""
    if own is None:
        return our_rules()
    rules = (*our_rules(), *load_rules(own))
    return tuple(sorted(_unique(rules), key=lambda rule: rule.id))


def _unique(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    ids = [rule.id for rule in rules]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise InputError(*(Problem(message=f"two rules are called {name}") for name in twice))
    return rules


def load_rules(folder: Path, package: str = "own_rules") -> tuple[Rule, ...]:
    """The rules that the files of a folder hold, by id; InputError names each file that is none."""
    rules: list[Rule] = []
    problems: list[Problem] = []
    for file in sorted(folder.glob("[!_]*.py")):
        try:
            rules.append(_rule(_module(file, f"{package}.{file.stem}"), file))
        except Exception as error:  # noqa: BLE001  (whatever a person's file raises is told by its name)
            problems.append(Problem(message=f"is no rule: {error}", where=Place(file=str(file))))
    if not rules and not problems:
        problems.append(Problem(message=f"{str(folder)!r} holds no rule file"))
    if problems:
        raise InputError(*problems)
    return tuple(sorted(_unique(tuple(rules)), key=lambda rule: rule.id))


def _module(file: Path, name: str) -> ModuleType:
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[name] = module
    return module


def _rule(module: ModuleType, file: Path) -> Rule:
    missing = [part for part in PARTS if not hasattr(module, part)]
    if missing:
        raise ValueError(f"it lacks {', '.join(missing)}")
    return Rule(
        id=module.ID,
        severity=module.SEVERITY,
        title=module.TITLE,
        why=module.WHY,
        source=module.SOURCE,
        needs=module.NEEDS,
        subjects=module.SUBJECT if isinstance(module.SUBJECT, tuple) else (module.SUBJECT,),
        check=module.check,
        doc=module.__doc__ or "",
        file=str(file),
        capability=getattr(module, "CAPABILITY", None),
        zh=getattr(module, "ZH", ""),
        doubt=getattr(module, "DOUBT", None),
        opposed=getattr(module, "OPPOSED", None),
    )
