"""The house as a whole: walks the folders, so that no list can rot and no wall can move unnoticed."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from generator.clouds import cloud_ids, find_cloud

ROOT = Path(__file__).resolve().parent.parent
OURS = ("generator", "policies", "tests", "benchmarks")
CODE = sorted(path for folder in ("generator", "policies", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
LONGEST = 350
GENERIC = {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager", "core"}


def tracked() -> list[Path]:
    """Files that git knows, or every file when this is no checkout."""
    done = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    names = done.stdout.split("\n") if done.returncode == 0 else []
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def modules_imported(path: Path) -> set[str]:
    """Dotted names of everything a file imports, at any depth."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def imports_of(path: Path, *prefixes: str) -> list[str]:
    """The imports of a file that begin with one of the prefixes."""
    return sorted(
        name for name in modules_imported(path) if any(name == one or name.startswith(one + ".") for one in prefixes)
    )


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", CODE, ids=shown)
def test_a_file_fits_on_a_few_screens(path: Path) -> None:
    """No Python file is longer than 350 lines, so a newcomer can read the one that its name promises."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", CODE, ids=shown)
def test_a_file_has_a_name_that_says_what_it_knows(path: Path) -> None:
    """No catch-all file, and every module says in its first line what it holds."""
    assert path.stem not in GENERIC
    source = path.read_text(encoding="utf-8")
    if source.strip():
        assert ast.get_docstring(ast.parse(source)), "needs a module docstring"


@pytest.mark.parametrize("path", [path for path in CODE if "benchmarks" not in path.parts], ids=shown)
def test_public_names_have_docstrings(path: Path) -> None:
    """Every public function, class and method of the packages has a docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bare: list[str] = []
    scopes: list[tuple[str, list[ast.stmt]]] = [("", tree.body)]
    while scopes:
        prefix, body = scopes.pop()
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                if not node.name.startswith("_") and not ast.get_docstring(node):
                    bare.append(prefix + node.name)
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    scopes.append((f"{prefix}{node.name}.", node.body))
    # Methods that override a protocol of a library say in the library what they do.
    assert [name for name in bare if not OVERRIDES.search(name)] == []


OVERRIDES = re.compile(
    r"\.(list_commands|get_command|convert|RegisterResource\w*|Invoke|Call|RegisterPackage|ReadResource)$"
)


@pytest.mark.parametrize("cloud_id", cloud_ids())
def test_a_cloud_is_whole(cloud_id: str) -> None:
    """A cloud that generates has its knowledge, its facts, its legality, its templates and golden stacks."""
    cloud = find_cloud(cloud_id)
    folder = ROOT / "generator" / "clouds" / cloud_id
    assert cloud.id == cloud_id
    assert (folder / "instance_types.csv").is_file()
    assert (folder / "legality.py").is_file() or (folder / "legality").is_dir()
    if cloud.kind == "full":
        assert (folder / "view.py").is_file() or (folder / "view").is_dir()
        assert (folder / "facts.py").is_file() or (folder / "facts").is_dir()
        assert list((ROOT / "templates" / cloud_id).glob("*.jinja"))
        assert list((ROOT / "stacks").glob(f"*/{cloud_id}/manifest.json"))


def test_only_a_clouds_own_folder_names_it() -> None:
    """Nothing in the packages but a cloud's folder (and the scripts that import its tables) names a cloud."""
    names = re.compile(r"\b(" + "|".join(cloud_ids()) + r")\b")
    allowed = ("generator/clouds/", "generator/imports/", "generator/spec/presets/")
    found = [
        f"{shown(path)}:{number}"
        for path in CODE
        if not shown(path).startswith((*allowed, "benchmarks/"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if names.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("path", CODE, ids=shown)
def test_the_layers_hold(path: Path) -> None:
    """Only commands join generator and policies; a cloud sees no rule, a rule sees no cloud; only the door prints."""
    where = shown(path)
    if where.startswith("benchmarks/"):
        return
    is_door = where.startswith(("generator/commands/", "generator/cli.py", "generator/imports/"))
    if where.startswith("generator/") and not is_door:
        assert imports_of(path, "policies") == []
        assert imports_of(path, "click", "rich") == [] or where.startswith("generator/text")
    if where.startswith("generator/clouds/"):
        assert imports_of(path, "policies", "generator.commands") == []
    if where.startswith("policies/rules/"):
        assert imports_of(path, "generator.clouds", "pulumi", "pulumi_policy", "generator.resources") == []
    if not is_door:
        calls = [
            node.lineno
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
        ]
        assert calls == [] or where.endswith(("validate.py", "__main__.py", "runner.py"))


def test_every_rule_has_a_test() -> None:
    """A rule is one file and its test, of the same name."""
    rules = {path.stem for path in (ROOT / "policies" / "rules").glob("[a-z]*.py")}
    tests = {path.stem.removeprefix("test_") for path in (ROOT / "tests" / "rules").glob("test_*.py")}
    assert rules - tests == set()


@pytest.mark.parametrize("folder", [ROOT / "policies", *sorted((ROOT / "stacks").glob("*/*/"))], ids=shown)
def test_no_file_shadows_the_standard_library(folder: Path) -> None:
    """A pack and a stack run with their own folder first on the path: a file named like a module would break both."""
    assert {path.stem for path in folder.glob("*.py")} & (set(sys.stdlib_module_names) - {"__main__"}) == set()


def test_selecting_and_checking_need_no_heavy_library() -> None:
    """Selecting and checking a JSON file import neither pulumi, nor jinja2, nor a provider SDK."""
    code = (
        "import sys, generator.selection, generator.catalog, generator.spec, generator.workload, generator.resources, "
        "policies.judge; print([name for name in sys.modules if name.split('.')[0] in "
        "('pulumi', 'jinja2', 'rich', 'pulumi_alicloud', 'tencentcloud_iac_pulumi', 'pulumi_huaweicloud')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


UNFINISHED = re.compile("TO" + "DO|FIX" + "ME|XX" + "X|NotImplemented" + "Error")
HOSTS = re.compile(r"index-url|files\.pythonhosted|proxy\.golang|registry\.npm" + r"js|/wor" + "k/(main|shared)")


def test_nothing_is_left_unfinished_or_tied_to_one_machine() -> None:
    """No file admits unfinished work, names a package registry's host, or a path of the machine it was written on."""
    found = []
    for path in set(tracked()) - {Path(__file__).resolve()}:
        if path.suffix in {".py", ".jinja", ".yaml", ".md", ".toml", ".csv", ".sh", ".json", ".mod"}:
            text = path.read_text(encoding="utf-8")
            found += [shown(path) for pattern in (UNFINISHED, HOSTS) if pattern.search(text)]
    assert found == []
