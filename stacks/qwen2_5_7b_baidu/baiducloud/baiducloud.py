"""Baidu AI Cloud for Pulumi: the few resources that training needs, strictly typed.

Baidu publishes no Pulumi SDK; Pulumi's bridge runs the vendor's Terraform provider instead. It drops what it does not
know without a word, so this module refuses it: TypedDict tells the type checker, `_wire` the run. Names are the
provider's own; a block's plural is the bridge's. Keys and region: BAIDUCLOUD_ACCESS_KEY, BAIDUCLOUD_SECRET_KEY, config.
"""

import base64
import json
from collections.abc import Awaitable, Mapping, Sequence
from typing import (
    Any,
    ClassVar,
    Literal,
    NotRequired,
    TypedDict,
    Union,
    Unpack,
    cast,
    get_args,
    get_origin,
    is_typeddict,
)

import pulumi
from pulumi import Input, Output

Str = Input[str]
Int = Input[int]
Bool = Input[bool]
Options = pulumi.ResourceOptions | None
# Never a value that changes: a changed tag replaces the network, node, disk or bucket that bears it (HPAS excepted).
Tags = Mapping[str, Input[str]]
Payment = Input[Literal["Prepaid", "Postpaid"]]
# The SSDs: hp1 (the default of a disk), ssd, std1, hdd, sata and HDD_Throughput starve a GPU.
Ssd = Literal["cloud_hp1", "premium_ssd", "enhanced_ssd_pl1", "enhanced_ssd_pl2", "enhanced_ssd_pl3"]

WORDS = {str: "text", int: "a whole number", bool: "True or False"}
PROVIDER = {"remote": {"url": "registry.opentofu.org/baidubce/baiducloud", "version": "1.23.5"}}


async def _package() -> str:
    """The bridge with the vendor's provider in it; Pulumi asks the engine once a deployment."""
    return await pulumi.runtime.register_package(
        base_provider_name="terraform-provider",
        base_provider_version="1.1.3",
        base_provider_download_url="",
        package_name="baiducloud",
        package_version="1.23.5",
        base64_parameter=base64.b64encode(json.dumps(PROVIDER).encode()).decode(),
    )


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


def _plain(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is NotRequired else hint


def _wire(hint: Any, value: Any, where: str) -> Any:
    """`value` as the provider names it; TypeError where it has not the form that `hint` asks for."""
    hint = _plain(hint)
    if is_typeddict(hint):
        return _block(hint, value, where)
    if isinstance(value, (Awaitable, Output)):
        return value
    form = get_args(hint)[0] if get_origin(hint) is Union else hint  # Input[T] is T, or what T will be
    of = get_origin(form)
    if of is Literal and value not in get_args(form):
        raise TypeError(f"{where}: {value!r} is not one of {list(get_args(form))}")
    if of is Mapping:
        if not isinstance(value, Mapping):
            raise TypeError(f"{where}: a dict is due")
        return {key: _wire(get_args(form)[1], item, f"{where}.{key}") for key, item in value.items()}
    if of is list or of is Sequence:
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"{where}: a list is due")
        return [_wire(get_args(form)[0], item, f"{where}[{number}]") for number, item in enumerate(value)]
    if form in WORDS and not (isinstance(value, form) and isinstance(value, bool) == (form is bool)):
        raise TypeError(f"{where}: {value!r}, where {WORDS[form]} is due")
    return value


def _block(hint: Any, value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{where}: a block is a dict")
    fields = hint.__annotations__
    missing, unknown = hint.__required_keys__ - value.keys(), value.keys() - fields.keys()
    if missing or unknown:
        raise TypeError(f"{where}: missing {sorted(missing)}, unknown {sorted(unknown)}")
    rename = str if hint in MAPS else _camel
    return {rename(key): _wire(fields[key], value[key], f"{where}.{key}") for key in value}


class _Resource(pulumi.CustomResource):
    """A resource of the provider: `kind` is its type; annotated attributes are its outputs."""

    kind: ClassVar[str]

    def _register(self, shape: Any, name: str, args: Mapping[str, Any], opts: Options) -> None:
        """No constructor: Pulumi takes what stands behind the third one for the program's line."""
        outputs = [key for key in type(self).__annotations__ if key != "kind"]
        wired = cast("dict[str, Any]", _wire(shape, args, f"{type(self).__name__}({name!r})"))
        unset: dict[str, Any] = {_camel(key): None for key in outputs}
        super().__init__(f"baiducloud:index/{self.kind}", name, unset | wired, opts, package_ref=_package())
        for key in outputs:
            self.__dict__[key] = self.__dict__[_camel(key)]


class CdsDisk(TypedDict):
    cds_size_in_gb: Int
    storage_type: Input[Ssd]
    snapshot_id: NotRequired[Str]


class Reservation(TypedDict):
    """A string map on the wire: its keys stay in snake case."""

    reservation_length: Str
    reservation_time_unit: Input[Literal["Month"]]


class HpasVolume(TypedDict):
    volume_type: Input[Ssd]
    volume_size_in_gb: Int
    volume_count: NotRequired[Int]


class LifecycleTime(TypedDict):
    """$(lastModified)+P30D means 30 days after the last change; an absolute date is UTC midnight."""

    date_greater_than: Str


class LifecycleCondition(TypedDict):
    time: LifecycleTime


class LifecycleAction(TypedDict):
    name: Literal["Transition", "DeleteObject", "AbortMultipartUpload"]
    storage_class: NotRequired[Literal["STANDARD_IA", "COLD", "ARCHIVE"]]


class LifecycleRule(TypedDict):
    status: Literal["enabled", "disabled"]
    resources: Sequence[Str]
    condition: LifecycleCondition
    action: LifecycleAction
    id: NotRequired[Str]


class Billing(TypedDict):
    """A string map on the wire: its keys stay in snake case."""

    payment_timing: Payment


class ManagedMaster(TypedDict):
    master_vpc_subnet_zone: NotRequired[Str]
    master_vpc_subnet_uuid: NotRequired[Str]
    master_flavor: NotRequired[Literal["l50", "l200", "l500", "l1000", "l3000", "l5000"]]


class MasterConfig(TypedDict):
    master_type: Literal["managed", "managedPro", "custom", "serverless"]
    cluster_ha: Literal[1, 2, 3, 5]
    exposed_public: Bool
    cluster_blb_vpc_subnet_id: Str
    managed_cluster_master_option: NotRequired[ManagedMaster]


class ZoneSubnet(TypedDict):
    zone_and_id: Mapping[str, Str]


class ContainerNetwork(TypedDict):
    mode: Literal["vpc-eni"]
    lb_service_vpc_subnet_id: Str
    eni_vpc_subnet_ids: list[ZoneSubnet]
    eni_security_group_id: Str
    cluster_ip_service_cidr: Str
    max_pods_per_node: Int
    node_port_range_min: Int
    node_port_range_max: Int
    ip_version: Literal["ipv4", "ipv6", "dualStack"]
    kube_proxy_mode: Literal["iptables", "ipvs"]
    cluster_pod_cidr: NotRequired[Str]
    enable_rdma: NotRequired[Bool]


class ClusterDelete(TypedDict):
    delete_resource: Bool
    delete_cds_snapshot: Bool


class ClusterSpec(TypedDict):
    cluster_name: Str
    cluster_type: Literal["normal"]
    k8s_version: Str
    runtime_type: Literal["containerd", "docker"]
    vpc_id: Str
    master_config: MasterConfig
    container_network_config: ContainerNetwork
    cluster_delete_option: ClusterDelete
    description: NotRequired[Str]
    plugins: NotRequired[Sequence[Str]]
    runtime_version: NotRequired[Str]
    vpc_cidr: NotRequired[Str]


class CceDisk(TypedDict):
    cds_size: Int
    storage_type: Ssd
    path: NotRequired[Str]
    snapshot_id: NotRequired[Str]


class EphemeralDisk(TypedDict):
    size_in_gb: Int
    storage_type: Literal["local_nvme", "local_ssd"]
    disk_path: NotRequired[Str]


class NodeResource(TypedDict):
    """`gpu_type` knows no card after V100: leave it out and name the machine by `machine_spec`."""

    machine_spec: Str
    root_disk_type: Ssd
    root_disk_size: Int
    cds_lists: NotRequired[list[CceDisk]]
    ephemeral_disk_lists: NotRequired[list[EphemeralDisk]]
    cpu: NotRequired[Int]
    mem: NotRequired[Int]
    gpu_count: NotRequired[Int]
    gpu_type: NotRequired[Literal["V100-32", "V100-16", "P40", "P4", "K40", "DLCard"]]


class NodeNetwork(TypedDict):
    vpc_id: Str
    vpc_subnet_id: Str
    security_group_id: Str
    available_zone: Str
    security_group_type: NotRequired[Literal["normal", "enterprise"]]


class NodeTaint(TypedDict):
    key: Str
    value: Str
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]


class NodeTag(TypedDict):
    tag_key: Str
    tag_value: Str


class NodeDelete(TypedDict):
    delete_resource: Bool
    delete_cds_snapshot: Bool
    move_out: NotRequired[Bool]


class NodeDeploy(TypedDict):
    pre_user_script: NotRequired[Str]
    post_user_script: NotRequired[Str]
    enable_cordon: NotRequired[Bool]


class NodeHpas(TypedDict):
    app_type: Str
    app_performance_level: Str


class NodeOs(TypedDict):
    image_type: Literal[
        "System",
        "Custom",
        "Integration",
        "Sharing",
        "GpuBccSystem",
        "GpuBccCustom",
        "BbcSystem",
        "BbcCustom",
    ]
    os_type: NotRequired[Literal["linux"]]
    os_name: NotRequired[Literal["Ubuntu", "CentOS", "Debian"]]
    os_version: NotRequired[Str]
    os_arch: NotRequired[Str]
    image_name: NotRequired[Str]


class NodeTemplate(TypedDict):
    cluster_role: Literal["node"]
    machine_type: Literal["BCC", "BBC", "EBC", "HPAS"]
    instance_type: Literal["N1", "N2", "N3", "N4", "N5", "C1", "C2", "S1", "G1", "F1", "HPAS"]
    instance_charging_type: Input[Literal["Prepaid", "Postpaid", "bidding"]]
    instance_resource: NodeResource
    vpc_config: NodeNetwork
    image_id: Str
    ssh_key_id: Str
    delete_option: NodeDelete
    instance_name: NotRequired[Str]
    existed: NotRequired[Bool]
    instance_os: NotRequired[NodeOs]
    hpas_option: NotRequired[NodeHpas]
    ehc_cluster_id: NotRequired[Str]
    labels: NotRequired[Tags]
    instance_taints: NotRequired[list[NodeTaint]]
    tag_lists: NotRequired[list[NodeTag]]
    deploy_custom_config: NotRequired[NodeDeploy]
    runtime_type: NotRequired[Literal["containerd", "docker"]]
    need_eip: NotRequired[Bool]


class InstanceGroupSpec(TypedDict):
    cluster_id: Str
    instance_group_name: Str
    replicas: Int
    instance_template: NodeTemplate


MAPS = (Billing, Reservation)


class VpcArgs(TypedDict):
    name: Str
    cidr: Str
    description: NotRequired[Str]
    tags: NotRequired[Tags]


class Vpc(_Resource):
    kind = "vpc:Vpc"
    cidr: Output[str]
    route_table_id: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[VpcArgs]) -> None:
        self._register(VpcArgs, resource_name, args, opts)


class SubnetArgs(TypedDict):
    name: Str
    vpc_id: Str
    cidr: Str
    zone_name: Str
    subnet_type: Literal["BCC", "BCC_NAT", "BBC"]
    description: NotRequired[Str]
    tags: NotRequired[Tags]


class Subnet(_Resource):
    kind = "subnet:Subnet"
    cidr: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[SubnetArgs]) -> None:
        self._register(SubnetArgs, resource_name, args, opts)


class SecurityGroupArgs(TypedDict):
    name: Str
    vpc_id: Str
    description: NotRequired[Str]
    tags: NotRequired[Tags]


class SecurityGroup(_Resource):
    kind = "securityGroup:SecurityGroup"

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[SecurityGroupArgs]) -> None:
        self._register(SecurityGroupArgs, resource_name, args, opts)


class SecurityGroupRuleArgs(TypedDict):
    security_group_id: Str
    direction: Literal["ingress", "egress"]
    ether_type: Literal["IPv4", "IPv6"]
    protocol: Literal["tcp", "udp", "icmp", "all"]
    port_range: Str
    source_ip: NotRequired[Str]
    source_group_id: NotRequired[Str]
    dest_ip: NotRequired[Str]
    dest_group_id: NotRequired[Str]
    remark: NotRequired[Str]


class SecurityGroupRule(_Resource):
    kind = "securityGroupRule:SecurityGroupRule"

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[SecurityGroupRuleArgs]) -> None:
        self._register(SecurityGroupRuleArgs, resource_name, args, opts)


class BccKeyPairArgs(TypedDict):
    name: Str
    public_key: Str
    description: NotRequired[Str]


class BccKeyPair(_Resource):
    kind = "bccKeyPair:BccKeyPair"

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[BccKeyPairArgs]) -> None:
        self._register(BccKeyPairArgs, resource_name, args, opts)


class DeploysetArgs(TypedDict):
    name: Str
    strategy: Literal["HOST_HA", "RACK_HA", "TOR_HA"]
    desc: NotRequired[Str]


class Deployset(_Resource):
    kind = "deployset:Deployset"
    short_id: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[DeploysetArgs]) -> None:
        self._register(DeploysetArgs, resource_name, args, opts)


class InstanceArgs(TypedDict):
    name: Str
    image_id: Str
    instance_spec: Str
    availability_zone: Str
    subnet_id: Str
    security_groups: Sequence[Str]
    keypair_id: Str
    payment_timing: Payment
    root_disk_storage_type: Input[Ssd]
    root_disk_size_in_gb: Int
    stop_with_no_charge: Bool
    action: Input[Literal["start", "stop"]]
    cds_disks: NotRequired[list[CdsDisk]]
    deploy_set_ids: NotRequired[Sequence[Str]]
    ehc_cluster_id: NotRequired[Str]
    user_data: NotRequired[Str]
    hostname: NotRequired[Str]
    description: NotRequired[Str]
    related_release_flag: NotRequired[Bool]
    delete_cds_snapshot_flag: NotRequired[Bool]
    reservation: NotRequired[Reservation]
    tags: NotRequired[Tags]


class Instance(_Resource):
    kind = "instance:Instance"
    internal_ip: Output[str]
    status: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[InstanceArgs]) -> None:
        self._register(InstanceArgs, resource_name, args, opts)


class HpasInstanceArgs(TypedDict):
    name: Str
    app_type: Str
    app_performance_level: Str
    image_id: Str
    zone_name: Str
    subnet_id: Str
    security_group_ids: Sequence[Str]
    keypair_id: Str
    payment_timing: Payment
    root_disk_storage_type: Input[Ssd]
    root_disk_size_in_gb: Int
    data_volumes: NotRequired[list[HpasVolume]]
    cds_volume_ids: NotRequired[Sequence[Str]]
    ehc_cluster_id: NotRequired[Str]
    security_group_type: NotRequired[Literal["normal", "enterprise"]]
    internal_ip: NotRequired[Str]
    user_data: NotRequired[Str]
    period: NotRequired[Int]
    tags: NotRequired[Tags]


class HpasInstance(_Resource):
    kind = "hpasInstance:HpasInstance"
    internal_ip: Output[str]
    status: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[HpasInstanceArgs]) -> None:
        self._register(HpasInstanceArgs, resource_name, args, opts)


class CdsArgs(TypedDict):
    name: Str
    zone_name: Str
    storage_type: Input[Ssd]
    disk_size_in_gb: Int
    payment_timing: Payment
    snapshot_id: NotRequired[Str]
    description: NotRequired[Str]
    tags: NotRequired[Tags]


class Cds(_Resource):
    kind = "cds:Cds"
    status: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[CdsArgs]) -> None:
        self._register(CdsArgs, resource_name, args, opts)


class CdsAttachmentArgs(TypedDict):
    cds_id: Str
    instance_id: Str


class CdsAttachment(_Resource):
    kind = "cdsAttachment:CdsAttachment"
    cds_id: Output[str]
    attachment_device: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[CdsAttachmentArgs]) -> None:
        self._register(CdsAttachmentArgs, resource_name, args, opts)


class AutoSnapshotPolicyArgs(TypedDict):
    name: Str
    time_points: Sequence[Int]
    repeat_weekdays: Sequence[Int]
    retention_days: Int
    volume_ids: Sequence[Str]


class AutoSnapshotPolicy(_Resource):
    kind = "autoSnapshotPolicy:AutoSnapshotPolicy"

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[AutoSnapshotPolicyArgs]) -> None:
        self._register(AutoSnapshotPolicyArgs, resource_name, args, opts)


class BosBucketArgs(TypedDict):
    bucket: Str
    acl: Literal["private"]
    storage_class: Input[Literal["STANDARD", "STANDARD_IA", "MAZ_STANDARD", "MAZ_STANDARD_IA", "COLD", "ARCHIVE"]]
    server_side_encryption_rule: Literal["AES256"]
    lifecycle_rules: NotRequired[list[LifecycleRule]]
    versioning_status: NotRequired[Literal["enabled", "suspended"]]
    enable_multi_az: NotRequired[Bool]
    force_destroy: NotRequired[Bool]
    tags: NotRequired[Tags]


class BosBucket(_Resource):
    kind = "bosBucket:BosBucket"
    bucket: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[BosBucketArgs]) -> None:
        self._register(BosBucketArgs, resource_name, args, opts)


class CfsArgs(TypedDict):
    name: Str
    zone: Str
    type: Literal["cap"]
    protocol: Literal["nfs", "smb"]


class Cfs(_Resource):
    kind = "cfs:Cfs"
    status: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[CfsArgs]) -> None:
        self._register(CfsArgs, resource_name, args, opts)


class CfsMountTargetArgs(TypedDict):
    fs_id: Str
    vpc_id: Str
    subnet_id: Str


class CfsMountTarget(_Resource):
    kind = "cfsMountTarget:CfsMountTarget"
    domain: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[CfsMountTargetArgs]) -> None:
        self._register(CfsMountTargetArgs, resource_name, args, opts)


class Ccev2ClusterArgs(TypedDict):
    cluster_spec: ClusterSpec
    tags: NotRequired[Tags]


class Ccev2Cluster(_Resource):
    kind = "ccev2Cluster:Ccev2Cluster"

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[Ccev2ClusterArgs]) -> None:
        self._register(Ccev2ClusterArgs, resource_name, args, opts)


class Ccev2InstanceGroupArgs(TypedDict):
    spec: InstanceGroupSpec


class Ccev2InstanceGroup(_Resource):
    kind = "ccev2InstanceGroup:Ccev2InstanceGroup"

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[Ccev2InstanceGroupArgs]) -> None:
        self._register(Ccev2InstanceGroupArgs, resource_name, args, opts)


class NatGatewayArgs(TypedDict):
    name: Str
    vpc_id: Str
    billing: Billing
    spec: NotRequired[Literal["small", "medium", "large"]]
    cu_num: NotRequired[Str]
    snat_eips: NotRequired[Sequence[Str]]


class NatGateway(_Resource):
    kind = "natGateway:NatGateway"
    status: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[NatGatewayArgs]) -> None:
        self._register(NatGatewayArgs, resource_name, args, opts)


class NatSnatRuleArgs(TypedDict):
    nat_id: Str
    rule_name: Str
    source_cidr: Str
    public_ips_addresses: Sequence[Str]


class NatSnatRule(_Resource):
    kind = "natSnatRule:NatSnatRule"

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[NatSnatRuleArgs]) -> None:
        self._register(NatSnatRuleArgs, resource_name, args, opts)


class EipArgs(TypedDict):
    name: Str
    bandwidth_in_mbps: Int
    payment_timing: Payment
    billing_method: Literal["ByTraffic", "ByBandwidth"]
    route_type: NotRequired[Literal["BGP", "BGP_S"]]
    tags: NotRequired[Tags]


class Eip(_Resource):
    kind = "eip:Eip"
    eip: Output[str]

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[EipArgs]) -> None:
        self._register(EipArgs, resource_name, args, opts)


class EipAssociationArgs(TypedDict):
    eip: Str
    instance_id: Str
    instance_type: Literal["BCC", "BLB", "NAT", "VPN"]


class EipAssociation(_Resource):
    kind = "eipAssociation:EipAssociation"

    def __init__(self, resource_name: str, opts: Options = None, **args: Unpack[EipAssociationArgs]) -> None:
        self._register(EipAssociationArgs, resource_name, args, opts)
