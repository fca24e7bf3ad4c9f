"""The programs of a node's system, as one program by many names; what they change is kept in $ROOT/machine.json.

Linked to by the names in PROGRAMS; it does what the scripts of a start can see of each, and nothing else.
"""

# ruff: noqa: ARG001, T201  (programs print, and all of them are called alike)

import fcntl
import json
import os
import sys
from pathlib import Path

ROOT = Path(os.environ.get("ROOT", "."))
STATE = ROOT / "machine.json"
LABELS = ROOT / "dev/disk/by-label"
# What is there before anything was installed.
PROGRAMS = (
    "acs-plugin-manager",
    "blkid",
    "curl",
    "dnf",
    "findmnt",
    "getent",
    "hccn_tool",
    "hostname",
    "installed",
    "ip",
    "lsblk",
    "mdadm",
    "mkfs.xfs",
    "modprobe",
    "mount",
    "mountpoint",
    "nvidia-smi",
    "npu-smi",
    "pgrep",
    "python3",
    "sha256sum",
    "shuf",
    "sleep",
    "systemctl",
    "tar",
    "trainform-api",
    "trainform-metadata",
    "udevadm",
    "unzip",
    "useradd",
    "xfs_growfs",
)
# Programs that a package, a client or an archive brings.
BRINGS = {
    "docker-ce": "docker",
    "nvidia-container-toolkit": "nvidia-ctk",
    "alinas": "mount.cpfs-nfs",
    "turbo": "mount.lustre",
}
# Answers of a cloud's interface by a word of the call; NAME is what the job's own are called.
ANSWERS = {
    "DescribeCfsFileSystems": '{"FileSystems": [{"FsName": "NAME", "FileSystemId": "cfs-1"}]}',
    "DescribeMountTargets": (
        '{"MountTargets": [{"LifeCycleState": "available", "IpAddress": "10.20.0.9", "FSID": "f1"}]}'
    ),
    "DescribeFileSystems": '{"FileSystemId": "cpfs-1"}',
    "sfs-turbo": '{"shares": [{"name": "NAME", "status": "200", "export_location": "10.20.0.9:/"}]}',
    "DescribeDisks": (
        '{"DiskSet": [{"DiskName": "NAME-0", "DiskId": "d", "DiskState": "ATTACHED", "InstanceId": "vm-1"}]}'
    ),
    "cloudvolumes": (
        '{"volumes": [{"name": "NAME-0", "id": "d", "status": "in-use", "attachments": [{"server_id": "vm-1"}]}]}'
    ),
    "nas": '{"MountTargetDomain": "cpfs.local", "ProtocolMountTargetDomain": "cpfs.local"}',
}


def main(name, words):
    """Runs one program over the state of the machine, alone."""
    with STATE.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        state = json.load(file)
        code = globals()[name.replace(".", "_").replace("-", "_")](state, words)
        file.seek(0)
        file.truncate()
        json.dump(state, file)
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # who read it has gone; a real program's few bytes lie in the pipe by then
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code or 0)


def bring(program):
    """Makes a program known by its name."""
    place = ROOT / "stand-ins" / program
    if not place.exists():
        place.symlink_to(ROOT / "stand-ins" / "machine")


def installed(state, words):
    """What the installers that curl hands out do: a driver, an agent, a client."""
    what = words[0] if words else "driver"
    state["installed"] = sorted({*state["installed"], what})
    if what in BRINGS:
        bring(BRINGS[what])


def curl(_state, words):
    """Every address answers; a file that is written is an installer of what its address names."""
    url = next(word for word in words if "://" in word)
    what = "agent" if "agent" in url.lower() else "turbo" if "turbo" in url else "driver"
    text = f"installed {what}\n"
    output = {"-o": words[words.index("-o") + 1]} if "-o" in words else {}
    if "-fsSLO" in words:
        output["-o"] = url.rpartition("/")[2]
    if output:
        Path(output["-o"]).parent.mkdir(parents=True, exist_ok=True)
        Path(output["-o"]).write_text(text)
    else:
        print(text)


def _client(folder, name):
    Path(folder).mkdir(parents=True, exist_ok=True)
    Path(folder, name).write_text("#!/bin/bash\n")


def tar(_state, words):
    if "aliyun" in words:
        bring("aliyun")
    else:
        _client(".", "obsutil")


def unzip(_state, words):
    _client("linux-bcecmd-0.4.5", "bcecmd")


def python3(_state, words):
    if "zipfile" in words:
        _client(Path(words[-2]).name.removesuffix(".zip"), "ossutil")


def dnf(state, words):
    for package in words[2:]:
        state["packages"] = sorted({*state["packages"], package})
        for part, program in BRINGS.items():
            if part in package:
                bring(program)


def systemctl(state, words):
    units = [word for word in words[1:] if not word.startswith("-")]
    if words[0] == "is-active":
        return 0 if set(units) <= set(state["active"]) else 3
    if words[0] == "reboot":
        state["reboots"] += 1
    if words[0] in {"enable", "start", "restart"}:
        state["active"] = sorted({*state["active"], *units})
        state["enabled"] = sorted({*state["enabled"], *(units if words[0] == "enable" else ())})
    return 0


def sleep(_state, words):
    return 1 if words == ["infinity"] else 0


def nvidia_smi(state, words):
    if not {"driver", "grid"} & set(state["installed"]):
        return 9
    if "--list-gpus" in words:
        print("GPU\n" * state["cards"], end="")
    if any(word.startswith("--query-gpu=driver_version") for word in words):
        print("570.0")
    return 0


def npu_smi(state, words):
    if "driver" not in state["installed"] or not state["reboots"]:
        return 1
    for chip in range(state["cards"]):
        (ROOT / f"dev/davinci{chip}").touch()
    return 0


def hccn_tool(_state, _words):
    print("link status: UP")


def acs_plugin_manager(state, _words):
    installed(state, ["grid"])


def nvidia_ctk(state, _words):
    state["runtimes"] = ["nvidia", "runc"]


def docker(state, words):
    print(json.dumps(state["runtimes"]))


def pgrep(state, _words):
    return 0 if "agent" in state["installed"] else 1


def getent(state, _words):
    return 0 if "user" in state["installed"] else 2


def useradd(state, _words):
    installed(state, ["user"])


def ip(_state, _words):
    print("1.1.1.1 via 10.20.0.1 dev eth0 src 10.20.0.5 uid 0")


def hostname(_state, _words):
    print("node-0")


def shuf(_state, _words):
    print(sys.stdin.readline().strip())


def trainform_metadata(_state, words):
    items = {"meta_data.json": '{"uuid": "vm-1", "project_id": "p-1"}', "source-address": "http://10.20.0.1"}
    print(items.get(words[0], "vm-1"))


def trainform_api(_state, words):
    name = os.environ.get("SHARED_NAME") or os.environ.get("DATA_DISK_NAME") or ""
    print(next(answer for word, answer in ANSWERS.items() if word in " ".join(words)).replace("NAME", name))


def aliyun(state, words):
    if words[0] != "configure":
        trainform_api(state, words)


def _disk(state, name):
    return next(disk for disk in state["disks"] if disk["name"] == name or name.endswith(disk["name"]))


def lsblk(state, words):
    if words[0] == "-no":
        disk = _disk(state, words[-1])
        print("\n".join([disk["name"], *disk.get("parts", [])]))
        return
    for disk in state["disks"]:
        if disk["name"] != "/dev/md/scratch":
            print(disk["name"], *((disk["size"], "disk") if words[0] == "-bdpno" else ("disk", disk["model"])))


def blkid(state, words):
    signature = _disk(state, words[-1])["holds"]
    return 2 if not signature else 8 if signature == "several" else 0


def mkfs_xfs(state, words):
    disk = _disk(state, words[-1])
    if disk["holds"] and "-f" not in words:
        return 1
    state["formatted"].append(disk["name"])
    disk["holds"] = f"xfs {words[words.index('-L') + 1]}"
    _label(disk)
    return 0


def _label(disk):
    if disk["holds"].startswith("xfs "):
        (LABELS / disk["holds"].split()[1]).write_text(disk["name"])


def mdadm(state, words):
    arrays = [disk for disk in state["disks"] if disk["name"] == "/dev/md/scratch"]
    if words[0] == "--create":
        members = [word for word in words if word.startswith("/dev/nvme")]
        for member in members:
            state["overwritten"] += [member] if _disk(state, member)["holds"] else []
            _disk(state, member)["holds"] = "linux_raid_member"
        state["disks"].append({"name": "/dev/md/scratch", "size": 0, "model": "", "holds": ""})
    elif arrays:
        _label(arrays[0])
    return 0 if arrays or words[0] == "--create" else 1


def mount(state, words):
    source, place = words[-2:]
    if "by-label" in source and not Path(source).exists():
        print(f"mount: {source} does not exist", file=sys.stderr)
        return 32
    state["mounts"][place.removeprefix(str(ROOT))] = Path(source).read_text() if "by-label" in source else source
    return 0


mount_lustre = mount_cpfs_nfs = mount


def mountpoint(state, words):
    return 0 if words[-1].removeprefix(str(ROOT)) in state["mounts"] else 1


def findmnt(_state, _words):
    print("xfs")


def xfs_growfs(_state, _words):
    return 0


def sha256sum(_state, _words):
    return 0


modprobe = udevadm = sha256sum

if __name__ == "__main__":
    main(Path(sys.argv[0]).name, sys.argv[1:])
